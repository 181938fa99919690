"""The subsequence kernel: strings are alike that share subsequences, with or without gaps.

`Subsequence` is the kernel, `letter_shares` tells which letters a value of it comes from. The Gram matrix goes through
explicit features where letters are few and through a dynamic programme, pair by pair, where they are many: `gram`
takes the cheaper way. `letters` has the strings themselves: their checks, and their letters as numbers.
"""

from .kernel import Subsequence as Subsequence
from .shares import letter_shares as letter_shares
