"""Points that carry Gaussian noise, under a kernel: means over all pairs of a sample, and mixtures of Gaussians.

`Kernel.noisy_pairs` and `Kernel.noisy_mixture` make them: `pairs` has what any kernel with `expected` gives, `gaussian`
and `laplacian` the faster ways of their kernels, `mixtures` those of sums, mixtures and scaled coordinates, `sums` what
serves a Gaussian kernel at many widths at once.
"""
