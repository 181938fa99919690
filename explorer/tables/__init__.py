"""Tables beyond `frames`: rows that are paired by their index, tables that are not read yet, and tables as HTML."""
