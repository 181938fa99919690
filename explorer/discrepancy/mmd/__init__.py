"""Maximum mean discrepancy of two samples: its estimates, tests, kernels and bandwidths, witness, power and rates."""
