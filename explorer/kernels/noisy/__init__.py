"""Points that carry Gaussian noise, under a kernel: means over all pairs of a sample, and mixtures of Gaussians.

`Kernel.noisy_pairs` and `Kernel.noisy_mixture` create them. `pairs` works for any kernel with `expected`, `gaussian`
and `laplacian` are the faster versions for their kernels, and `mixtures` has those of sums, mixtures and scaled
coordinates. `sums` evaluates a Gaussian kernel at many widths at once.
"""
