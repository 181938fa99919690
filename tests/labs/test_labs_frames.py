"""Frames and colours of every lab's pictures, as it opens and in its presets: filled axes, and one meaning a colour."""

from __future__ import annotations

from collections import defaultdict

import pytest
from every_lab import ROWS, complete_result
from helpers.filled_share import filled_share

from explorer.marks import PlanePicture
from explorer.marks.legend import keys_of
from explorer.workbench import registry
from explorer.workbench.content import content_of

pytestmark = pytest.mark.thorough

FILLED = 0.75  # least share of an axis between the lowest and the highest thing drawn, at all stops of the slider
SAME_SCALE = "its axis is the same for all states, so that they compare"
SHARE = "a share or a probability keeps its axis from 0 to 1"
P_VALUE = "p keeps its axis, so that tests compare"
FLAT = "what is drawn hardly varies"
PLANE_S_X = "its axis is that of the plane next to it"
# (lab, picture) -> the least share that is filled, and why it is less than FILLED
EXCEPTIONS = {
    ("shrinkage", "loss"): (0.7, "its lower end has few stops, so that it rarely changes while a slider moves"),
    ("shrinkage", "sample"): (0.0, "one coordinate has no height"),
    ("marginalized", "loss"): (0.7, "its lower end has few stops, so that it rarely changes while a slider moves"),
    ("marginalized", "dice"): (0.7, SAME_SCALE),
    ("monk", "pairs"): (0.15, "the outlier's slider moves it through the whole frame"),
    ("monk", "values"): (0.4, SAME_SCALE),
    ("monk", "cliff"): (0.6, SAME_SCALE),
    ("twosample", "null"): (0.45, SAME_SCALE),
    ("twosample", "influence"): (0.55, P_VALUE),
    ("twosample", "moments"): (0.7, SHARE),
    ("twosample", "power"): (0.7, SHARE),
    ("independence", "sample"): (0.55, "x and y keep the space for points that the user places"),
    ("independence", "null"): (0.5, SAME_SCALE),
    ("independence", "canonical"): (0.55, "functions are scaled to 1, and their zero stays in the middle"),
    ("independence", "elimination"): (0.4, SHARE),
    ("independence", "power"): (0.65, SHARE),
    ("independence", "columns"): (0.35, SHARE),
    ("conditional", "density"): (0.7, SAME_SCALE),
    ("conditional", "posterior"): (0.7, SAME_SCALE),
    ("conditional", "predicted"): (0.55, SAME_SCALE),
    ("conditional", "filter"): (0.5, SAME_SCALE),
    ("conditional", "belief"): (0.55, SAME_SCALE),
    ("conditional", "table"): (0.6, "cells have a margin of half a cell"),
    ("conditional", "tree_means"): (0.2, "zero stays in the picture"),
    ("kernel_pca", "clusters"): (0.65, "scores are scaled to 1, and their zero stays in the middle"),
    ("density", "likelihood"): (0.15, FLAT),
    ("density", "blobs"): (0.35, SHARE),
    ("adaptation", "shifts"): (0.2, SAME_SCALE),
    ("adaptation", "weights"): (0.25, PLANE_S_X),
    ("adaptation", "moved"): (0.4, PLANE_S_X),
    ("adaptation", "dica"): (0.7, "components are scaled to 1, and their zero stays in the middle"),
    ("adaptation", "treatment"): (0.65, SAME_SCALE),
    ("distributions", "size"): (0.6, "its errors begin at 0, that of the plain average is 1"),
    ("drift", "looks"): (0.1, P_VALUE),
    ("few", "criticisms"): (0.7, "its ends are those of the witnesses of more points too"),
    ("few", "test"): (0.3, P_VALUE),
    ("causes", "pvalues"): (0.4, P_VALUE),
    ("causes", "arrows"): (0.4, "all questions have one place for two variables, three, and the ring around them"),
    ("sweep", "line"): (0.4, "every value has half a step on either side, and a share keeps its axis"),
    ("fit", "bandwidths"): (0.3, P_VALUE),
    ("fit", "line"): (0.7, "the witness has the same place for all models"),
}
# (lab, role) -> the one thing whose parts have the labels
PARTS = {
    ("shrinkage", "skmse"): "S-KMSE: its loss, its score, and its chosen and best λ",
    ("shrinkage", "fkmse"): "F-KMSE: its loss, its weights, and its chosen and best λ",
    ("shrinkage", "bayes"): "the Bayesian KME with its band",
    ("marginalized", "mkme"): "MKME: its loss, its score, its σ and the copies that it makes",
    ("marginalized", "shaped"): "the third estimate: its loss and its noise",
    ("monk", "outlier"): "outliers, and the blocks that have one",
    ("monk", "monk"): "blocks, and the vote of their median",
    ("dna", "monk"): "MONK, and MONK with swapped samples",
    ("twosample", "harm"): "what rejects: the level, and the values that p counts",
    ("independence", "harm"): "what rejects: the level, and the values that p counts",
    ("independence", "skmse"): "the rejection rates, with their intervals",
    ("conditional", "skmse"): "the estimate: its weights, its density and its score",
    ("conditional", "monkfast"): "the prior, or Kalman's filter",
    ("kernel_pca", "outlier"): "points and their pre-images",
    ("kernel_pca", "#1F78C8"): "where the shaded function is above 0",
    ("kernel_pca", "#D9730D"): "where the shaded function is below 0",
    ("density", "skmse"): "the mixture that is fitted to S-KMSE",
    ("density", "mkme"): "the mixture that is fitted to MKME",
    ("density", "monkfast"): "the maximum-entropy density",
    ("adaptation", "skmse"): "the remedy: its weights or maps, and the error of its line",
    ("adaptation", "monkfast"): "everybody who is treated",
    ("distributions", "outlier"): "the stretched bag",
    ("drift", "monkfast"): "the first t test that rejects",
    ("few", "first"): "the first sample",
    ("few", "second"): "the second sample",
    ("few", "skmse"): "the flow",
    ("sweep", "skmse"): "the measure of S-KMSE",
    ("sweep", "monk"): "the measure of MONK",
    ("fit", "shaped"): "the Stein witness",
    ("fit", "harm"): "what rejects: the level, and the values that p counts",
}
INKS = ("truth", "kme")  # black and grey: data, axes and plain averages, which their shapes and dashes distinguish


def states_of(name):
    """Return the fields of a lab as it opens and of its presets, by name."""
    return {"as it opens": {}, **{preset.name: preset.fields for preset in content_of(name).presets}}


def visible(name, result):
    """Return the visible pictures of a result."""
    return [each for each in registry.role(name, "figures").PICTURES if each.is_visible(result)]


@pytest.mark.parametrize("name", ROWS)
def test_what_is_drawn_fills_the_axes(name):
    empty = {}
    for state, fields in states_of(name).items():
        result = complete_result(name, fields)
        for picture in visible(name, result):
            shares = [share for place in "xy" if (share := filled_share(picture, result, place)) is not None]
            if isinstance(picture, PlanePicture):
                shares = [max(shares)]  # a unit has the same length in both directions
            least, _ = EXCEPTIONS.get((name, picture.name), (FILLED, ""))
            if shares and min(shares) < least:
                empty[state, picture.name] = [round(share, 2) for share in shares]
    assert empty == {}


@pytest.mark.parametrize("name", ROWS)
def test_a_colour_has_one_meaning_on_a_screen(name):
    several = {}
    for state, fields in states_of(name).items():
        result = complete_result(name, fields)
        labels = defaultdict(set)
        for picture in visible(name, result):
            for key in keys_of(picture, result, picture.data(result)):
                labels[key.role].add(key.words)
        for role, words in labels.items():
            if len(words) > 1 and role not in INKS and (name, role) not in PARTS:
                several[state, role] = sorted(words)
    assert several == {}
