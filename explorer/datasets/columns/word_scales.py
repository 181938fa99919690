"""Ordered scales of words: agreement, frequency, quality, sizes, weekdays, ranges such as 18-24, and others.

A scale is recognised by its words, in English and German. Letters such as A to F are not a scale: they may be names.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from explorer.checks import Refusal, WrongType, echo
from explorer.printing import join_list

from .spellings import match_name

if TYPE_CHECKING:
    from .table import Column, Table

Order: TypeAlias = Mapping[str, Sequence[str]] | None  # the words of a column in their order

FEWEST = 3  # fewest steps of a scale: the order of two words adds nothing to a test of their shares
MOST = 200  # most distinct words of a scale

# steps from the first to the last, with synonyms between bars
SCALES = (
    "never|nie|niemals; almost never|hardly ever|very rarely|very seldom|fast nie|kaum|sehr selten;"
    " rarely|seldom|selten|eher selten; occasionally|once in a while|now and then|gelegentlich|ab und zu;"
    " sometimes|half the time|about half the time|manchmal|hin und wieder; often|frequently|regularly|oft|häufig;"
    " very often|very frequently|usually|mostly|most of the time|sehr oft|sehr häufig|meistens|meist;"
    " almost always|nearly always|fast immer; always|all the time|immer|ständig",
    "never|nie|niemals; less often|less frequently|seltener; once a year|yearly|annually|jährlich;"
    " a few times a year|several times a year|mehrmals pro jahr|mehrmals im jahr; quarterly|vierteljährlich;"
    " once a month|monthly|monatlich; a few times a month|several times a month|biweekly|fortnightly|14 täglich"
    "|mehrmals im monat|mehrmals pro monat; once a week|weekly|wöchentlich;"
    " a few times a week|several times a week|mehrmals pro woche|mehrmals die woche|mehrmals in der woche;"
    " daily|every day|once a day|täglich; several times a day|multiple times a day|mehrmals täglich|mehrmals am tag;"
    " hourly|stündlich",
    "terrible|awful|horrible; very poor|very bad|sehr schlecht; poor|bad|schlecht; below average|eher schlecht;"
    " fair|ok|okay|average|acceptable|mediocre|mittelmäßig|mittel|teils teils|neutral|durchschnittlich;"
    " above average|eher gut; good|gut; very good|sehr gut; excellent|outstanding|exceptional|ausgezeichnet"
    "|hervorragend|exzellent",
    "sehr gut; gut; befriedigend; ausreichend; mangelhaft; ungenügend",
    "none|no|keine|kein|absent; minimal|trace|minimal ausgeprägt|very mild|sehr leicht; mild|slight|leicht|gering"
    "|leichtgradig; moderate|mäßig|mittel|mittelschwer|mittelgradig|moderat; severe|schwer|stark|schwergradig;"
    " very severe|sehr schwer|sehr stark; extreme|critical|extrem|lebensbedrohlich; fatal|tödlich",
    "none|no|keine|kein; extremely low|extrem niedrig; very low|sehr niedrig|sehr gering|lowest; low|niedrig|gering"
    "|tief; below normal|below average|lower|medium low|eher niedrig;"
    " medium|moderate|mid|middle|average|normal|mittel|mittelhoch|intermediate|med;"
    " above normal|above average|higher|medium high|eher hoch|elevated|erhöht; high|hoch; very high|sehr hoch;"
    " extremely high|extrem hoch|urgent|dringend|critical|kritisch|highest",
    "tiny|very small|sehr klein|winzig; small|klein; medium|mid sized|medium sized|mittel|mittelgroß;"
    " large|big|groß|gross; very large|extra large|sehr groß|huge|enormous|riesig",
    "xxxs|3xs; xxs|2xs; xs|extra small; s|small; m|medium; l|large; xl|extra large; xxl|2xl; xxxl|3xl; xxxxl|4xl; 5xl",
    "none|keine|kein|nothing|nichts; very few|very little|sehr wenig|sehr wenige; few|a few|little|a little|wenig"
    "|wenige; some|several|etwas|einige|mehrere; many|much|a lot|lots|viel|viele; most|very many|sehr viel"
    "|sehr viele|die meisten; all|everything|alle|alles",
    "not at all|not|gar nicht|überhaupt nicht|nicht; hardly|barely|kaum; a little|slightly|a bit|a little bit|wenig"
    "|ein wenig|etwas|ein bisschen; somewhat|einigermaßen; moderately|fairly|mittelmäßig|mäßig;"
    " quite|quite a bit|quite a lot|ziemlich|considerably; very|very much|a lot|a great deal|mostly|sehr|stark;"
    " extremely|completely|totally|entirely|äußerst|extrem|völlig|voll und ganz",
    "mon|monday|mo|montag; tue|tues|tuesday|di|die|dienstag; wed|wednesday|mi|mit|mittwoch;"
    " thu|thur|thurs|thursday|do|don|donnerstag; fri|friday|fr|fre|freitag; sat|saturday|sa|sam|samstag|sonnabend;"
    " sun|sunday|so|son|sonntag",
    "jan|january|januar|jän|jänner; feb|february|februar; mar|march|mär|mrz|märz; apr|april; may|mai; jun|june|juni;"
    " jul|july|juli; aug|august; sep|sept|september; oct|october|okt|oktober; nov|november; dec|december|dez|dezember",
    "spring|frühling|frühjahr; summer|sommer; autumn|fall|herbst; winter",
    "early morning|frühmorgens; morning|morgens|morgen|früh; late morning|vormittag|vormittags; noon|midday|mittag"
    "|mittags; afternoon|nachmittag|nachmittags; evening|abend|abends; night|nacht|nachts",
    "beginner|novice|anfänger|anfängerin; elementary|grundkenntnisse; intermediate|fortgeschritten|fortgeschrittene;"
    " upper intermediate; advanced|weit fortgeschritten; expert|proficient|experte|expertin; native",
    "intern|trainee|praktikant; junior; mid|mid level|intermediate|regular; senior; lead; principal|staff",
    "bronze; silver|silber; gold; platinum|platin; diamond|diamant",
    "economy; premium economy|economy plus; business|business class; first|first class",
    "debug; info|information; notice; warn|warning|warnung; error|fehler; critical|fatal|alert",
    "very cold|freezing|sehr kalt|eisig; cold|kalt; cool|kühl; mild|lukewarm|lau; warm; hot|heiß; very hot|sehr heiß",
    "very slow|sehr langsam; slow|langsam; medium|moderate|normal|mittel; fast|quick|schnell; very fast|sehr schnell",
    "very young|sehr jung; young|jung; middle aged|mittleren alters|mittel; old|alt; very old|sehr alt",
    "baby|infant|säugling; toddler|kleinkind; child|kind|kinder|children; teen|teenager|adolescent|youth|jugendlich"
    "|jugendlicher|jugendliche; young adult|young adults|junge erwachsene; adult|adults|erwachsen|erwachsener"
    "|erwachsene; senior|seniors|elderly|senioren",
    "before|pre|baseline|vorher; during|während; after|post|nachher; follow up|followup",
    "none|no formal education|no education|no degree|no schooling; primary|primary school|elementary"
    "|elementary school|primary education; lower secondary|middle school|some high school|some secondary;"
    " secondary|high school|secondary school|secondary education|upper secondary|high school diploma"
    "|high school graduate|hs grad; some college|some university; associate|associates|associate degree"
    "|associates degree|associate s degree;"
    " bachelor|bachelors|bachelor s|bachelor degree|bachelors degree|bachelor s degree|undergraduate|college"
    "|college degree|university; master|masters|master s|master degree|masters degree|master s degree|graduate"
    "|postgraduate; phd|ph d|doctorate|doctoral|doctoral degree|doctorate degree",
    "kein abschluss|ohne abschluss|kein schulabschluss|ohne schulabschluss; hauptschule|hauptschulabschluss|volksschule"
    "|volksschulabschluss; realschule|realschulabschluss|mittlere reife|mittlerer schulabschluss|mittlerer abschluss;"
    " fachhochschulreife|fachabitur; abitur|hochschulreife|allgemeine hochschulreife|gymnasium|matura;"
    " bachelor; master|diplom|magister|staatsexamen; promotion|doktor|promoviert",
)
NEITHER = (
    "neutral|neither|undecided|unsure|neither nor|mixed|no preference|teils teils|teilweise|weder noch|unentschieden"
    "|mittel|neither agree nor disagree|neither disagree nor agree|neither satisfied nor dissatisfied"
    "|neither dissatisfied nor satisfied|neither likely nor unlikely|neither unlikely nor likely|about the same"
    "|the same|same|no change|unchanged|gleich|unverändert|gleich geblieben|trifft teilweise zu|trifft teils teils zu"
    "|stimme teilweise zu|stimme teils teils zu|stimme weder zu noch nicht zu|neither easy nor difficult|partly"
    "|neither important nor unimportant|neither agree or disagree|neither satisfied or dissatisfied"
)
POLES = (  # the words for both ends of a scale around a middle
    ("disagree", "agree"),
    ("dissatisfied|unsatisfied|not satisfied", "satisfied"),
    ("unlikely|not likely", "likely"),
    ("unhappy", "happy"),
    ("unimportant|not important", "important"),
    ("difficult|hard", "easy"),
    ("negative", "positive"),
    ("unfavorable|unfavourable", "favorable|favourable"),
    ("oppose", "support"),
    ("oppose", "favor|favour"),
    ("uncomfortable", "comfortable"),
    ("unsafe", "safe"),
    ("worse", "better"),
    ("decreased", "increased"),
    ("unzufrieden|nicht zufrieden", "zufrieden"),
    ("unwahrscheinlich", "wahrscheinlich"),
    ("unwichtig|nicht wichtig", "wichtig"),
    ("schwierig|schwer", "einfach|leicht"),
    ("unglücklich", "glücklich"),
    ("negativ", "positiv"),
    ("schlechter", "besser"),
    ("dagegen", "dafür"),
)
FARTHER = (  # the words before a pole, from the middle outwards
    "somewhat|slightly|rather|a little|a bit|mildly|tend to|moderately|eher|etwas|ein wenig|partly",
    "",
    "mostly|largely|generally|überwiegend",
    "strongly|very|much|very much|highly|a lot|sehr|stark|viel",
    "completely|totally|entirely|fully|extremely|absolutely|völlig|äußerst|extrem|vollkommen|voll und ganz|voll",
)
GERMAN = tuple(
    f"{verb} überhaupt nicht zu|{verb} gar nicht zu|{verb} absolut nicht zu; {verb} nicht zu;"
    f" {verb} eher nicht zu|{verb} kaum zu|{verb} wenig zu; {NEITHER}; {verb} eher zu|{verb} ziemlich zu;"
    f" {verb} zu|{verb} überwiegend zu; {verb} voll zu|{verb} voll und ganz zu|{verb} völlig zu|{verb} sehr zu"
    f"|{verb} vollkommen zu|{verb} genau zu|{verb} vollständig zu"
    for verb in ("stimme", "trifft")
)
UNIPOLAR = (
    "satisfied important likely concerned worried confident interested familiar useful helpful difficult easy happy"
    " anxious painful effective comfortable safe clear relevant tired stressed zufrieden wichtig wahrscheinlich"
    " interessiert hilfreich nützlich besorgt schwierig belastet"
)
UNIPOLAR_STEPS = (
    "not at all {0}|not {0} at all|not {0}|überhaupt nicht {0}|gar nicht {0}|nicht {0};"
    " not very {0}|not so {0}|hardly {0}|wenig {0}|kaum {0}|weniger {0}|eher nicht {0};"
    " slightly {0}|a little {0}|etwas {0}|ein wenig {0}; somewhat {0}|teilweise {0}|mittelmäßig {0}|eher {0};"
    " moderately {0}|fairly {0}|mäßig {0}; {0}|quite {0}|ziemlich {0}; very {0}|sehr {0};"
    " extremely {0}|completely {0}|äußerst {0}|extrem {0}"
)
UNANSWERED = frozenset(
    (
        "don t know|dont know|do not know|dk|no answer|no response|not answered|not applicable|n a|na|prefer not to say"
        "|prefer not to answer|rather not say|refused|refusal|unknown|not known|no opinion|not stated|not specified"
        "|missing|not available|weiß nicht|weiss nicht|keine angabe|k a|keine antwort|unbekannt|nicht zutreffend"
        "|verweigert|keine meinung|weiß ich nicht|kann ich nicht beurteilen"
    ).split("|")
)
ORDINALS = (
    "first|erste|erster|erstes; second|zweite|zweiter|zweites; third|dritte|dritter|drittes;"
    " fourth|vierte|vierter; fifth|fünfte|fünfter; sixth|sechste; seventh|siebte; eighth|achte; ninth|neunte;"
    " tenth|zehnte"
)
ROMAN = {name: k for k, name in enumerate("i ii iii iv v vi vii viii ix x xi xii".split(), 1)}
FRAMES = frozenset(
    (
        "q quarter quartal h half hj halbjahr star stars stern sterne class klasse kl level lvl stage stadium grade"
        " grad pflegegrad schweregrad tier year jahr jahrgang yr week woche kw wk day tag month monat phase step"
        " schritt stufe klassenstufe jahrgangsstufe semester trimester tertile terzil quartile quartil"
        " quintile quintil decile"
        " dezil rank rang place platz priority prio score punkt punkte point points visit visite wave welle round runde"
        " generation gen form floor stock children kinder child kind room rooms zimmer person persons people personen"
        " times mal asa nyha"
    ).split()
)
NUMBER = r"[+-]?\d+(?:[.,\s\u202f]\d{3})*(?:[.,]\d+)?\s?[km]?"
BETWEEN = r"(?:-|\u2013|\u2014|\.\.\.?|\u2026|to|bis|through|and|und|/)"
RANGE = re.compile(rf"(?:between |zwischen |from |von |ab )?({NUMBER})\s*{BETWEEN}\s*({NUMBER})")
BELOW = re.compile(
    rf"(?:<=?|\u2264|under|below|less than|fewer than|up to|at most|younger than|unter|bis zu|bis|weniger als"
    rf"|höchstens|unterhalb von|jünger als|max\.?)\s*({NUMBER})"
    rf"|({NUMBER})\s*(?:and|or|und|oder) (?:younger|less|fewer|below|under|jünger|weniger)"
)
ABOVE = re.compile(
    rf"(?:>=?|\u2265|over|above|more than|older than|at least|\u00fcber|ab|mehr als|mindestens|\u00e4lter als|min\.?)"
    rf"\s*({NUMBER})"
    rf"|({NUMBER})\s*(?:\+|plus|(?:and|or|und|oder|&) (?:older|more|over|above|up|\u00e4lter|mehr|dar\u00fcber))"
)
OLDER = re.compile(rf"^({NUMBER})\s*([a-z\u00e4\u00f6\u00fc.]+)\s+((?:and|or|und|oder) [a-z\u00e4\u00f6\u00fc]+)$")
POINT = re.compile(f"({NUMBER})")
LABELLED = re.compile(r"[(\[]?([+-]?\d+)(?:[)\].:=]|\s*[-\u2013=:]|\s)?\s*(.*)")


class WordOrder(NamedTuple):
    """The levels of a category in order.

    Attributes
    ----------
    levels : tuple of str
        All levels. Those on the scale come first.
    ordered : int
        Number of levels on the scale. The others are answers such as "don't know", which have no place on it.
    """

    levels: tuple[str, ...]
    ordered: int


def word_order(columns: Sequence[Column]) -> WordOrder | None:
    """Return the order of the words of a column, or None if they have none; `columns` has the column of each table.

    It is the order that the user or the table gives, or that of a scale to which all words belong, apart from answers
    such as "don't know". Nothing depends on which table a row is from.
    """
    words = set().union(*(column.times.keys() - column.gaps for column in columns))
    given = sorted({column.order for column in columns if column.order}, key=lambda order: (-len(order), order))
    if given:
        whole = next((order for order in given if words <= set(order)), None)
        alike = whole is not None and all(_is_part(order, whole) for order in given)
        if whole is None or not alike:
            return None
        levels = tuple(word for word in whole if word in words)
        return WordOrder(levels, len(levels))
    if len(words) > MOST:
        return None
    answers = {word for word in words if normalise_answer(word) not in UNANSWERED}
    steps = scale_steps(answers)
    if steps is None:
        return None
    on = sorted(answers, key=lambda word: (steps[word], word))
    return WordOrder((*on, *sorted(words - answers)), len(on))


def scale_steps(words: Collection[str]) -> dict[str, float] | None:
    """Return the step of each word on a scale that contains all words, or None if no scale does.

    The words have to be at three steps at least.

    Examples
    --------
    >>> from explorer.datasets.columns.word_scales import scale_steps
    >>> scale_steps(["high", "low", "medium"])
    {'high': 7, 'low': 3, 'medium': 5}
    >>> scale_steps(["red", "green", "blue"])
    """
    short = {word: normalise_answer(word) for word in words}
    if len(words) < FEWEST or max(map(len, short.values())) > LONGEST:
        return None
    for scale in KNOWN:
        if all(word in scale for word in short.values()):
            return _if_enough_steps({word: scale[each] for word, each in short.items()})
    return _if_enough_steps(_numbered(short)) or _if_enough_steps(_ranges(words)) or _if_enough_steps(_labelled(words))


def with_orders(tables: Sequence[Table], order: Order, others: Collection[str]) -> list[Table]:
    """Return the tables with the orders of words that the user gives for some columns.

    Parameters
    ----------
    tables : sequence of Table
        The tables.
    order : mapping of str to sequence of str, or None
        The words of some columns in their order, or None for no order.
    others : collection of str
        Names of the user's columns that are not compared, for messages.

    Returns
    -------
    list of Table
        The tables, in the same order.

    Raises
    ------
    Refusal
        If no table has the column, the column is not compared or has numbers, a word occurs twice, or the order lacks
        words of the column.
    WrongType
        If an order is not a list of words.
    """
    if order is None:
        return list(tables)
    columns_by_name = tables[0].by_name
    wanted = {match_name(name, columns_by_name) or name: _check_order(name, words) for name, words in order.items()}
    for name, words in wanted.items():
        if name not in columns_by_name:
            problem = "is not compared" if name in others else "is in no table"
            names = join_list(map(echo, tables[0].by_name), 200)
            raise Refusal(f"order names column {echo(name)}, which {problem}; the columns are {names}.")
        columns = [table.by_name[name] for table in tables]
        if any(column.numbers is not None for column in columns):
            raise Refusal(f"column {echo(name)} holds numbers, which have an order; give orders of words alone.")
        lacking = set().union(*(column.times.keys() - column.gaps for column in columns)) - set(words)
        if lacking:
            what = f"order has {len(words)} words for column {echo(name)}, and not"
            what += f" {join_list(map(echo, sorted(lacking)), 200)}"
            raise Refusal(f"{what}; give all words of the column in their order.")
    return [table.with_orders(wanted) for table in tables]


def normalise_answer(word: str) -> str:
    """Return a word in lower case, with single blanks between its parts and without points and hyphens."""
    return " ".join(re.sub(r"[^\w%+]+|_", " ", word.casefold()).split())


def _check_order(name, words):
    """Return the words of an order as a tuple, or refuse what is not a list of unique words."""
    if isinstance(words, str) or not all(isinstance(word, str) for word in words):
        raise WrongType(f"order must give column {echo(name)} a list of words, not {echo(words)}.")
    twice = next((word for k, word in enumerate(words) if word in words[:k]), None)
    if twice is not None or not words:
        what = f"names {echo(twice)} twice" if words else "is empty"
        raise Refusal(f"the order of column {echo(name)} {what}; give each of its words once.")
    return tuple(words)


def _is_part(order, whole):
    """Return whether the words of an order come in the order of another one."""
    places = {word: k for k, word in enumerate(whole)}
    positions = [places[word] for word in order if word in places]
    return positions == sorted(positions)


def _if_enough_steps(steps):
    """Return the steps if there are enough for a scale, or None."""
    return steps if steps and len(set(steps.values())) >= FEWEST else None


def _scale(text: str) -> dict[str, float]:
    """Return the step of each word of a scale, written with semicolons between steps and bars between synonyms."""
    each = enumerate(text.split(";"))
    return {normalise_answer(word): step for step, words in each for word in words.split("|")}


def _around(low: str, high: str) -> dict[str, float]:
    """Return the scale between two poles."""
    steps = _scale(NEITHER)
    for sign, pole in ((-1, low), (1, high)):
        for distance, before in enumerate(FARTHER, 1):
            for lead in before.split("|"):
                steps |= {f"{lead} {word}".strip(): sign * distance for word in pole.split("|")}
                steps |= {f"{word} {lead}".strip(): sign * distance for word in pole.split("|")}
    return steps


def _numbered(short):
    """Return the numbers of words that are a number in one frame, as in 1st class, Q2 or stage III, or None."""
    numbers_of: dict[str, float] = {}
    frames = set()
    for word, text in short.items():
        parts = re.sub(r"(?<=[a-zäöü])(?=\d)|(?<=\d)(?=stars?\b|sterne?\b)", " ", text).split()
        numbers = [number for number in map(_ordinal, parts) if number is not None]
        if len(numbers) != 1 or len(parts) > 2:
            return None
        numbers_of[word] = numbers[0]
        frames.add(" ".join(part for part in parts if _ordinal(part) is None))
    known = {frame for frame in frames if frame}
    bare = not known and all(text[:1].isalpha() or text[-1:].isalpha() for text in short.values())
    singular = {frame.rstrip("s").rstrip("e") for frame in known}
    if not bare and not (known <= FRAMES and len(singular) == 1 and len(frames) == len(known)):
        return None
    return None if bare and all(text in ROMAN for text in short.values()) else numbers_of


def _ordinal(part):
    """Return the number that a part of a word is, such as 2, 2nd, second or II, or None."""
    if match := re.fullmatch(r"(\d{1,4})(?:st|nd|rd|th|te|ter|tes)?", part):
        return float(match[1])
    return ORDINAL.get(part, ROMAN.get(part))


def _ranges(words: Iterable[str]) -> dict[str, float] | None:
    """Return the ranks of ranges that follow each other, such as <18, 18-24, 25+, or None for other words."""
    ends_of: dict[str, tuple[float, float]] = {}
    units, ranges = set(), 0
    for word in words:
        read = _range(word)
        if read is None:
            return None
        low, high, unit = read
        ends_of[word] = low, high
        units.add(re.sub(r"(s|e|en)$", "", unit)) if unit else None
        ranges += math.isfinite(low) and math.isfinite(high) and low < high
    order = sorted(ends_of.values())
    apart = all(later[0] >= earlier[1] and later != earlier for earlier, later in pairwise(order))
    if not ranges or len(units) > 1 or not apart:
        return None
    return {word: float(order.index(ends)) for word, ends in ends_of.items()}


def _range(word: str) -> tuple[float, float, str] | None:
    """Return (lower end, upper end, unit) of a range, or None if a word is not a range."""
    text = re.sub(r"[$\u20ac\u00a3%]|\s+", lambda match: " " if match[0].isspace() else "", word.casefold()).strip()
    text = OLDER.sub(r"\1 \3 \2", text)
    for form, ends in ((RANGE, _both), (BELOW, _upper), (ABOVE, _lower), (POINT, _point)):
        match = form.match(text)
        if match:
            rest = text[match.end() :].strip(" .")
            numbers = [_number(each) for each in match.groups() if each]
            if any(each is None for each in numbers) or re.search(r"\d", rest):
                return None
            low, high = ends(*numbers)
            rest = re.sub(r"^(and|or|und|oder)? ?(older|more|over|above|younger|less|under)$", "", rest)
            return (low, high, rest) if low <= high else None
    return None


def _both(low, high):
    """Return the ends of a range that has both."""
    if high < low and low >= 1000 and high == (low + 1) % 100:  # a season, as in 2019/20
        high = low + 1
    return low, high


def _upper(x):
    """Return the ends of a range that has only an upper one."""
    return -math.inf, x


def _lower(x):
    """Return the ends of a range that has only a lower one."""
    return x, math.inf


def _point(x):
    """Return the ends of a single number."""
    return x, x


def _number(text):
    """Return a number with marks between thousands, k or m, or None if a text is not a number."""
    text = text.strip()
    factor = {"k": 1e3, "m": 1e6}.get(text[-1:], 1.0)
    digits = text.rstrip("km").strip()
    if re.fullmatch(r"[+-]?\d{1,3}([.,\s\u202f]\d{3})+", digits):
        digits = re.sub(r"[.,\s\u202f]", "", digits)
    try:
        return factor * float(digits.replace(",", "."))
    except ValueError:
        return None


def _labelled(words: Iterable[str]) -> dict[str, float] | None:
    """Return the numbers of words such as 1 - never, 2, 3 - always, if their texts are of one scale, or None."""
    numbers, texts = {}, {}
    for word in words:
        match = LABELLED.fullmatch(word.strip())
        if not match:
            return None
        numbers[word] = float(match[1])
        if match[2]:
            texts[normalise_answer(match[2])] = numbers[word]
    if len(texts) < 2 or len(set(numbers.values())) < len(numbers):
        return None
    scale = next((scale for scale in KNOWN if all(text in scale for text in texts)), None)
    if scale is None:
        return None
    steps = [scale[text] for text in sorted(texts, key=lambda text: texts[text])]
    return numbers if steps in (sorted(steps), sorted(steps, reverse=True)) else None


KNOWN = (
    *map(_scale, SCALES),
    *(_around(*poles) for poles in POLES),
    *map(_scale, GERMAN),
    *(_scale(UNIPOLAR_STEPS.format(word)) for word in UNIPOLAR.split()),
)
ORDINAL = {word: step + 1 for word, step in _scale(ORDINALS).items()}
LONGEST = max(len(word) for scale in KNOWN for word in scale) + 20
