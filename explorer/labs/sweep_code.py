"""Copy Python: the few lines that run the sweep with the library."""

from __future__ import annotations

from explorer.model import code


def python(result):
    """A script that leaves in `data` all numbers of the sweep, and in `shown` what the page shows, equal to the last
    bit.
    """
    call = result.lab.call
    axes = "".join(f"    {name!r}: [{', '.join(map(code, values))}],\n" for name, values in call["axes"].items())
    common = f", common={call['common']!r}" if call["common"] else ""
    return (
        "from explorer import sweep\nfrom explorer.labs.study import LabStudy\n\n"
        f"study = {code(result.study)}\naxes = {{\n{axes}}}\n"
        f"data = sweep(study, axes, replicates={call['replicates']}, seed={call['seed']}{common})\n"
        f'shown = data[{result.measure!r}].median("replicate")\nprint(shown.to_pandas())\n'
    )
