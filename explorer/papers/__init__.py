"""The papers' figures and tables as studies: a study is a plain function of one cell and a seed."""
