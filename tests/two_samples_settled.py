"""A Two-sample lab whose hand has rested."""


def settled(lab):
    """The result, once all that follows at rest is there."""
    result = lab.result()
    while result.replicates is None:
        key, make = lab.more()
        lab.keep(key, make(lambda: False))
        result = lab.result()
    return result
