"""The Kernel PCA lab: `panel serve apps/*.py`, then /kernel_pca."""

from explorer.pages import open_page

open_page("kernel_pca").servable()
