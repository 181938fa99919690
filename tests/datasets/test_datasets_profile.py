"""Relative frequency of each letter at each position of reads."""

import numpy as np

from explorer.datasets.letter_profile import Profile


def test_a_profile_counts_letters():
    profile = Profile.of(np.array(["ACG", "AC", "TC"]), np.array(["GGG"]))
    assert profile.letters == "ACGT"
    np.testing.assert_allclose(profile.first, [[2 / 3, 0, 0], [0, 1, 0], [0, 0, 1], [1 / 3, 0, 0]])
    np.testing.assert_allclose(profile.second, [[0] * 3, [0] * 3, [1] * 3, [0] * 3])
    assert Profile.of(np.array(["AC"]), np.array([], dtype=str)).second.tolist() == [[0, 0], [0, 0]]
