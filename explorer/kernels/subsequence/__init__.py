"""Subsequence kernel: strings are similar if they share subsequences, with or without gaps.

`Subsequence` is the kernel, and `letter_shares` computes which letters contribute to a value of it. The Gram matrix
uses explicit features if letters are few, and a dynamic programme, pair by pair, if they are many: `gram` chooses the
cheaper way. `letters` has the strings themselves: their checks, and their letters as numbers.
"""

from .kernel import Subsequence as Subsequence
from .shares import letter_shares as letter_shares
