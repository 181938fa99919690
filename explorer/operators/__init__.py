"""Operators between RKHSs that samples estimate.

CrossCovariance is the operator C_XY of Cov(f(X), g(Y)) = <f, C_XY g>: its singular functions are the pairs f, g that
covary most, and its squared Hilbert-Schmidt norm is HSIC.
"""

from .cross_covariance import CrossCovariance as CrossCovariance
