"""Files: written whole or not at all, known by their endings, and read as tables of texts."""
