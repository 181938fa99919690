"""Toy samples, drawn from distributions that are known exactly."""
