"""Previews of a page: link summaries, pictures of links, the first paint, thumbnails of presets."""
