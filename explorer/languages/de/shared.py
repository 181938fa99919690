"""What the pictures and sentences of several labs share, in German."""

TEXTS = {
    # a picture in words
    "Across: {}.": "Waagerecht: {}.",
    "Up: {}.": "Senkrecht: {}.",
    "across": "waagerecht",
    "up": "senkrecht",
    "logarithmic": "logarithmisch",
    "It is still being computed.": "Wird noch berechnet.",
    " and ": " und ",
    "one line": "eine Linie",
    "one point": "ein Punkt",
    "{} points": "{} Punkte",
    "{} bars": "{} Balken",
    "{} cells": "{} Zellen",
    "{} circles": "{} Kreise",
    "{} ellipses": "{} Ellipsen",
    "{} lines": "{} Linien",
    "{} points from {} to {}": "{} Punkte von {} bis {}",
    "{} bars {}, the highest {} {}": "{} Balken {}, der höchste {} {}",
    "from {} to {}": "von {} bis {}",
    "from {} to {} at {}": "von {} bis {} bei {}",
    "from {} at {} to {}": "von {} bei {} bis {}",
    "between {} and {}": "zwischen {} und {}",
    "between {} and {} at the slider's {}": "zwischen {} und {} beim Wert {} des Reglers",
    "{} at {}": "{} bei {}",
    "{} at the slider's {}": "{} beim Wert {} des Reglers",
    "{} throughout": "durchgehend {}",
    "{} or less": "{} oder weniger",
    "{} or more": "{} oder mehr",
    "2 or more": "2 oder mehr",
    "still being computed": "noch in Berechnung",
    "1 row": "1 Zeile",
    "impossible to compute here": "hier nicht zu berechnen",
    "{} of {} rows are left out for missing values.": "{} von {} Zeilen fehlen Werte; sie sind weggelassen.",
    "{} rows are drawn.": "Gezogen sind {} Zeilen.",
    "Your data are not shown yet: use them below.": "Ihre Daten sind noch nicht zu sehen: verwenden Sie sie unten.",
    "Your data are not shown; the sentence below explains why, and what to change.": (
        "Ihre Daten sind nicht zu sehen; der Satz darunter sagt, warum nicht, und was zu ändern ist."
    ),
    "{} has {} rows for {}, and at least {} are needed here; choose a longer table.": (
        "{} hat {} Zeilen für {}, und mindestens {} sind hier nötig; wählen Sie eine längere Tabelle."
    ),
    "unknown": "unbekannt",
    "RBF kernel": "RBF-Kern",
    "Laplacian kernel": "Laplace-Kern",
    "linear kernel": "linearer Kern",
    "quadratic kernel": "quadratischer Kern",
    "cubic kernel": "kubischer Kern",
    "Matérn kernel": "Matérn-Kern",
    "ARD Gaussian kernel": "ARD-Gauß-Kern",
    "rational quadratic kernel": "rational-quadratischer Kern",
    "inverse multiquadric kernel": "invers-multiquadratischer Kern",
    "Matérn": "Matérn",
    "ARD Gaussian (a length per axis)": "ARD-Gauß (eine Länge je Achse)",
    "rational quadratic": "rational-quadratisch",
    "inverse multiquadric": "invers-multiquadratisch",
    "ν smoothness": "ν Glattheit",
    "α power of the fall": "α Potenz des Abfalls",
    "β power of the fall": "β Potenz des Abfalls",
    "length of axis 1": "Länge von Achse 1",
    "length of axis 2": "Länge von Achse 2",
    "length of axis 3": "Länge von Achse 3",
    "combine": "verknüpfen",
    """\
<p><b>Further kernels.</b> Matérn lies between Laplacian and RBF: the larger ν, the smoother its functions. Rational
quadratic and inverse multiquadric fall as a power of the distance, so that far points still share something. ARD
Gaussian has a length for each axis: a long one leaves its axis nearly out. Models of a folder of yours stand in the
menus too, each parameter with a slider.</p>
""": """\
<p><b>Weitere Kerne.</b> Matérn liegt zwischen Laplace und RBF: je größer ν, desto glatter seine Funktionen.
Rational-quadratisch und invers-multiquadratisch fallen wie eine Potenz des Abstands, sodass auch ferne Punkte etwas
gemeinsam haben. ARD-Gauß hat eine Länge je Achse: Eine lange lässt ihre Achse fast aus. Auch Modelle eines eigenen
Ordners stehen in den Menüs, jeder Parameter mit einem Regler.</p>
""",
    """\
<p><b>Two kernels.</b> A sum, (1 − w) k + w l, sees what either sees. A product, k l, calls points alike that both call
alike.</p>
""": """\
<p><b>Zwei Kerne.</b> Eine Summe, (1 − w) k + w l, sieht, was einer der beiden sieht. Ein Produkt, k l, nennt Punkte
ähnlich, die beide ähnlich nennen.</p>
""",
    "one kernel": "ein Kern",
    "sum of two": "Summe zweier",
    "product of two": "Produkt zweier",
    "second kernel": "zweiter Kern",
    "w weight of the second": "w Gewicht des zweiten",
    "second, × bandwidth": "zweite, × Bandbreite",
    "compare with": "vergleichen mit",
    "nothing more": "nichts weiter",
    "This server has no model with the settings {}, so they were ignored.": (
        "Dieser Server hat kein Modell mit den Einstellungen {}; sie wurden ignoriert."
    ),
    "your Gram matrix as the kernel": "eigene Gram-Matrix als Kern",
    "lowest {}": "am tiefsten {}",
    "highest {}": "am höchsten {}",
    "lowest at {}, {}": "am tiefsten bei {}, {}",
    "highest at {}, {}": "am höchsten bei {}, {}",
    ", reaching {} from there": ", von dort {} weit",
    "above 0 on {} of the picture": "auf {} des Bildes über 0",
    "above {} all along": "durchweg über {}",
    "below {} all along": "durchweg unter {}",
    "above {} from {} on": "über {} ab {}",
    "below {} from {} on": "unter {} ab {}",
    "coordinate {}": "Koordinate {}",
    "(one coordinate only)": "(nur eine Koordinate)",
    # gains of squared error
    "{} has <b>{}</b> {} the plain average, {} <b>{}</b>.": "{} hat <b>{}</b> {} das einfache Mittel, {} <b>{}</b>.",
    "no weights that sum to one": "keine Gewichte mit Summe 1",
    "beside": "gegen",
    "the same": "gleich viel",
    "as": "wie",
    "of": "wie",
    "than": "als",
    "{} less": "{} weniger",
    "{} more": "{} mehr",
    "{} times as much": "{}-mal so viel",
    "the same squared error": "denselben quadratischen Fehler",
    "{} less squared error": "{} weniger quadratischen Fehler",
    "{} more squared error": "{} mehr quadratischen Fehler",
    "{} times the squared error": "{}-mal so viel quadratischen Fehler",
    "the same estimated squared error": "denselben geschätzten quadratischen Fehler",
    "{} less estimated squared error": "{} weniger geschätzten quadratischen Fehler",
    "{} more estimated squared error": "{} mehr geschätzten quadratischen Fehler",
    "{} times the estimated squared error": "{}-mal so viel geschätzten quadratischen Fehler",
    "{} beats the plain average {} times": "{} schlägt das einfache Mittel {}-mal",
    "{} {} times": "{} {}-mal",
    " <span class='badge'>inside the noise</span>": " <span class='badge'>im Rauschen</span>",
    "In {} more samples {}{}.{}": "In {} weiteren Stichproben: {}{}.{}",
    " Averaged over {} more samples, {}": " Im Durchschnitt über {} weitere Stichproben gilt: {}",
    "<span class='tries'> Try {}.</span>": "<span class='tries'> Ausprobieren: {}.</span>",
    "the RBF kernel": "der RBF-Kern",
    # pictures of losses
    "Squared error, relative to the plain average": "Quadratischer Fehler relativ zu KME",
    "plain average (KME)": "einfaches Mittel (KME)",
    "plain average": "einfaches Mittel",
    "harm": "Schaden",
    "leave-one-out score": "Leave-one-out-Wert",
    "chosen by leave-one-out": "durch Leave-one-out gewählt",
    "best": "bestes",
    "half of the samples": "Hälfte der Stichproben",
    "90 % of the samples": "90 % der Stichproben",
    "What leave-one-out estimates, above the loss": "Was Leave-one-out schätzt, über dem Verlust",
    "squared error": "quadratischer Fehler",
    "loss": "Verlust",
    "mean distance of a new point": "mittlerer Abstand eines neuen Punktes",
    "least loss": "kleinster Verlust",
    "Error of the plain average and its bound": "Fehler des einfachen Mittels und seine Schranke",
    "share of samples": "Anteil der Stichproben",
    "more samples": "weitere Stichproben",
    "this sample": "diese Stichprobe",
    "bound": "Schranke",
    "as printed": "wie gedruckt",
    "true distribution": "wahre Verteilung",
    # settings
    "New sample": "Neue Stichprobe",
    "Sample": "Stichprobe",
    "sample": "Stichprobe",
    "Kernel": "Kern",
    "kernel": "Kern",
    "picture": "Bild",
    "n points": "n Punkte",
    "d coordinates": "d Koordinaten",
    "seed": "Startwert",
    "outliers": "Ausreißer",
    "noise": "Rauschen",
    "bandwidth × median": "Bandbreite × Median",
    "ν degrees of freedom": "ν Freiheitsgrade",
    "wine": "Wein",
    "wdbc": "wdbc",
    "your table": "eigene Tabelle",
    "linear": "linear",
    "quadratic": "quadratisch",
    "cubic": "kubisch",
    "RBF (Gaussian)": "RBF (Gauß)",
    "Laplacian": "Laplace",
    "energy (distance)": "Energie (Abstand)",
    "exponential": "exponentiell",
    "λ (log scale)": "λ (logarithmisch)",
    "{} steps": "{} Schritte",
    # what a number may be
    "{} must be {}, not {}.": "{} muss {} sein, nicht {}.",
    "a number": "eine Zahl",
    "a whole number": "eine ganze Zahl",
    " of at least {}": " ab {}",
    " above {}": " über {}",
    " at most {}": " bis {}",
    " and at most {}": " bis {}",
    "or None for the automatic choice": "oder None für die automatische Wahl",
    "or auto": "oder auto",
    "a number too large for a float": "eine Zahl, die für einen Float zu groß ist",
    "1 step": "1 Schritt",
    "Your Gram matrix is the kernel, so no other kernel and no bandwidth is to be chosen; the axes are its principal"
    " ones.": (
        "Die eigene Gram-Matrix ist der Kern, also sind weder Kern noch Bandbreite zu wählen; die Achsen sind ihre"
        " Hauptachsen."
    ),
    """\
<p><b>Kernels.</b> A kernel is the similarity of two points. Linear compares means only; quadratic and
cubic add moments of second and third order. RBF, exp(−‖x − y‖²/2θ²), and Laplacian, exp(−|x − y|₁/θ), distinguish all
distributions; Laplacian has a peak at 0, so even near neighbours are less alike, and its bandwidth θ counts in medians
of the summed coordinate distances |x − y|₁. Energy, (‖x‖ + ‖y‖ − ‖x − y‖)/2, has no bandwidth: twice its MMD² is the
energy distance. Exponential, exp(⟨x, y⟩/θ²), is RBF before each point is scaled to length 1: points far from 0 weigh
more, exponentially so.</p>
""": """\
<p><b>Kerne.</b> Ein Kern ist die Ähnlichkeit zweier Punkte. Der lineare vergleicht nur Mittelwerte; der quadratische
und der kubische nehmen Momente zweiter und dritter Ordnung hinzu. RBF, exp(−‖x − y‖²/2θ²), und Laplace,
exp(−|x − y|₁/θ), unterscheiden alle Verteilungen. Laplace hat eine Spitze bei 0, sodass schon nahe Nachbarn sich
weniger ähneln; seine Bandbreite θ zählt in Medianen der summierten Koordinatenabstände |x − y|₁. Energie,
(‖x‖ + ‖y‖ − ‖x − y‖)/2, hat keine Bandbreite: Ihr doppeltes MMD² ist die Energiedistanz. Der exponentielle Kern,
exp(⟨x, y⟩/θ²), ist RBF, bevor jeder Punkt auf Länge 1 gebracht wird: Punkte fern von 0 wiegen exponentiell mehr.</p>
""",
}
