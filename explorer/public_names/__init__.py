"""Names by which users find things: the contents of `help`, other libraries' names, and names of earlier versions."""
