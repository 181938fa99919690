"""German: one file a room of the explorer, each a dict TEXTS of English templates and what is said in their place."""
