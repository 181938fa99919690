"""The command line: one module per command, with the command's arguments and what it does."""
