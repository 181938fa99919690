"""Averages of functions in the Shrinkage lab: their numbers, pictures, words, presets and stories."""
