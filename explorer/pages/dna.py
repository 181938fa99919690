"""The DNA lab as a page."""

from __future__ import annotations

import panel as pn
import panel_material_ui as pmui

from explorer.labs.dna import DnaLab
from explorer.labs.dna_code import python
from explorer.labs.dna_numbers import measures, numbers, twin
from explorer.labs.dna_pairs import pair_at
from explorer.labs.dna_presets import DNA
from explorer.labs.dna_stories import DNA as STORIES
from explorer.labs.dna_words import caption, equation, headline, letters, told
from explorer.views.dna import DnaView

from .cells import pick_cells
from .chassis import LabPage
from .narrow import abreast, flowing, folding
from .own_strings import OwnStrings
from .text import html

SOURCES = {"synthetic junctions": "synthetic", "UCI's junctions": "splice", "your reads": "file"}
WITNESSES = {"best direction": "direction", "BCD": "bcd", "BCD-Fast": "bcd-fast"}

EXPLAINS = """<div class='caption'>
<p><b>The kernel.</b> Two reads are alike that share subsequences of p letters, in order, with or without letters
between. Each counts the decay to the power of all letters from its first to its last, in both reads: a small decay asks
for letters in a row, 1 for the order alone. Normalised, every read has k(s, s) = 1; else long reads outweigh short
ones.</p> <p><b>The square.</b> Every read against every other, sorted by sample; bright is alike. Centred, what all
reads have in common is taken out, which changes no MMD² and shows the blocks. Crosses mark spoiled reads. Press a
place: below the sliders are its two reads, letter by letter.</p>
<p><b>The tests.</b> If one law lay behind both samples, shuffling the labels would give values like the grey bars, and
swapping pairs values like the hatched ones. Each test is drawn in units of what it must exceed at the level, the dotted
line at 1; where its mark lies beyond the picture the number says how far.</p>
<p><b>Spoiled reads.</b> They replace the last reads of the second sample. The plain test averages over all of them.
MONK takes the median over blocks of pairs, and as long as most blocks have no spoiled read, the median is one of
theirs. That costs power where nothing is spoiled. And many spoiled reads in one sample alone are a difference, which a
test may rightly find.</p>
<p><b>Letters place by place</b> shows what one would look at first. The kernel knows nothing of places.</p></div>"""


class DnaPage(LabPage):
    """The Gram matrix and the sliders on the left, both tests, the profile and a pair of reads on the right."""

    title, lab_class, explains = "DNA", DnaLab, EXPLAINS
    presets, stories = DNA, STORIES
    labels = {  # noqa: RUF012, read only
        "decay": "decay λ",
        "length": "p letters",
        "n": "n reads each",
        "spoiled": "spoiled reads",
        "blocks": "Q blocks",
        "longer": "longer (a spoiled read, × its length)",
        "shuffles": "shuffles of the plain test",
        "flips": "flips of MONK's test",
    }
    make_view = staticmethod(DnaView)
    headline, caption, python = staticmethod(headline), staticmethod(caption), staticmethod(python)
    numbers, twin, measures, told = (
        staticmethod(numbers),
        staticmethod(twin),
        staticmethod(measures),
        staticmethod(told),
    )

    def strokes(self, result):
        """What the legend says."""
        return (
            ("plain test: MMD²", "kme", ""),
            ("MONK", "monk", "7 4"),
            ("what each must exceed", "truth", "2 3"),
            ("spoiled read", "outlier", "cross"),
        )

    def actions(self):
        """What keys do here."""
        return {
            "n": ("draws other reads", self.draw),
            "s": ("draws 100 further samples", self.repeat),
            **super().actions(),
        }

    def _show(self, result):
        super()._show(result)
        self.sums.object = equation(result)

    def grips(self):
        """The cells of the Gram matrix."""
        pick_cells(self.view.gram, self.pacer, "cell", self.view.sources["gram"])

    def put(self, name, value):
        """A cell was pressed; its reads are shown at once."""
        drawn = self.result.drawn
        if all(0 <= k < len(drawn) for k in value):  # the picture may have changed since the browser asked
            self.move(None, pair=pair_at(*drawn[value], self.result.n))
            self._spell()

    def _spell(self):
        """The pair of reads, letter by letter."""
        self.pair.object = letters(self.result)

    def draw(self, event=None):
        """Other reads of the same classes."""
        self.move("seed", seed=self.lab.seed + 1)

    def repeat(self, event=None):
        """100 further draws of reads, or none any more."""
        self.move("samples", samples=0 if self.lab.samples else 100)

    def _catch_up(self):
        super()._catch_up()
        self._spell()
        self.choice["classes"].disabled = self.lab.source == "file"
        words = (
            "+100 samples"
            if self.lab.samples == 0
            else "Drawing ..."
            if self._repeating
            else f"{self.lab.samples} samples"
        )
        self.hundred.param.update(label=words, variant="contained" if self.lab.samples else "outlined")

    def choices(self):
        """Source, classes and the kinds of things, as widgets."""
        fields, lab = type(self.lab).fields, self.lab

        def menu(label, name, width, options=None):
            return pmui.Select(
                label=label,
                options=options or fields[name].objects,
                value=getattr(lab, name),
                size="small",
                width=width,
            )

        return {
            "source": menu("reads", "source", 200, SOURCES),
            "classes": menu("classes", "classes", 110),
            "compare": menu("compare", "compare", 180),
            "normalized": pmui.Switch(label="normalised", value=lab.normalized),
            "picture": pmui.RadioButtonGroup(
                label="picture", options=["centred", "plain"], value=lab.picture, size="small"
            ),
            "kind": menu("spoiled reads are", "kind", 180),
            "method": menu("MONK's witness", "method", 180, WITNESSES),
            "level": menu("level", "level", 110),
        }

    def layout(self, legend):
        """The pictures with their controls; the columns stand one below the other where the page is narrow."""
        c, w = self.controls, self.choice
        self.sums, self.pair = html("", min_height=52), html("", min_height=110)
        fresh = pmui.Button(
            label="Other reads", variant="contained", size="small", margin=(8, 6, 0, 6), on_click=self.draw
        )
        self.hundred = pmui.Button(
            label="+100 samples", variant="outlined", size="small", margin=(8, 6, 0, 6), width=118, on_click=self.repeat
        )
        second, menus = abreast(c["n"], c["blocks"]), flowing(w["source"], w["classes"], w["compare"], w["picture"])
        left = pn.Column(
            pn.pane.Bokeh(self.view.gram, sizing_mode="stretch_width"),
            abreast(c["decay"], c["length"]),
            abreast(c["spoiled"], w["normalized"]),
            second,
            flowing(fresh, self.hundred, c["seed"]),
            menus,
            c["seed"].trouble,
            folding(second, c["seed"].box, menus),
            margin=0,
            styles={"flex": "1 1 540px", "min-width": "0"},
        )
        right = pn.Column(
            legend,
            pn.pane.Bokeh(self.view.hero, sizing_mode="stretch_width"),
            self.sums,
            pn.pane.Bokeh(self.view.profile, sizing_mode="stretch_width"),
            self.pair,
            margin=0,
            styles={"flex": "1 1 480px", "min-width": "0"},
        )
        return pn.FlexBox(left, right, gap="8px 20px", margin=0, sizing_mode="stretch_width")

    def folds(self):
        """What is not always wanted."""
        c, w = self.controls, self.choice
        self.own = OwnStrings(self._use, self.lab.values)
        more = pn.Column(
            abreast(c["longer"], c["shuffles"]),
            abreast(c["flips"], flowing(w["kind"], w["method"], w["level"])),
            sizing_mode="stretch_width",
        )
        return {"Your data": self.own, "More: how reads are spoiled, resamples, the level": more}

    def choose(self, name, value):
        """The same, where reads that the session still has are named again by all their fields."""
        reads = self.lab.reads
        again = name == "source" and value == "file" and reads is not None and reads.hash != self.lab.hash
        self.move(name, **{**(self._named if again else {}), name: value})

    def _use(self, strings, fields):
        self.lab.reads, self._named = strings, fields
        self.move("source", **fields)
        self._changed()  # a link had all the fields already, and lacked the reads alone
