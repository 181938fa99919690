"""Labs in a notebook's cell: the session in its kernel, the connection, and the embedded page."""
