"""Kernels and estimators in a user's folder in the menus of labs, and those of the package beyond the usual ones.

The folder is named by the variable EXPLORER_MODELS of a separate process: it gives lab classes further fields.
"""

import json
import os
import re
import subprocess
import sys
from urllib.parse import urlencode

import numpy as np
import pytest
from helpers.naming import names_all, naming

from explorer import Estimator
from explorer.kernels import Gaussian, Linear, Matern
from explorer.labs.kernel_pca import KernelPCALab
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.twosample import TwoSampleLab
from explorer.labs.twosample.ranks import RANKS
from explorer.parameters import LogNumber, Real, Stops, Whole
from explorer.workbench import menu_models
from explorer.workbench.kernels import kernel_words
from explorer.workbench.slider_stops import steps_of

KERNEL = """
import numpy as np
from scipy.spatial.distance import cdist
from explorer import Kernel
from explorer.parameters import LogNumber

class Cauchy(Kernel):
    label = "Cauchy <b>&"
    bounded = characteristic = universal = True
    bandwidth: float = LogNumber(default=1.0, bounds=(1e-150, 1e150), softbounds=(0.01, 10), symbol="θ", doc="scale")

    def pairs(self, X, Y=None):
        return cdist(X, X if Y is None else Y, "sqeuclidean")

    def of_pairs(self, S):
        return 1 / (1 + S / self.bandwidth**2)

    def diagonal(self, X):
        return np.ones(len(self.points(X)))
"""
ESTIMATOR = """
import numpy as np
from explorer import Embedding, Estimator
from explorer.parameters import Choice, Flag, Real, Whole

class TrimmedKME(Estimator):
    label = "<b>trimmed</b> & KME"
    share: float = Real(default=0.1, bounds=(0, 0.5), symbol="s", doc="the share of the points that is left out")
    among: int = Choice(default=1, objects=[1, 2, 4], doc="a choice of numbers")
    rule: str = Choice(default="mean", objects=["mean", "median"], doc="from what points are far")
    power: int = Whole(default=2, bounds=(1, None), doc="power of the distance")
    strict: bool = Flag(default=False, doc="whether ties are left out")

    def _check(self):
        if self.share == 0.5 and self.rule == "median":
            raise ValueError("half of the points have no median rule")

    def embed(self, X):
        kernel, X, K = self._gram(X)
        square = K.diagonal() - 2 * K.mean(axis=1) + K.mean()
        kept = square <= np.quantile(square, 1 - self.share) + 1e-12 * K.diagonal().max()
        return Embedding(kernel, X, kept / kept.sum())
"""
FAULTY = """
import numpy as np
from explorer import Embedding, Estimator, Kernel

class Silent(Estimator):
    def embed(self, X):
        return None

class Loud(Estimator):
    label = "line one\\nline two"

class Taken(Estimator):
    label = "S-KMSE"

class Straight(Kernel):
    label = "linear"

class Lopsided(Estimator):
    label = "every second row"
    def embed(self, X):
        kernel, X = self._kernel(X)
        return Embedding(kernel, X[::2], np.full(len(X[::2]), 1 / len(X[::2])))

class Fails(Estimator):
    label = "fails"
    def embed(self, X):
        raise ZeroDivisionError("<script>")

class Skewed(Kernel):
    label = "skewed"
    def pairs(self, X, Y=None):
        return X @ (X if Y is None else Y).T
    def of_pairs(self, S):
        return S + [[float(j) for j in range(S.shape[1])]]
    def diagonal(self, X):
        return (X**2).sum(axis=1)
"""
LABEL = "<b>trimmed</b> & KME"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    sources = {"cauchy": KERNEL, "trimmed": ESTIMATOR, "faulty": FAULTY, "broken": "raise SystemExit('no')\n"}
    for name, source in sources.items():
        (folder / f"{name}.py").write_text(source, encoding="utf-8")
    return folder


def in_a_process(code, folder=None):
    """Run code in a process and return (its last line, as JSON; its log)."""
    environment = {**os.environ, "EXPLORER_MODELS": str(folder or "")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1]), done.stderr


STATES = """
import contextlib, io, json
from explorer.workbench import registry
from explorer.workbench.links import address
LABEL = "<b>trimmed</b> & KME"
states = {
    "shrinkage": [
        {"beside": LABEL, "TrimmedKME_share": 0.2, "kernel": "Matern"},
        {"beside": LABEL, "kernel": "Cauchy", "Cauchy_bandwidth": 2.0, "source": "wine"},
    ],
    "twosample": [
        {"kernel": "Cauchy", "Cauchy_bandwidth": 0.7, "estimator": LABEL, "TrimmedKME_share": 0.25,
         "statistic": "biased", "n": 20, "m": 20, "permutations": "199"},
    ],
    "kernel_pca": [{"kernel": "Cauchy", "variant": "TrimmedKME-centred", "TrimmedKME_among": 4.0, "n": 20}],
    "density": [{"estimator": LABEL, "TrimmedKME_strict": True, "n": 20, "iteration": 5, "picture": "blobs"}],
}
def numbers(name, r):
    if name == "shrinkage":
        return [1.0, 1 - r.gain(r.simple), 1 - r.gain(r.flexible), r.beside.loss]
    if name == "twosample":
        return [r.statistic, r.pvalue]
    return [*r.look.shares] if name == "kernel_pca" else [r.held_nll, r.away]
def copied(name, space):
    if name == "shrinkage":
        return list(space["losses"].values())
    if name == "twosample":
        return [space["result"].statistic, space["result"].pvalue]
    shown = space["shown"]
    return [*shown["shares"]] if name == "kernel_pca" else [shown["nll"], shown["distance"]]
said = []
for name, each in states.items():
    for fields in each:
        lab = registry.entry(name).lab(**fields)
        result, space = lab.result(), {}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(registry.role(name, "script").python(result), space)
        back, refused = type(lab).from_flat(lab.flat())
        words = registry.role(name, "words")
        told = str(words.headline(result, result.row)) + str(words.caption(result))
        said.append({"name": name, "page": list(map(float, numbers(name, result))),
                     "copied": list(map(float, copied(name, space))), "back": back == lab, "refused": refused,
                     "address": address(name, lab), "told": told})
print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def states(folder):
    return in_a_process(STATES, folder)


@pytest.mark.thorough
def test_copied_python_gives_the_numbers_of_each_lab_and_links_come_back(states):
    assert {each["name"] for each in states[0]} == {"shrinkage", "twosample", "kernel_pca", "density"}
    for each in states[0]:
        np.testing.assert_allclose(each["page"], each["copied"], rtol=1e-9, atol=1e-12)  # refits in another order
        assert each["back"]
        assert each["refused"] == []
        assert "TrimmedKME" in each["address"] or "trimmed" in each["address"]


@pytest.mark.thorough
def test_a_hostile_label_is_text_wherever_it_is_said(states):
    assert any("&lt;b&gt;" in each["told"] for each in states[0])
    assert all("<b>trimmed" not in each["told"] and "Cauchy <b>" not in each["told"] for each in states[0])


@pytest.mark.thorough
def test_a_page_with_them_is_exported_to_one_file(folder, tmp_path):
    out, words = tmp_path / "out.html", urlencode({"kernel": "Cauchy", "estimator": LABEL, "statistic": "biased"})
    code = f"""
import json
from explorer.__main__ import main
main(["export", "twosample", "--link", {words + "&n=12&m=12&permutations=199"!r}, "-o", {str(out)!r}])
print(json.dumps(True))
"""
    in_a_process(code, folder)
    text = out.read_text(encoding="utf-8")
    assert "from explorer.models.cauchy import Cauchy" in text
    assert "<b>trimmed" not in text.partition("<script")[0]


@pytest.mark.thorough
def test_what_cannot_be_offered_is_told_in_a_sentence_each(states):
    log = states[1]
    assert re.search(naming("explorer.models.broken"), log)
    for name, why in {
        "Silent": "it has no label",
        "Loud": "letters that can be printed",
        "Taken": "there is already one that is called 'S-KMSE'",
        "Straight": "there is already one that is called 'linear'",
        "Fails": "ZeroDivisionError: <script>",
        "Skewed": "its Gram matrix is not symmetric",
    }.items():
        line = next(line for line in log.splitlines() if f"faulty.{name} is in no menu" in line)
        assert why in line
    [line] = [line for line in log.splitlines() if "faulty.Lopsided" in line]  # it is in the menus
    assert names_all(line, "fails a check", "order of the rows", "check_estimator")
    assert "no reason given" not in log


class Chosen(Estimator):
    label, free = "chosen", "lam"
    lam: float | None = LogNumber(
        default=None, allow_None=True, bounds=(0, None), softbounds=(1e-2, 1e2), symbol="λ", doc="the ridge"
    )


def test_a_page_has_a_value_for_what_refits_would_choose():
    """The base class chooses by many refits, which a page does not wait for."""
    fields = menu_models._fields(menu_models.offer(Chosen, "chosen"))
    assert (fields["Chosen_lam"].default, fields["Chosen_lam"].allow_None) == (1.0, False)
    assert (Chosen.fields["lam"].default, Chosen.fields["lam"].allow_None) == (None, True)


PAGES = """
import json
from explorer.pages import page_class
LABEL = "<b>trimmed</b> & KME"
opened = {
    "shrinkage": {"beside": LABEL, "source": "wine", "kernel": "Cauchy"},
    "twosample": {"kernel": "Cauchy", "estimator": LABEL, "statistic": "biased", "n": "15", "m": "15"},
    "kernel_pca": {"kernel": "Cauchy", "variant": "TrimmedKME-centred", "n": "15"},
    "density": {"estimator": LABEL, "n": "15"},
}
said = {}
for name, words in opened.items():
    page = page_class(name)(words)
    page.move("TrimmedKME_share", TrimmedKME_share=0.3)
    moved = page.lab.TrimmedKME_share
    page.navigation.undo()
    said[name] = {"sliders": [n for n in page.sliders if n.partition("_")[0] in ("TrimmedKME", "Cauchy")],
                  "stops": list(page.sliders["TrimmedKME_share"].slider.options.values()),
                  "label": page.sliders["TrimmedKME_share"].slider.label, "moved": moved,
                  "undone": page.lab.TrimmedKME_share, "menus": [n for n in page.choice if n.startswith("Trimmed")],
                  "kernels": list(page.choice["kernel"].options.values()) if "kernel" in page.choice else [],
                  "swept": [n for n in type(page.lab).labelled() if n.startswith("TrimmedKME")]}
page = page_class("shrinkage")({})
said["law"] = list(page.choice["kernel"].options.values())
page.move("kernel", kernel="Cauchy")
said["refused"] = [page.lab.kernel, str(page.chrome.notice.object)]
from explorer.labs import LabStudy
study = LabStudy("twosample", estimator=LABEL, statistic="biased", n=15, m=15, permutations="199")
said["study"] = [study(seed=1, TrimmedKME_share=share)["MMD squared"] for share in (0.0, 0.3)]
from explorer.labs.twosample import TwoSampleLab
said["half"] = TwoSampleLab.from_flat({"estimator": LABEL, "statistic": "biased", "TrimmedKME_share": "0.5",
                                       "TrimmedKME_rule": "median"})[1]
print(json.dumps(said))
"""


@pytest.mark.thorough
def test_each_page_has_a_slider_for_each_parameter_and_undo_moves_it_back(folder):
    said, _ = in_a_process(PAGES, folder)
    for name in ("shrinkage", "twosample", "kernel_pca", "density"):
        page = said[name]
        assert {"TrimmedKME_share", "TrimmedKME_power", "TrimmedKME_among"} <= set(page["sliders"])
        assert ("Cauchy_bandwidth" in page["sliders"]) == (name != "density")
        assert page["menus"] == ["TrimmedKME_rule", "TrimmedKME_strict"]
        assert (page["stops"][0], page["stops"][-1], page["label"]) == (0.0, 0.5, "s share")
        assert (page["moved"], page["undone"]) == (0.3, 0.1)
        assert len(page["swept"]) == 5
        assert ("Cauchy" in page["kernels"]) == (name != "density")
    assert "Cauchy" not in said["law"]  # it has no expectations under Gaussians, so no loss of a distribution
    assert said["refused"][0] == "RBF"
    assert "Cauchy &lt;b&gt;&amp;" in said["refused"][1]
    assert said["study"][0] != said["study"][1]
    assert any(names_all(sentence, "parameters") for sentence in said["half"])


def test_a_folder_that_is_added_stands_in_menus_and_in_processes_that_follow(folder):
    code = f"""
import json, os
from explorer.labs.twosample import TwoSampleLab
from explorer.workbench.links import settings
before = TwoSampleLab()
import explorer.models
explorer.models.add_folder({str(folder)!r})
explorer.models.add_folder({str(folder)!r})
lab = TwoSampleLab(kernel="Cauchy", Cauchy_bandwidth=0.5)
before.move(n=50)
try:
    explorer.models.add_folder("/nowhere at all")
except ValueError as error:
    refused = str(error)
print(json.dumps([settings(lab), before.Cauchy_bandwidth, os.environ["EXPLORER_MODELS"], refused]))
"""
    said, _ = in_a_process(code)
    assert said[0] == {"kernel": "Cauchy", "Cauchy_bandwidth": "0.5"}
    assert said[1:3] == [1.0, str(folder)]
    assert "is no folder" in said[3]


def test_a_link_to_a_model_that_is_not_here_opens_with_a_sentence_and_all_else():
    words = {"estimator": LABEL, "TrimmedKME_share": "0.3", "kernel": "Cauchy", "n": "33", "bandwidth": "0.5"}
    lab, refused = TwoSampleLab.from_flat(words)
    assert (lab.estimator, lab.kernel, lab.n, lab.bandwidth) == ("KME", "RBF", 33, 0.5)
    assert sum(names_all(each, "link", "ignored") for each in refused) == 2
    assert any(re.search(naming("TrimmedKME_share"), each) for each in refused)


# the package's own


def test_a_sum_of_kernels_has_the_sum_of_their_statistics():
    fields = {"n": 20, "m": 15, "permutations": "199", "statistic": "biased"}
    first = TwoSampleLab(kernel="Matern", Matern_nu=0.5, **fields).result()
    second = TwoSampleLab(kernel="LIN", **fields).result()
    both = TwoSampleLab(kernel="Matern", Matern_nu=0.5, combined="sum", second="LIN", share=0.25, **fields).result()
    assert both.statistic == pytest.approx(0.75 * first.statistic + 0.25 * second.statistic, rel=1e-12)
    assert first.kernel == Matern(first.median, nu=0.5)
    assert kernel_words(both.lab) == "75 % Matérn kernel (ν = 0.5) + 25 % linear kernel"


def test_a_product_of_kernels_is_the_product_of_their_values():
    lab = TwoSampleLab(n=12, m=10, combined="product", second="RationalQuadratic", second_bandwidth=2.0)
    result = lab.result()
    X, median = result.samples.pooled, result.median
    square = ((X[:, None] - X) ** 2).sum(-1)
    by_hand = np.exp(-square / (2 * median**2)) / (1 + square / (2 * (2 * median) ** 2))
    np.testing.assert_allclose(result.kernel(X), by_hand, rtol=1e-12)


def test_a_length_for_each_axis_is_a_gaussian_of_scaled_coordinates():
    result = TwoSampleLab(n=12, m=10, d=4, kernel="ARDGaussian", length_2=0.5, length_3=4.0).result()
    X = result.samples.pooled
    scaled = X / (result.median * np.array([1.0, 0.5, 4.0, 1.0]))
    np.testing.assert_allclose(result.kernel(X), Gaussian(1.0)(scaled), rtol=1e-12)


def test_the_value_at_a_low_rank_is_off_by_as_much_as_it_states():
    for how in ("cholesky", "nystrom"):
        lab = TwoSampleLab(n=30, m=40, picture="rank", approximation=how, rank=7, permutations="199")
        result = lab.result(wait=True)
        ranked = result.over_ranks
        assert (tuple(ranked.ranks), ranked.ranks_within_error) == (RANKS, len(RANKS))
        # landmarks: the error is the MMD² of what they miss, so value and exact one differ by exactly that
        np.testing.assert_allclose(np.abs(ranked.values - ranked.exact), ranked.errors, rtol=1e-5, atol=1e-13)
        assert result.at_rank.ranks == [7]
        assert ranked.exact == pytest.approx(result.statistic, rel=1e-12)
    beyond = TwoSampleLab(n=30, m=30, picture="rank", approximation="features", kernel="Matern", permutations="199")
    assert beyond.result(wait=True).over_ranks == ()


def test_kernels_without_a_gradient_have_no_loss_under_students_t():
    assert "Matern" in ShrinkageLab(source="student").kernels_that_fit().values()
    assert "Matern" not in ShrinkageLab(source="student", Matern_nu=0.5).kernels_that_fit().values()
    with pytest.raises(ValueError, match=naming("kink", "Student's t")):
        ShrinkageLab(source="student", kernel="Matern", Matern_nu=0.5)


def test_a_further_estimator_has_the_loss_of_its_embedding():
    result = ShrinkageLab(beside="MKME", kernel="RationalQuadratic", n=15).result()
    from explorer import KME, MKME

    truth = result.law.embed(result.kernel)
    plain, other = (e(result.kernel).embed(result.X).distance(truth) ** 2 for e in (KME, MKME))
    assert result.beside.loss == pytest.approx(other / plain, rel=1e-12)


def test_under_a_second_kernel_every_bandwidth_has_a_row():
    assert KernelPCALab(kernel="LIN", combined="product", second="Matern").at_every_bandwidth
    assert not KernelPCALab(kernel="LIN").at_every_bandwidth
    assert not TwoSampleLab(kernel="EXP", combined="sum", second="RBF").at_every_bandwidth  # e^(x y) overflows


@pytest.mark.parametrize(
    ("field", "ends"),
    [
        (Real(0.1, bounds=(0, 0.5)), (0.0, 0.5)),
        (Real(2.0, bounds=(0, None), inclusive_bounds=(False, True)), (0.2, 4.0)),
        (Real(-3.0), (-6.0, 0.0)),
        (LogNumber(2.0, bounds=(1e-150, 1e150)), (0.02, 200.0)),
        (LogNumber(None, bounds=(1e-3, 1e3), allow_None=True), (0.01, 100.0)),
        (Whole(2, bounds=(1, None)), (1, 20)),
        (Stops(1.5, stops=(2.5, 0.5, 1.5)), (0.5, 2.5)),
    ],
)
def test_a_parameter_without_soft_bounds_has_a_slider_all_the_same(field, ends):
    stops = steps_of(menu_models.field_of(field, "t"))
    assert (stops[0], stops[-1]) == pytest.approx(ends)
    assert 2 < len(stops) <= 45
    assert stops == sorted(set(stops))


def test_a_choice_of_numbers_takes_these_alone():
    field = Matern.fields["nu"]
    nu = menu_models.field_of(field, "ν smoothness")
    assert nu.parse("2.5") == 2.5
    with pytest.raises(ValueError, match=r"one of 0\.5, 1\.5, 2\.5"):
        TwoSampleLab(Matern_nu=2.0)
    assert Linear().with_bandwidth(2.0) == Linear()
