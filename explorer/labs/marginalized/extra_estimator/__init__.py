"""The third estimator of the Marginalized lab, which the user may choose: its marks and words."""
