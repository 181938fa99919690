"""The command line: one file a command, with the arguments that it takes and what it does."""
