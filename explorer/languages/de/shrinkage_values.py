"""The Shrinkage lab's functions, bands and oracles in German."""

TEXTS = {
    # controls
    "averages of functions": "Mittel von Funktionen",
    "conditional embeddings": "bedingte Einbettungen",
    "no λ for all": "kein λ für alle",
    "t in sd": "t, in Std.-Abw.",
    "Bayesian KME": "Bayes-KME",
    # pictures
    "Average of f = k(·, t): drag t": "Mittel von f = k(·, t): t ziehen",
    "Averages of functions f = k(·, t)": "Mittel der Funktionen f = k(·, t)",
    "Moment generating function: drag t": "Momenterzeugende Funktion: t ziehen",
    "average of f": "Mittel von f",
    "··· exact, E f(X)": "··· exakt, E f(X)",
    "─ plain average (KME)": "─ einfaches Mittel (KME)",
    "─ Bayesian KME, 95 % band": "─ Bayes-KME, 95-%-Band",
    "95 % band": "95-%-Band",
    "exact": "exakt",
    "F-KMSE averages a regression of f: drag t": "F-KMSE mittelt eine Regression von f: t ziehen",
    "F-KMSE as an average of conditional embeddings": "F-KMSE als Mittel bedingter Einbettungen",
    "○ f(xⱼ), ─ their mean (KME)": "○ f(xⱼ), ─ ihr Mittel (KME)",
    "● predicted from xⱼ, ╌ their mean ({})": "● aus xⱼ vorhergesagt, ╌ ihr Mittel ({})",
    "mean of f, the plain average": "Mittel von f, das einfache Mittel",
    "mean of the predictions": "Mittel der Vorhersagen",
    "f at the sample": "f an der Stichprobe",
    "predicted": "vorhergesagt",
    "One λ for all kernel means, and the best for each": "Ein λ für alle Kernmittelwerte, und das beste für jeden",
    "distance of μ from the target, in errors of KME": "Abstand von μ zum Ziel, in Fehlern von KME",
    "expected squared error": "erwarteter quadratischer Fehler",
    "─ S-KMSE, this λ": "─ S-KMSE, dieses λ",
    "··· the best λ for each (oracle)": "··· das beste λ für jeden (Orakel)",
    "best λ for each distance": "bestes λ für jeden Abstand",
    "S-KMSE, this λ": "S-KMSE, dieses λ",
    # captions
    "For f = k(·, t) at t = {} the average over the sample is {}, and the inner product ⟨f, μ̂⟩ is {}.": (
        "Für f = k(·, t) bei t = {} ist das Mittel über die Stichprobe {}, und das Skalarprodukt ⟨f, μ̂⟩ ist {}."
    ),
    " The exact expectation E f(X) is {}.": " Der exakte Erwartungswert E f(X) ist {}.",
    " S-KMSE gives {}, and {} gives {}.": " S-KMSE ergibt {}, {} ergibt {}.",
    " Under the exponential kernel the kernel mean is the moment generating function E exp(⟨u, X⟩), u = t/{}.": (
        " Unter dem exponentiellen Kern ist der Kernmittelwert die momenterzeugende Funktion E exp(⟨u, X⟩), u = t/{}."
    ),
    " Under RBF it is a Weierstrass transform of the density p: p smoothed by N(0, θ²I) is {} at t, and times"
    " (2πθ²)^(d/2) = {} that is {}.": (
        " Unter RBF ist er eine Weierstraß-Transformierte der Dichte p: p, mit N(0, θ²I) geglättet, ist {} bei t, und"
        " mal (2πθ²)^(d/2) = {} ist das {}."
    ),
    " The posterior mean of Bayesian KME is {} ± {} (95 %).": (
        " Der Mittelwert der Posterior-Verteilung, Bayes-KME, ist {} ± {} (95 %)."
    ),
    " The band has the exact value at {} of the drawn places.": (
        " Das Band enthält den exakten Wert an {} der gezeichneten Stellen."
    ),
    "The conditional embedding of each of the {} points predicts f = k(·, t) there, at t = {}. The mean of the"
    " predictions is {}, and ⟨f, {}⟩ by its own weights is {}.": (
        "Die bedingte Einbettung jedes der {} Punkte sagt f = k(·, t) dort vorher, bei t = {}. Das Mittel der"
        " Vorhersagen ist {}, und ⟨f, {}⟩ mit den eigenen Gewichten ist {}."
    ),
    " The mean of f itself, the plain average, is {}": " Das Mittel von f selbst, das einfache Mittel, ist {}",
    ", and E f(X) is {}.": ", und E f(X) ist {}.",
    "Here the kernel mean lies {} errors of the plain average from the target. S-KMSE with λ = {} has {} of the"
    " plain average's expected squared error, and with the best λ {}. ": (
        "Hier liegt der Kernmittelwert {} Fehler des einfachen Mittels vom Ziel entfernt. S-KMSE mit λ = {} hat {} des"
        " erwarteten quadratischen Fehlers des einfachen Mittels, mit dem besten λ {}. "
    ),
    "With λ = 0 S-KMSE is the plain average.": "Mit λ = 0 ist S-KMSE das einfache Mittel.",
    "With the same λ at every distance it is worse than the plain average beyond {} errors.": (
        "Mit demselben λ bei jedem Abstand ist es jenseits von {} Fehlern schlechter als das einfache Mittel."
    ),
    " The best λ helps at every distance, but it depends on the unknown μ. So this shows what an oracle gains, and"
    " not that the plain average is inadmissible (erratum 19).": (
        " Das beste λ hilft bei jedem Abstand, hängt aber vom unbekannten μ ab. Das zeigt, was ein Orakel gewinnt, und"
        " nicht, dass das einfache Mittel unzulässig ist (Erratum 19)."
    ),
    "Bayesian KME has noise τ² = {}. It keeps γ²/(γ² + nτ²): {} of the direction with the largest eigenvalue γ and"
    " {} of the middle one. {} keeps {} and {}.": (
        "Bayes-KME hat Rauschen τ² = {}. Es behält γ²/(γ² + nτ²): {} der Richtung mit dem größten Eigenwert γ und {}"
        " der mittleren. {} behält {} und {}."
    ),
    " It has {} of the plain average's squared error.": " Es hat {} des quadratischen Fehlers des einfachen Mittels.",
    " The log evidence is {} here and {} at ten times the bandwidth. It grows with the bandwidth whatever the"
    " data, so it cannot choose one.": (
        " Die logarithmierte Evidenz ist hier {} und bei zehnfacher Bandbreite {}. Sie wächst mit der Bandbreite,"
        " gleich welche Daten, und kann deshalb keine wählen."
    ),
    # presets
    "A moment generating function": "Eine momenterzeugende Funktion",
    "Under the exponential kernel the kernel mean is E exp(⟨u, X⟩). Drag t: the average of f estimates it.": (
        "Unter dem exponentiellen Kern ist der Kernmittelwert E exp(⟨u, X⟩). Ziehe t: Das Mittel von f schätzt ihn."
    ),
    "The mean with its band": "Der Mittelwert mit seinem Band",
    "Bayesian KME hardly shrinks. Its band shows how far its values may be off, and has most of the exact curve.": (
        "Bayes-KME schrumpft kaum. Sein Band zeigt, wie weit seine Werte danebenliegen können, und enthält den größten"
        " Teil der exakten Kurve."
    ),
    "Better for whom?": "Besser für wen?",
    "For each kernel mean some λ helps. The λ of this one would do harm if the kernel mean were twice as far away.": (
        "Für jeden Kernmittelwert hilft ein λ. Das hiesige würde schaden, läge der Kernmittelwert doppelt so weit weg."
    ),
    "λ = 0.1": "λ = 0.1",
    # the story of functions
    "The average of a function": "Das Mittel einer Funktion",
    "f = k(·, t) is a bump around t. Its average over the 20 points estimates E f(X). Which other number is"
    " it exactly?": (
        "f = k(·, t) ist ein Hügel um t. Sein Mittel über die 20 Punkte schätzt E f(X). Welcher anderen Zahl ist es"
        " genau gleich?"
    ),
    "It is ⟨f, μ̂⟩: the average is {average_of_f} and the inner product {inner_of_f}. So the kernel mean"
    " holds the averages of all functions of its space. Exactly E f(X) is {exact_of_f}. Drag t.": (
        "Es ist ⟨f, μ̂⟩: Das Mittel ist {average_of_f} und das Skalarprodukt {inner_of_f}. Der Kernmittelwert enthält"
        " also die Mittel aller Funktionen seines Raums. Exakt ist E f(X) gleich {exact_of_f}. Ziehe t."
    ),
    "its inner product with μ̂": "seinem Skalarprodukt mit μ̂",
    "its largest value": "seinem größten Wert",
    "its value at the mean": "seinem Wert am Mittelwert",
    "Under the exponential kernel f(x) = exp(x t/s). What is its expectation, as t moves?": (
        "Unter dem exponentiellen Kern ist f(x) = exp(x t/s). Was ist ihr Erwartungswert, wenn t sich bewegt?"
    ),
    "It is the moment generating function: at this t it is {exact_of_f}, and the sample of 50 points gives"
    " {average_of_f}. Far from 0 a few points decide its average.": (
        "Es ist die momenterzeugende Funktion: Bei diesem t ist sie {exact_of_f}, und die Stichprobe von 50 Punkten"
        " ergibt {average_of_f}. Weit weg von 0 entscheiden wenige Punkte über ihr Mittel."
    ),
    "the density": "die Dichte",
    "the moment generating function": "die momenterzeugende Funktion",
    "the distribution function": "die Verteilungsfunktion",
    "F-KMSE does not average f itself. It averages what a regression predicts for f at each point. Does"
    " that give more or less than the average of f?": (
        "F-KMSE mittelt nicht f selbst. Es mittelt, was eine Regression für f an jedem Punkt vorhersagt. Ergibt das"
        " mehr oder weniger als das Mittel von f?"
    ),
    "Less: the mean of the predictions is {predicted_of_f}, and the average of f is {average_of_f}. Ridge"
    " regression pulls its predictions towards 0. F-KMSE's own weights give {flexible_of_f}, the same"
    " number.": (
        "Weniger: Das Mittel der Vorhersagen ist {predicted_of_f}, das Mittel von f ist {average_of_f}."
        " Ridge-Regression zieht ihre Vorhersagen gegen 0. Die eigenen Gewichte von F-KMSE ergeben {flexible_of_f},"
        " dieselbe Zahl."
    ),
    "A Gaussian process gives the kernel mean a band: 95 % for each single value. How much less squared"
    " error than the plain average does its mean have?": (
        "Ein Gauß-Prozess gibt dem Kernmittelwert ein Band: 95 % für jeden einzelnen Wert. Wie viel weniger"
        " quadratischen Fehler als das einfache Mittel hat sein Mittelwert?"
    ),
    "Next to nothing: it has {bayes_of_f} of the plain average's squared error. It is a filter that keeps"
    " γ²/(γ² + nτ²), and for large eigenvalues that is nearly everything. Its gain is the band.": (
        "So gut wie keinen: Er hat {bayes_of_f} des quadratischen Fehlers des einfachen Mittels. Er ist ein Filter, der"
        " γ²/(γ² + nτ²) behält, und für große Eigenwerte ist das fast alles. Sein Gewinn ist das Band."
    ),
    "less squared error than the plain average, Bayesian KME": (
        "weniger quadratischer Fehler als das einfache Mittel, Bayes-KME"
    ),
    # the story of the oracle
    "Is the plain average inadmissible?": "Ist das einfache Mittel unzulässig?",
    "An estimator is inadmissible if another one is better for every distribution. S-KMSE with its best λ:"
    " for which kernel means does it have less expected squared error than the plain average?": (
        "Ein Schätzer ist unzulässig, wenn ein anderer für jede Verteilung besser ist. S-KMSE mit seinem besten λ: Für"
        " welche Kernmittelwerte hat es weniger erwarteten quadratischen Fehler als das einfache Mittel?"
    ),
    "For all of them: the dotted curve lies below 1 everywhere. But it takes another λ for each, and nobody"
    " knows which. Here the best λ leaves {oracle_left} of the error.": (
        "Für alle: Die gepunktete Kurve liegt überall unter 1. Aber sie nimmt für jeden ein anderes λ, und niemand"
        " weiß, welches. Hier lässt das beste λ {oracle_left} des Fehlers übrig."
    ),
    "for all": "für alle",
    "only for short ones": "nur für kurze",
    "for none": "für keinen",
    "Now λ = 1 for every kernel mean. Is S-KMSE still better than the plain average everywhere?": (
        "Nun λ = 1 für jeden Kernmittelwert. Ist S-KMSE immer noch überall besser als das einfache Mittel?"
    ),
    "No: beyond {turning} errors of the plain average it is worse. No single λ is better everywhere, so the"
    " theorem does not show that the average is inadmissible.": (
        "Nein: Jenseits von {turning} Fehlern des einfachen Mittels ist es schlechter. Kein einzelnes λ ist überall"
        " besser; der Satz zeigt also nicht, dass das Mittel unzulässig ist."
    ),
    "Ten coordinates, one Gaussian distribution, the linear kernel. Does James-Stein, which takes its λ from"
    " the sample, beat the average everywhere?": (
        "Zehn Koordinaten, eine Gauß-Verteilung, der lineare Kern. Schlägt James-Stein, das sein λ der Stichprobe"
        " entnimmt, das Mittel überall?"
    ),
    "Yes: its curve stays below 1 at every distance. Here the plain average is inadmissible, but the proof"
    " is Stein's: it takes three coordinates or more, and no oracle.": (
        "Ja: Seine Kurve bleibt bei jedem Abstand unter 1. Hier ist das einfache Mittel unzulässig, aber der Beweis ist"
        " der von Stein: Er braucht drei Koordinaten oder mehr und kein Orakel."
    ),
    # help
    """<p><b>Functions.</b> The average of a function f over the sample is the inner product ⟨f, μ̂⟩, and E f(X) is
⟨f, μ⟩. <i>Averages of functions</i> takes f = k(·, t): its average, as t moves along the first coordinate, is the
kernel mean itself. You may drag t. Under the exponential kernel that curve is the moment generating function, and under
RBF the Weierstrass transform of the density, times a constant. <i>Conditional embeddings</i> predicts f at each point
of the sample by kernel ridge regression. The mean of these predictions is F-KMSE's value (erratum 39).</p>
<p><b>Bayesian KME.</b> Flaxman and others put a Gaussian process in front of the kernel mean. Its posterior mean is
another spectral filter, which keeps γ²/(γ² + nτ²) of an eigendirection, and its band covers single values of the kernel
mean. The switch “Bayesian KME” adds it to the losses, to <i>kept</i> and to <i>averages of functions</i>.</p>
<p><b>No λ for all.</b> By paper 002, shrinking makes the plain average inadmissible. For each kernel mean some λ
helps, but it depends on the unknown distribution. The picture shows S-KMSE's expected squared error over the distance
of the kernel mean from the target: with this λ for all, and with the best λ for each (erratum 19).</p>""": """\
<p><b>Funktionen.</b> Das Mittel einer Funktion f über die Stichprobe ist das Skalarprodukt ⟨f, μ̂⟩, und E f(X) ist
⟨f, μ⟩. <i>Mittel von Funktionen</i> nimmt f = k(·, t): Ihr Mittel, während t sich entlang der ersten Koordinate bewegt,
ist der Kernmittelwert selbst. Ziehe t. Unter dem exponentiellen Kern ist diese Kurve die momenterzeugende Funktion,
unter RBF die Weierstraß-Transformierte der Dichte mal einer Konstante. <i>Bedingte Einbettungen</i> sagt f an jedem
Punkt der Stichprobe durch Kern-Ridge-Regression vorher. Das Mittel dieser Vorhersagen ist der Wert von F-KMSE
(Erratum 39).</p>
<p><b>Bayes-KME.</b> Flaxman und andere setzen dem Kernmittelwert einen Gauß-Prozess voran. Der Mittelwert seiner
Posterior-Verteilung ist ein weiterer Spektralfilter, der γ²/(γ² + nτ²) einer Eigenrichtung behält, und sein Band gilt
für einzelne Werte des Kernmittelwerts. Der Schalter „Bayes-KME“ zeigt ihn bei den Verlusten, bei <i>behalten</i> und
bei den <i>Mitteln von Funktionen</i>.</p>
<p><b>Kein λ für alle.</b> Nach Arbeit 002 macht Schrumpfung das einfache Mittel unzulässig. Für jeden Kernmittelwert
hilft ein λ, aber es hängt von der unbekannten Verteilung ab. Das Bild zeigt den erwarteten quadratischen Fehler von
S-KMSE über dem Abstand des Kernmittelwerts vom Ziel: mit diesem λ für alle, und mit dem besten λ für jeden
(Erratum 19).</p>""",
}
