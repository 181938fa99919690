"""The user's Gram matrices as sides of pairs: found by their symmetry, used, linked, copied, or refused."""

import asyncio
import time
from unittest.mock import Mock

import numpy as np
import param
import pytest
from helpers.naming import names_all
from helpers.page_helpers import notice, page_at_link, use
from helpers.saved_bytes import npy

from explorer import Gaussian, Laplacian, Precomputed, hsic_test, median_bandwidth
from explorer.labs.conditional.page import ConditionalPage
from explorer.labs.independence.page import IndependencePage
from explorer.pages.user_data.pairs import BESIDE, SECOND

pytestmark = [
    pytest.mark.usefixtures("at_once"),
    pytest.mark.thorough,
]  # the default run tests the parts shared by all pages on the first lab

N = 30
RNG = np.random.default_rng(8)
Z = RNG.normal(size=(N, 2))
AGE = Z[:, 0] + 0.2 * RNG.normal(size=N)
K, L = Laplacian(1.0)(Z), Laplacian(1.0)(AGE[:, None])
HEAD = ",".join(["id", *(f"k{j}" for j in range(N)), "age", "arm"]) + "\n"
CSV = (
    HEAD
    + "\n".join(
        ",".join([str(i), *map(repr, row), repr(age), "ab"[i % 2]])
        for i, (row, age) in enumerate(zip(K.tolist(), AGE.tolist(), strict=True))
    )
).encode()


def choose(page, raw, name="t.csv", second=None):
    page.user_data.file.param.update(value=raw, filename=name)
    if second is not None:
        page.user_data.second.param.update(value=second, filename="L.npy")


def trouble(page):
    return page.user_data.trouble.object if page.user_data.trouble.visible else ""


def copied(page, folder, monkeypatch, **files):
    """Run the page's Python next to the files and return its namespace."""
    monkeypatch.chdir(folder)
    for name, raw in files.items():
        (folder / name.replace("_", ".")).write_bytes(raw)
    space = {}
    exec(page.chrome.bar.share.code, space)
    return space


def test_a_matrix_with_columns_beside_it_is_tested_as_it_is(tmp_path, monkeypatch):
    page = IndependencePage({})
    choose(page, CSV)
    own = page.user_data
    assert (own.gram.visible, own.gram.value, own.place.value) == (True, True, BESIDE)
    assert (own.columns.options, own.columns.value, own.second.visible) == (["id", "age", "arm"], ["age"], False)
    assert names_all(own.about.object, "k0", "k29", "x")
    use(page)
    assert (trouble(page), notice(page)) == ("", "")
    lab = page.lab
    assert (lab.gram, lab.columns, lab.n, lab.hash2, lab.x) == (True, '["age"]', N, "", "")
    rows = page.result.pairs.rows  # in the order in which they were drawn
    order = np.array([int(row.removeprefix("line ")) - 2 for row in rows])
    y = ((AGE - AGE.mean()) / AGE.std())[order][:, None]
    kernel = Gaussian(lab.bandwidth * median_bandwidth(y))
    count = len(page.result.test.null_distribution)
    expected = hsic_test(order, y, Precomputed(K), kernel, n_resamples=count, rng=lab.seed)
    assert page.result.test.pvalue == expected.pvalue
    assert page.result.test.statistic == pytest.approx(expected.statistic, rel=1e-9)
    assert "Gram matrix" in page.chrome.caption.object
    assert names_all(page.chrome.headline.object, "Gram matrix", "x", "RBF", "y")
    assert (page.roles.x.visible, page.roles.y.visible, page.roles.y.options) == (False, True, ["age"])
    assert page.controls["sigma"].slider.disabled
    space = copied(page, tmp_path, monkeypatch, t_csv=CSV)
    assert space["result"].pvalue == expected.pvalue
    assert space["result"].statistic == pytest.approx(page.result.test.statistic, rel=1e-12)


@pytest.mark.thorough
def test_a_link_to_it_asks_for_the_file_and_opens_as_its_sender_used_it():
    page = IndependencePage({})
    choose(page, CSV)
    page.user_data.columns.value = ["age", "arm"]
    use(page)
    assert page.lab.lenient
    page.roles.y.value = "age"
    assert (page.lab.x, page.lab.y, notice(page)) == ("", "age", "")
    other = page_at_link(page)
    assert names_all(notice(other), "t.csv", "30")
    choose(other, CSV)
    assert other.user_data.columns.value == ["age", "arm"]
    use(other)
    assert (other.lab, notice(other)) == (page.lab, "")


@pytest.mark.thorough
def test_two_files_are_two_matrices(tmp_path, monkeypatch):
    page = IndependencePage({})
    choose(page, npy(K), "K.npy")
    assert (page.user_data.place.value, page.user_data.second.visible, page.user_data.columns.visible) == (
        SECOND,
        True,
        False,
    )
    use(page)
    assert names_all(trouble(page), "y", "second file")
    choose(page, npy(K), "K.npy", second=npy(L))
    assert "For y: L.npy, 30 rows." in page.user_data.about.object
    use(page)
    assert (trouble(page), notice(page), page.lab.file, page.lab.file2) == ("", "", "K.npy", "L.npy")
    assert "Gram matrices" in page.chrome.headline.object
    assert (page.roles.x.visible, page.roles.y.visible) == (False, False)
    assert (page.controls["bandwidth"].slider.disabled, page.choice["kernel"].disabled) == (True, True)
    space = copied(page, tmp_path, monkeypatch, K_npy=npy(K), L_npy=npy(L))
    assert space["result"].statistic == pytest.approx(page.result.test.statistic, rel=1e-12)
    assert space["result"].pvalue == page.result.test.pvalue
    other = page_at_link(page)
    assert "K.npy (30 rows) and L.npy (30 rows)" in notice(other)
    choose(other, npy(K), "K.npy", second=npy(L))
    use(other)
    assert (other.lab, notice(other)) == (page.lab, "")


@pytest.mark.thorough
def test_a_second_matrix_that_comes_while_the_first_is_read_waits_for_it(monkeypatch):
    page = IndependencePage({})
    choose(page, npy(K), "K.npy")
    look, tasks = page.user_data.main.preview, []

    def slow(file):
        time.sleep(0.2 * (file.name == "again.npy"))  # long enough for the second to be read first
        return look(file)

    monkeypatch.setattr(page.user_data.main, "preview", slow)
    monkeypatch.setattr(param.parameterized, "async_executor", lambda call: tasks.append(asyncio.ensure_future(call())))

    async def both():
        choose(page, npy(Laplacian(2.0)(Z)), "again.npy", second=npy(L))
        await asyncio.gather(*tasks)

    asyncio.run(both())
    assert "For y: L.npy, 30 rows." in page.user_data.about.object


@pytest.mark.thorough
def test_a_pasted_second_matrix():
    page = IndependencePage({})
    choose(page, npy(K), "K.npy")
    text = "\n".join(",".join(map(repr, row)) for row in L.tolist())
    asyncio.run(page.user_data.intake.paste._pressed(Mock(data=text)))
    use(page)
    assert (trouble(page), notice(page), page.lab.file2) == ("", "", "pasted for y.csv")


@pytest.mark.thorough(default=["asymmetric"])
@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        (K, L + np.triu(np.full((N, N), 0.1), 1), "L.npy is no Gram matrix: row"),
        (K, L[:12, :12], "K.npy is a Gram matrix of 30 rows and L.npy one of 12"),
        (K, np.where(np.eye(N) == 1, 1.0, 3.0), "the matrix of L.npy has the eigenvalue -2 beside its largest, 88"),
        (np.where(np.eye(N) == 1, 1.0, 3.0), L, "the matrix of K.npy has the eigenvalue -2 beside its largest, 88"),
    ],
    ids=["asymmetric", "sizes", "indefinite second", "indefinite first"],
)
def test_what_is_no_gram_matrix_is_a_sentence(first, second, said):
    page = IndependencePage({})
    before = page.lab.values()
    choose(page, npy(first), "K.npy", second=npy(second))
    use(page)
    assert said in trouble(page)
    assert page.lab.values() == before


@pytest.mark.thorough
def test_it_may_be_taken_for_a_table_and_back():
    page = IndependencePage({})
    choose(page, CSV)
    page.user_data.gram.value = False
    assert (page.user_data.columns.label, page.user_data.second.visible) == ("columns", False)
    assert page.user_data.columns.value == [*(f"k{j}" for j in range(N)), "age"]
    use(page)
    assert (page.lab.gram, notice(page), page.lab.roles(page.lab.the_table())) == (False, "", (["k0"], ["age"]))
    page.user_data.gram.value = True
    assert page.user_data.columns.options == ["id", "age", "arm"]
    use(page)
    assert (page.lab.gram, page.lab.columns, notice(page)) == (True, '["age"]', "")


@pytest.mark.thorough
def test_pairs_moved_by_hand_are_forgotten_where_a_matrix_comes():
    page = IndependencePage({"sigma": "1", "moved": '{"1": [0, 0]}', "placed": "[[0.5, 0.5]]"})
    choose(page, CSV)
    use(page)
    assert (notice(page), page.lab.moved, page.lab.placed, page.lab.sigma) == ("", "", "", 0.0)
    page.on_drag("added", [[0.0, 0.0]])
    assert "Gram matrix" in notice(page)


@pytest.mark.thorough
def test_a_row_without_its_y_is_dropped_by_the_button(tmp_path, monkeypatch):
    raw = CSV.replace(repr(AGE[3]).removeprefix("np.float64(").removesuffix(")").encode(), b"", 1)
    page = IndependencePage({})
    choose(page, raw)
    use(page)
    assert "1 cell is missing" in trouble(page)
    page.user_data.drop.clicks += 1
    assert (page.lab.rows, page.lab.missing, notice(page)) == (N - 1, "drop", "")
    space = copied(page, tmp_path, monkeypatch, t_csv=raw)
    assert space["result"].statistic == pytest.approx(page.result.test.statistic, rel=1e-12)


@pytest.mark.thorough(default=["cut"])
@pytest.mark.parametrize("picture", ["cut", "bayes"])
def test_the_conditional_page_takes_it(picture, tmp_path, monkeypatch):
    page = ConditionalPage({"picture": picture})
    choose(page, CSV)
    use(page)
    assert (trouble(page), notice(page), page.lab.gram) == ("", "", True)
    assert "Gram matrix" in page.chrome.caption.object
    assert (page.roles.x.visible, page.roles.y.visible) == (False, True)
    space = copied(page, tmp_path, monkeypatch, t_csv=CSV)
    assert space["shown"]["mean"] == pytest.approx(page.result.mean, rel=1e-9)


@pytest.mark.thorough
def test_the_conditional_page_takes_it_as_a_path(tmp_path, monkeypatch):
    page = ConditionalPage({"picture": "filter"})
    choose(page, CSV)
    use(page)
    assert (notice(page), page.lab.path, page.lab.n) == ("", "rows", 19)
    space = copied(page, tmp_path, monkeypatch, t_csv=CSV)
    assert space["shown"]["error"] == pytest.approx(page.result.kernel_error, rel=1e-9)


def test_the_conditional_page_takes_two_and_shows_the_cut(tmp_path, monkeypatch):
    page = ConditionalPage({"picture": "bayes"})
    choose(page, npy(K), "K.npy", second=npy(L))
    use(page)
    assert (trouble(page), notice(page), page.lab.picture) == ("", "", "cut")
    assert "has no density" in page.chrome.caption.object
    assert "density" not in page.view.visible(page.result)  # y has no coordinates
    space = copied(page, tmp_path, monkeypatch, K_npy=npy(K), L_npy=npy(L))
    assert space["shown"]["mean"] == pytest.approx(page.result.mean, rel=1e-9)
    page.choose("picture", "bayes")
    assert "prior of y" in notice(page)


@pytest.mark.thorough
def test_a_square_table_is_a_matrix_where_its_owner_says_so():
    page = IndependencePage({})
    bent = K + np.triu(np.full((N, N), 0.1), 1)
    choose(page, npy(bent), "K.npy")
    assert (page.user_data.gram.visible, page.user_data.gram.value, page.user_data.second.visible) == (
        True,
        False,
        False,
    )
    page.user_data.gram.value = True
    page.user_data.second.param.update(value=npy(L), filename="L.npy")
    use(page)
    assert names_all(trouble(page), "K.npy", "Gram matrix", "row")
