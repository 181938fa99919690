"""Registry of the papers' data sets: shape, hash, citation, terms and cautions of each. It contains no data."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from explorer.checks import Refusal, WrongType
from explorer.printing import echo, printed


@printed
@dataclass(frozen=True)
class Entry:
    """Facts about one data set of n rows and d numeric columns, in a CSV file whose last column is the target.

    Attributes
    ----------
    name : str
        Name of the set.
    n : int
        Number of rows.
    d : int
        Number of numeric columns, or length of the strings.
    sha256 : str
        SHA-256 of the file's bytes, in hex.
    source : str
        Whom to cite.
    licence : str
        Terms of use.
    note : str, default ""
        Cautions.
    words : tuple of str, default ()
        Feature columns that hold words; X leaves them out.
    vectors : bool, default True
        False for n strings of d letters, in a CSV file of class and sequence.
    openml : int or None, default None
        Number of the same set on OpenML, or None if it has none.
    unused : tuple of str, default ()
        Columns that only OpenML's file has.
    codes : bool, default False
        Whether OpenML's file has words in place of the codes 1, 2, ... of this set, which number the words in their
        declared order.

    Examples
    --------
    >>> from explorer.datasets import REGISTRY, Entry
    >>> wine: Entry = REGISTRY["wine"]
    >>> wine.n, wine.d, wine.file, wine.licence
    (178, 13, 'wine.csv', 'CC BY 4.0 (UCI Machine Learning Repository terms)')
    """

    name: str
    n: int
    d: int
    sha256: str
    source: str
    licence: str
    note: str = ""
    words: tuple[str, ...] = ()
    vectors: bool = True
    openml: int | None = None
    unused: tuple[str, ...] = ()
    codes: bool = False

    @property
    def file(self) -> str:
        """Name of the set's file."""
        return f"{self.name}.csv"


UCI = "CC BY 4.0 (UCI Machine Learning Repository terms)"
LJUBLJANA = "M. Zwitter, M. Soklic, Inst. of Oncology, Ljubljana; I. Kononenko, B. Cestnik (donors), 1988"
RESTRICTED = "The donors ask for the citation; older UCI pages said restricted access."
_ENTRIES = (
    Entry(
        "ionosphere",
        351,
        34,
        "a9aadeed0d8bfcbbe3738de17771a11f13722a92a13c8ab12d446670a156903b",
        "V. Sigillito, Johns Hopkins APL; Sigillito et al., Johns Hopkins APL Tech. Digest 10, 1989",
        UCI,
        "Column a02 is constant.",
        openml=59,
    ),
    Entry(
        "sonar",
        208,
        60,
        "4f0f1d59c737f8efc3c12754360257972720397f172ee14a98892f8b41662923",
        "R. P. Gorman, T. J. Sejnowski, Neural Networks 1, 1988",
        UCI,
        openml=40,
    ),
    Entry(
        "australian",
        690,
        14,
        "852ac1a37c35dde0d8549367e9759db803e3ec88143f42dd2d83898d27bc0693",
        "Statlog, Australian Credit Approval; submitted by J. R. Quinlan",
        UCI,
        "Eight columns are codes; the donors had filled the missing cells.",
        openml=40981,
    ),
    Entry(
        "specft",
        267,
        44,
        "61fc90e74fc7a544bb86b8507dddd3c009e0ab4ca13d40ef19cc1174dad717f6",
        "SPECTF Heart; L. A. Kurgan, K. J. Cios et al., AI in Medicine 23(2), 2001",
        UCI,
        "80 training rows, then 187 test rows; copies of 349 rows hold the training rows twice.",
    ),
    Entry(
        "wdbc",
        569,
        30,
        "aeb962bf974bee1c8f316329e95016af0b5480b9a0f389e5e4f12f743907476b",
        "Breast Cancer Wisconsin (Diagnostic); W. H. Wolberg, W. N. Street, O. L. Mangasarian, 1995",
        UCI,
    ),
    Entry(
        "wine",
        178,
        13,
        "5c30f08d5e62450a9d716108a3721170996fde0ab12ed70318ebf57fc5c3098e",
        "M. Forina et al., PARVUS, Genoa; S. Aeberhard (donor), 1991",
        UCI,
    ),
    Entry(
        "satimage",
        6435,
        36,
        "d54da2fa42dfdee8af0461cc4816e7e6dcc46b3a26e6f6e87a6f56841611d82c",
        "Statlog, Landsat Satellite; A. Srinivasan (donor), 1993",
        UCI,
        "4435 training rows, then 2000 test rows.",
    ),
    Entry(
        "segment",
        2310,
        19,
        "ba41f2e659b85b083d0d58daa5b0a0e52e4b343d2de92a86142a9673bc13284d",
        "Image Segmentation; Vision Group, Univ. of Massachusetts, C. Brodley (donor), 1990",
        UCI,
        "Column region_pixel_count is constant; 224 rows repeat earlier ones.",
        openml=36,
    ),
    Entry(
        "vehicle",
        846,
        18,
        "21a44ae77ddeb1d90f202ad60615e849b5fbf0b6edb3c0a60e8c158de0342399",
        "Statlog, Vehicle Silhouettes; P. Mowforth, B. Shepherd, Turing Institute, 1987",
        UCI,
        openml=54,
    ),
    Entry(
        "svmguide2",
        391,
        20,
        "9ca60a47fb1e71511d68ab31c254b230995276270f47196f7dd17c5ade1be0cd",
        "C.-W. Hsu, C.-C. Chang, C.-J. Lin, A Practical Guide to Support Vector Classification, 2003",
        "none stated",
        "Unscaled; the column names are invented.",
    ),
    Entry(
        "vowel",
        990,
        10,
        "3e17530bbfd7cfc3de7ce7be0a9e5038acc6d98e710570a941f3a0be02ff9eb6",
        "Connectionist Bench, Deterding's vowels; D. Deterding, M. Niranjan, T. Robinson",
        UCI,
        "528 training rows, then 462 test rows.",
        openml=307,
        unused=("train_or_test", "speaker_number", "sex"),
    ),
    Entry(
        "housing",
        506,
        13,
        "9cf18937700bc020cba0624d386bd4f07f8faa784d9b0992012903deef071f92",
        "Boston Housing; D. Harrison, D. L. Rubinfeld, J. Environ. Economics & Management 5, 1978",
        "no explicit licence (StatLib, public)",
        "Column b builds in the assumption that segregation affects prices: only for the papers' tables, and no "
        "conclusion about housing.",
        openml=531,
    ),
    Entry(
        "bodyfat",
        252,
        14,
        "a1b7a3713edbb414c9a4e74d7a5fb344b310569478c41d370b801075fbd7c014",
        "K. W. Penrose, A. G. Nelson, A. G. Fisher, Med. Sci. Sports Exercise 17, 1985; R. W. Johnson, StatLib 1996",
        'A. G. Fisher "gave permission to freely distribute the data and use for non-commercial purposes"',
        "Density determines the target; row 42 has a height of 29.5 inches.",
        openml=560,
    ),
    Entry(
        "abalone",
        4177,
        7,
        "dd6df40bb81354b36f4a898c34f31de9b450dbf1d1243e690dbafc3b3df856b0",
        "W. J. Nash, T. L. Sellers, S. R. Talbot, A. J. Cawthorn, W. B. Ford, 1994; S. Waugh (donor), 1995",
        UCI,
        "Two rows have height 0.",
        words=("sex",),
        openml=183,
    ),
    Entry(
        "glass",
        214,
        9,
        "2f5e78a81cb78e76692c49e68c9f3576ea7393010a5e9ae131d7c078028b091e",
        "Glass Identification; B. German, V. Spiehler (donor), 1987",
        UCI,
        openml=41,
    ),
    Entry(
        "bupa",
        345,
        6,
        "a6fbbcc6cdb69f3646d55221a8dd413f02e491427660e8fa4a9efb34e89776fb",
        "Liver Disorders; BUPA Medical Research Ltd., R. S. Forsyth (donor), 1990",
        UCI,
        "The target is a selector of training rows, not a diagnosis (McDermott & Forsyth 2016).",
        openml=8,
    ),
    Entry(
        "lymphography",
        148,
        18,
        "e19232169edb1fc1682a3a6c4adc6a9a1d7b68ed4cba1ee123c981ea6583b4a4",
        LJUBLJANA,
        UCI,
        f"{RESTRICTED} Fifteen columns are codes.",
        openml=10,
        codes=True,
    ),
    Entry(
        "primary",
        339,
        17,
        "25fd82fd9488ea67c0315d79f15de1375e8a8e1aea1add2cd6958412fe43071a",
        f"Primary Tumor; {LJUBLJANA}",
        UCI,
        f"{RESTRICTED} Every column is a code; 225 cells are missing, 132 rows are complete.",
        openml=171,
        codes=True,
    ),
    Entry(
        "flag",
        194,
        25,
        "ccd444504d68599d74fdb6a7a8b3e2513f151d8edf810045e5fb0e2880d6fefc",
        "Flags; R. S. Forsyth (donor), 1990, from Collins Gem Guide to Flags, 1986",
        UCI,
        "Fifteen columns of X are codes; the target is the religion.",
        words=("mainhue", "topleft", "botright"),
    ),
    Entry(
        "hayes",
        160,
        4,
        "763af282b23e0c589e76de5b0a3284f5fd4fd8cd722aa12698050af346ab71ad",
        "B. and F. Hayes-Roth, 1977; D. Aha (donor), 1989",
        UCI,
        "Every column is a code; 132 training rows, then 28 test rows.",
    ),
    Entry(
        "eckerle4",
        35,
        1,
        "3cf14926a958a55448a481cad852c4e61fcdeef44f394c421876844ed2ccb77b",
        "NIST StRD Nonlinear Regression, Eckerle4; K. Eckerle, Circular Interference Transmittance Study, NIST",
        "public domain (work of the US Government)",
        "Pairs on a fixed grid of wavelengths, not an independent sample.",
    ),
    Entry(
        "splice",
        3190,
        60,
        "f8e1064f3a0a58583e71f3cb912bcdc030c7d3356ebd2f1df1b0bdce65adc1ea",
        "Splice-junction Gene Sequences; G. Towell, M. Noordewier, J. Shavlik (donors), 1992; GenBank 64.1",
        UCI,
        "Strings of 60 letters around a junction: EI exon to intron, IE intron to exon, N neither. 60 letters in 15"
        " strings are ambiguous bases, kept as letters of their own: N any base (56), D no C (2), R A or G (1), S C or"
        " G (1). 88 strings of EI, 95 of IE and 1 of N repeat earlier ones of their class.",
        vectors=False,
    ),
)
REGISTRY = {entry.name: entry for entry in _ENTRIES}


def find_entry(name: str) -> Entry:
    """Return the entry of a data set.

    Parameters
    ----------
    name : str
        Name of the set.

    Returns
    -------
    Entry
        The set's facts.

    Raises
    ------
    Refusal
        If there is no set of that name. The message suggests a similar name.
    WrongType
        If `name` is not a string.
    """
    if not isinstance(name, str):
        raise WrongType(f"load takes the name of a data set, such as 'wine', not {echo(name)}.")
    if name not in REGISTRY:
        close = get_close_matches(name.lower(), REGISTRY, n=1)
        meant = f" Did you mean {close[0]!r}?" if close else ""
        raise Refusal(f"There is no data set {echo(name)}.{meant} The known ones are {', '.join(sorted(REGISTRY))}.")
    return REGISTRY[name]
