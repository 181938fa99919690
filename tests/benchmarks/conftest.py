"""Benchmarks are read only where they run, as what they compare with takes seconds to load."""


def pytest_ignore_collect(config):
    return None if config.getoption("benchmark_enable") else True
