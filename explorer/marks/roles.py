"""Colours of estimators and of the two samples of a comparison; dash and marker always repeat their meaning."""

# role -> (on white, on the dark ground). Each has a contrast of at least 3:1 and is distinct for colour-blind readers.
ROLES = {
    "truth": ("#111111", "#F2F2F2"),
    "kme": ("#5B656D", "#8A96A3"),
    "skmse": ("#3F86F2", "#3D97F0"),
    "fkmse": ("#083E53", "#9AD3EE"),
    "mkme": ("#22A578", "#22E07A"),
    "mmkme": ("#2F7420", "#79B23C"),
    "shaped": ("#7A3DB8", "#C79BFF"),
    "monk": ("#6E1F08", "#F6B5A1"),
    "monkfast": ("#C9830B", "#96640A"),
    "geometric": ("#6A2BE0", "#9A6BFF"),
    "bayes": ("#A65A00", "#E0A050"),
    "robust": ("#308A47", "#A6E22E"),
    "first": ("#0B4F9E", "#8CC4F7"),  # P, whose side of the witness is blue
    "second": ("#9A3B00", "#F5B371"),  # Q, whose side is orange
    "outlier": ("#C401C3", "#EF61B1"),
    "harm": ("#B3261E", "#F2B8B5"),
    "ground": ("#FBFBF9", "#14171C"),
}
ESTIMATES = ("kme", "skmse", "fkmse", "mkme", "mmkme")  # a lab shows one of these at a time
# The interface is black on white: a colour always stands for an estimator, a sample, an outlier or harm.
INK, SOFT, LINE = ("#1B1D1F", "#F0F1F2"), ("#565D63", "#A2ABB3"), ("#DEDED8", "#333A43")

# System fonts only: a page must look right without a network.
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', 'DejaVu Sans', sans-serif"


def colour(role: str, dark: bool = False) -> str:
    """Return the colour of a role, such as "#3F86F2".

    Parameters
    ----------
    role : str
        The role.
    dark : bool, default False
        Whether the background is dark.

    Returns
    -------
    str
        The colour.

    Raises
    ------
    KeyError
        If there is no such role.

    Examples
    --------
    >>> from explorer.marks import colour
    >>> colour("skmse"), colour("skmse", dark=True)
    ('#3F86F2', '#3D97F0')
    """
    if role not in ROLES:
        raise KeyError(f"There is no role {role!r}; a role that gives a colour is one of {', '.join(ROLES)}.")
    return ROLES[role][bool(dark)]


MORE, LESS = "#1F78C8", "#D9730D"  # colours of a function above 0 and below
STEPS = (0.1, 0.2, 0.31, 0.43, 0.56)  # opacities of these, from nearly 0 to the extreme
PALEST = 0.06  # opacity of the palest of a role's shades in the cells of a table
STRENGTHS = (0.08, 0.16, 0.25, 0.34, 0.43, 0.52, 0.61, 0.7, 0.8)  # opacities of a role's shades above 0
