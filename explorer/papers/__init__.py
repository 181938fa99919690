"""Papers: each figure and table of a paper as a study, a plain function of one cell and a seed."""
