"""Results of tests and estimates: what they have in common, and the result of a resampling test."""
