"""Benchmarks are imported only if they run, since the libraries that they compare with take seconds to load."""


def pytest_ignore_collect(config):
    return None if config.getoption("benchmark_enable") else True
