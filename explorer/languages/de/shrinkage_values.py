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
    "distance of μ from the target / RMSE of KME": ("Abstand von μ zum Ziel / RMSE von KME"),
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
    " Under RBF the kernel mean is a Weierstrass transform of the density p. At t, p smoothed by N(0, θ²I) is {}."
    " Multiplied by (2πθ²)^(d/2) = {} this gives {}.": (
        " Unter RBF ist der Kernmittelwert eine Weierstraß-Transformierte der Dichte p. Bei t ist p, mit N(0, θ²I)"
        " geglättet, {}. Mal (2πθ²)^(d/2) = {} ergibt das {}."
    ),
    " The posterior mean of Bayesian KME is {} ± {} (95 %).": (
        " Der Mittelwert der Posterior-Verteilung, Bayes-KME, ist {} ± {} (95 %)."
    ),
    " The band covers the exact value at {} of the positions drawn.": (
        " Das Band enthält den exakten Wert an {} der gezeichneten Stellen."
    ),
    "From each of the {} points, a conditional embedding predicts f = k(·, t), here with t = {}. The mean of the"
    " predictions is {}, and the inner product ⟨f, {}⟩ is {}.": (
        "An jedem der {} Punkte sagt eine bedingte Einbettung f = k(·, t) vorher, hier mit t = {}. Das Mittel der"
        " Vorhersagen ist {}, und das Skalarprodukt ⟨f, {}⟩ ist {}."
    ),
    " The mean of f itself, the plain average, is {}": " Das Mittel von f selbst, das einfache Mittel, ist {}",
    ", and E f(X) is {}.": ", und E f(X) ist {}.",
    "Here the kernel mean lies {} times the plain average's RMSE (root mean squared error) from the target. S-KMSE"
    " with λ = {} has {} of the plain average's expected squared error, and with the best λ {}. ": (
        "Hier liegt der Kernmittelwert das {}-Fache des RMSE (der Wurzel des mittleren quadratischen Fehlers) des"
        " einfachen Mittels vom Ziel entfernt. S-KMSE mit λ = {} hat {} des erwarteten quadratischen Fehlers des"
        " einfachen Mittels, mit dem besten λ {}. "
    ),
    "With λ = 0 S-KMSE is the plain average.": "Mit λ = 0 ist S-KMSE das einfache Mittel.",
    "If λ stays the same, S-KMSE is worse than the plain average at distances above {} times that RMSE.": (
        "Bleibt λ gleich, so ist S-KMSE bei Abständen über dem {}-Fachen dieses RMSE schlechter als das einfache"
        " Mittel."
    ),
    " The best λ helps at every distance, but it depends on the unknown μ. So the dotted curve shows what an"
    " oracle gains, not that the plain average is inadmissible (erratum 19).": (
        " Das beste λ hilft bei jedem Abstand, hängt aber vom unbekannten μ ab. Die gepunktete Kurve zeigt also, was"
        " ein Orakel gewinnt, und nicht, dass das einfache Mittel unzulässig ist (Erratum 19)."
    ),
    "Bayesian KME has noise τ² = {}. It keeps γ²/(γ² + nτ²): {} of the direction with the largest eigenvalue γ and"
    " {} of the middle one. {} keeps {} and {}.": (
        "Bayes-KME hat Rauschen τ² = {}. Es behält γ²/(γ² + nτ²): {} der Richtung mit dem größten Eigenwert γ und {}"
        " der mittleren. {} behält {} und {}."
    ),
    " Bayesian KME has {} of the plain average's squared error.": (
        " Bayes-KME hat {} des quadratischen Fehlers des einfachen Mittels."
    ),
    " The log evidence is {} here and {} at ten times the bandwidth. It grows with the bandwidth for any data, so"
    " it cannot choose the bandwidth.": (
        " Die logarithmierte Evidenz ist hier {} und bei zehnfacher Bandbreite {}. Sie wächst bei allen Daten mit"
        " der Bandbreite und kann deshalb keine Bandbreite wählen."
    ),
    # presets
    "A moment generating function": "Eine momenterzeugende Funktion",
    "Under the exponential kernel the kernel mean is E exp(⟨u, X⟩). Drag t: the average of f estimates it.": (
        "Unter dem exponentiellen Kern ist der Kernmittelwert E exp(⟨u, X⟩). Ziehe t: Das Mittel von f schätzt ihn."
    ),
    "The mean with its band": "Der Mittelwert mit seinem Band",
    "Bayesian KME hardly shrinks. Its band shows how far off its values may be, and covers most of the exact curve.": (
        "Bayes-KME schrumpft kaum. Sein Band zeigt, wie weit seine Werte danebenliegen können, und enthält den größten"
        " Teil der exakten Kurve."
    ),
    "Better for whom?": "Besser für wen?",
    "For each kernel mean some λ helps. This λ would do harm if the kernel mean were twice as far from the target.": (
        "Für jeden Kernmittelwert hilft ein λ. Dieses λ würde schaden, läge der Kernmittelwert doppelt so weit vom"
        " Ziel."
    ),
    "λ = 0.1": "λ = 0.1",
    # the story of functions
    "The average of a function": "Das Mittel einer Funktion",
    "f = k(·, t) is a bump around t. Its average over the 20 points estimates E f(X). Which other number equals"
    " this average exactly?": (
        "f = k(·, t) ist ein Hügel um t. Sein Mittel über die 20 Punkte schätzt E f(X). Welcher anderen Zahl ist es"
        " genau gleich?"
    ),
    "The inner product ⟨f, μ̂⟩: the average is {average_of_f}, and ⟨f, μ̂⟩ is {inner_of_f}. So the kernel mean"
    " contains the averages of all functions in its space. The exact E f(X) is {exact_of_f}. Drag t.": (
        "Das Skalarprodukt ⟨f, μ̂⟩: Das Mittel ist {average_of_f}, und ⟨f, μ̂⟩ ist {inner_of_f}. Der Kernmittelwert"
        " enthält also die Mittel aller Funktionen seines Raums. Das exakte E f(X) ist {exact_of_f}. Ziehe t."
    ),
    "its inner product with μ̂": "seinem Skalarprodukt mit μ̂",
    "its largest value": "seinem größten Wert",
    "its value at the mean": "seinem Wert am Mittelwert",
    "Under the exponential kernel f(x) = exp(x t/s). What is its expectation, as t moves?": (
        "Unter dem exponentiellen Kern ist f(x) = exp(x t/s). Was ist ihr Erwartungswert, wenn t sich bewegt?"
    ),
    "It is the moment generating function: at this t it is {exact_of_f}, and the sample of 50 points gives"
    " {average_of_f}. Far from 0 a few points dominate the sample's average.": (
        "Es ist die momenterzeugende Funktion: Bei diesem t ist sie {exact_of_f}, und die Stichprobe von 50 Punkten"
        " ergibt {average_of_f}. Weit weg von 0 bestimmen wenige Punkte das Mittel der Stichprobe."
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
    " regression shrinks its predictions towards 0. F-KMSE's own weights give {flexible_of_f}, the same number.": (
        "Weniger: Das Mittel der Vorhersagen ist {predicted_of_f}, das Mittel von f ist {average_of_f}."
        " Ridge-Regression schrumpft ihre Vorhersagen gegen 0. Die eigenen Gewichte von F-KMSE ergeben"
        " {flexible_of_f}, dieselbe Zahl."
    ),
    "With a Gaussian process as its prior, the kernel mean gets a band: 95 % for each single value. How much less"
    " squared error than the plain average does the posterior mean have?": (
        "Mit einem Gauß-Prozess als Prior bekommt der Kernmittelwert ein Band: 95 % für jeden einzelnen Wert. Wie"
        " viel weniger quadratischen Fehler als das einfache Mittel hat der Mittelwert der Posterior-Verteilung?"
    ),
    "Hardly any: the posterior mean has {bayes_of_f} of the plain average's squared error. It is a filter that"
    " keeps γ²/(γ² + nτ²), and for large eigenvalues that is nearly 1. What is gained is the band.": (
        "So gut wie keinen: Er hat {bayes_of_f} des quadratischen Fehlers des einfachen Mittels. Er ist ein Filter,"
        " der γ²/(γ² + nτ²) behält, und für große Eigenwerte ist das fast 1. Gewonnen ist das Band."
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
    "For all of them: the dotted curve lies below 1 everywhere. But each kernel mean needs a different λ, which"
    " depends on the unknown distribution. Here the best λ leaves {oracle_left} of the error.": (
        "Für alle: Die gepunktete Kurve liegt überall unter 1. Aber jeder Kernmittelwert braucht ein anderes λ, das"
        " von der unbekannten Verteilung abhängt. Hier lässt das beste λ {oracle_left} des Fehlers übrig."
    ),
    "for all": "für alle",
    "only near the target": "nur nahe am Ziel",
    "for none": "für keinen",
    "Now λ = 1 for every kernel mean. Is S-KMSE still better than the plain average everywhere?": (
        "Nun λ = 1 für jeden Kernmittelwert. Ist S-KMSE immer noch überall besser als das einfache Mittel?"
    ),
    "No: it is worse at distances above {turning} times the plain average's root mean squared error. No single λ"
    " is better everywhere, so the theorem does not show that the average is inadmissible.": (
        "Nein: Es ist schlechter bei Abständen über dem {turning}-Fachen der Wurzel des mittleren quadratischen"
        " Fehlers des einfachen Mittels. Kein einzelnes λ ist überall besser; der Satz zeigt also nicht, dass das"
        " Mittel unzulässig ist."
    ),
    "Ten coordinates, one Gaussian distribution, the linear kernel. Does James-Stein, which takes its λ from"
    " the sample, beat the average everywhere?": (
        "Zehn Koordinaten, eine Gauß-Verteilung, der lineare Kern. Schlägt James-Stein, das sein λ der Stichprobe"
        " entnimmt, das Mittel überall?"
    ),
    "Yes: its curve stays below 1 at every distance. So here the plain average is inadmissible. This is Stein's"
    " theorem: it needs three coordinates or more, but no oracle.": (
        "Ja: Seine Kurve bleibt bei jedem Abstand unter 1. Hier ist das einfache Mittel also unzulässig. Das ist der"
        " Satz von Stein: Er braucht drei Koordinaten oder mehr, aber kein Orakel."
    ),
    # help
    """<p><b>Functions.</b> The average of a function f over the sample is the inner product ⟨f, μ̂⟩, and E f(X) is
⟨f, μ⟩. <i>Averages of functions</i> takes f = k(·, t): its average, as t moves along the first coordinate, is the
kernel mean itself. You may drag t. Under the exponential kernel that curve is the moment generating function, and under
RBF the Weierstrass transform of the density, times a constant. <i>Conditional embeddings</i> predicts f at each point
of the sample by kernel ridge regression. The mean of these predictions is F-KMSE's value (erratum 39).</p>
<p><b>Bayesian KME.</b> Flaxman and others take a Gaussian process as the prior of the kernel mean. The posterior mean
is another spectral filter, which keeps γ²/(γ² + nτ²) of an eigendirection. The band covers single values of the kernel
mean. The switch “Bayesian KME” adds it to the losses, to <i>kept</i> and to <i>averages of functions</i>.</p>
<p><b>No λ for all.</b> By paper 002, shrinking makes the plain average inadmissible. For each kernel mean some λ helps,
but it depends on the unknown distribution. The picture shows S-KMSE's expected squared error over the distance of the
kernel mean from the target, with the current λ for all and with the best λ for each (erratum 19). The distance is
divided by the plain average's root mean squared error (RMSE).</p>""": """\
<p><b>Funktionen.</b> Das Mittel einer Funktion f über die Stichprobe ist das Skalarprodukt ⟨f, μ̂⟩, und E f(X) ist
⟨f, μ⟩. <i>Mittel von Funktionen</i> nimmt f = k(·, t): Ihr Mittel, während t sich entlang der ersten Koordinate bewegt,
ist der Kernmittelwert selbst. Ziehe t. Unter dem exponentiellen Kern ist diese Kurve die momenterzeugende Funktion,
unter RBF die Weierstraß-Transformierte der Dichte mal einer Konstante. <i>Bedingte Einbettungen</i> sagt f an jedem
Punkt der Stichprobe durch Kern-Ridge-Regression vorher. Das Mittel dieser Vorhersagen ist der Wert von F-KMSE
(Erratum 39).</p>
<p><b>Bayes-KME.</b> Flaxman und andere nehmen einen Gauß-Prozess als Prior des Kernmittelwerts. Der Mittelwert der
Posterior-Verteilung ist ein weiterer Spektralfilter, der γ²/(γ² + nτ²) einer Eigenrichtung behält, und sein Band gilt
für einzelne Werte des Kernmittelwerts. Der Schalter „Bayes-KME“ zeigt ihn bei den Verlusten, bei <i>behalten</i> und
bei den <i>Mitteln von Funktionen</i>.</p>
<p><b>Kein λ für alle.</b> Nach Arbeit 002 macht Schrumpfung das einfache Mittel unzulässig. Für jeden Kernmittelwert
hilft ein λ, aber es hängt von der unbekannten Verteilung ab. Das Bild zeigt den erwarteten quadratischen Fehler von
S-KMSE über dem Abstand des Kernmittelwerts vom Ziel: mit diesem λ für alle, und mit dem besten λ für jeden
(Erratum 19). Der Abstand ist durch die Wurzel des mittleren quadratischen Fehlers (RMSE) des einfachen Mittels
geteilt.</p>""",
}
