"""Resampling: permutations of pooled rows, and Gram matrices whose quadratic forms give the statistic of a split."""
