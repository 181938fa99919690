"""Operators between RKHSs that samples estimate.

CovarianceOperator is the kernel mean of φ~(x) ⊗ φ~(x), so any estimator of a kernel mean gives one. Its eigenfunctions
are the components of KernelPCA, which also finds pre-images: points for functions in the RKHS. CrossCovariance is the
operator C_XY of Cov(f(X), g(Y)) = <f, C_XY g>: its singular functions are the pairs f, g that covary most, and its
squared Hilbert-Schmidt norm is HSIC. KernelCCA has the pairs that correlate most, KernelFDA the functions whose class
means lie farthest apart.

The parts that they are made of: CentredKernel, the kernel of features minus a centre; `leading`, a few eigenvectors of
many points; Principal, eigenfunctions under weights of any sign.
"""

from .canonical import KernelCCA as KernelCCA
from .centring import CentredKernel as CentredKernel
from .covariance import CovarianceOperator as CovarianceOperator
from .cross_covariance import CrossCovariance as CrossCovariance
from .discriminant import KernelFDA as KernelFDA
from .kernel_pca import KernelPCA as KernelPCA
