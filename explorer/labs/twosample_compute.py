"""From a state of the Two-sample lab to its result."""

from __future__ import annotations

from explorer.discrepancy import moment_differences
from explorer.kernels.bandwidth import median_and_remark
from explorer.workbench.steps import with_value

from .twosample_rest import the_kernel
from .twosample_result import TwoSampleResult
from .twosample_sources import the_samples
from .twosample_trials import BANDWIDTHS, TABLED, data_key, draft, rest_keys, trials


def compute(lab, tables, cache):
    """A TwoSampleResult from a snapshot of the lab; what has not changed since the last one comes from the cache."""
    key = data_key(lab)
    samples = cache.get(("samples", key), lambda: the_samples(lab, tables))
    median, remark = cache.get(("median", key), lambda: median_and_remark(samples.pooled))
    rbf = lab.kernel == "RBF"
    every, here, checked = map(cache.peek, rest_keys(lab))
    if (
        rbf
        and every
        and lab.estimator != "F-KMSE"
        and lab.shuffles <= TABLED
        and lab.bandwidth in every.trials.bandwidths
    ):
        found = every.trials
    elif here:
        found = here.trials
    else:
        count = draft(lab)
        key = ("trial", key, lab.kernel, lab.statistic, lab.estimator, count, lab.bandwidth if rbf else None)
        found = cache.get(key, lambda: trials(lab, samples, [lab.bandwidth if rbf else None], median, count, cache.get))
    kernel = the_kernel(lab, median)
    moments = (
        None
        if rbf
        else cache.get(("moments", data_key(lab), lab.kernel), lambda: moment_differences(samples.X, samples.Y, kernel))
    )
    return TwoSampleResult(
        lab=lab,
        samples=samples,
        kernel=kernel,
        remark=remark if rbf else "",
        median=median,
        trials=found,
        slider=tuple(with_value(BANDWIDTHS, lab.bandwidth)),
        moments=moments,
        every=every,
        here=here,
        checked=checked,
    )
