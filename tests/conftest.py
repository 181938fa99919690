"""Shared by all tests."""

import os

# two cores are shared by the whole suite: BLAS threads of several processes would only fight
os.environ.setdefault("OPENBLAS_NUM_THREADS", "2")
