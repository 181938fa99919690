"""Resampling: permutations of pooled rows, and the Gram matrices whose quadratic forms give a statistic of each split."""
