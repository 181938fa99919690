"""The optional third estimate of the Marginalized lab: its marks and sentences."""
