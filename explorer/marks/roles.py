"""Colours stand for estimators, and for the two samples of a comparison; dash and marker repeat what they mean."""

# role: (on white, on the dark ground); each at least 3:1 on its ground and apart for colour-blind eyes
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
    "first": ("#0B4F9E", "#8CC4F7"),  # P, where its witness is blue
    "second": ("#9A3B00", "#F5B371"),  # Q, where that is orange
    "outlier": ("#C401C3", "#EF61B1"),
    "harm": ("#B3261E", "#F2B8B5"),
    "ground": ("#FBFBF9", "#14171C"),
}
ESTIMATES = ("kme", "skmse", "fkmse", "mkme", "mmkme")  # of which a lab shows one at a time
# the brand is ink on paper: a colour is an estimator's, a sample's, an outlier's or harm's, and nobody else's
INK, SOFT, LINE = ("#1B1D1F", "#F0F1F2"), ("#565D63", "#A2ABB3"), ("#DEDED8", "#333A43")

# system fonts only: a page must look right with no network at all
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', 'DejaVu Sans', sans-serif"


def colour(role: str, dark: bool = False) -> str:
    """The colour of a role, as "#3F86F2", on white or on the dark ground; KeyError for what is no role.

    >>> from explorer.marks import colour
    >>> colour("skmse"), colour("skmse", dark=True)
    ('#3F86F2', '#3D97F0')
    """
    return ROLES[role][bool(dark)]


MORE, LESS = "#1F78C8", "#D9730D"  # where a function is above 0, and below
STEPS = (0.1, 0.2, 0.31, 0.43, 0.56)  # how strong these are, from where it is nearly 0 to its extreme
STRENGTHS = (0.08, 0.16, 0.25, 0.34, 0.43, 0.52, 0.61, 0.7, 0.8)  # of the shades of a role above nothing
