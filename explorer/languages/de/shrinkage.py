"""The Shrinkage lab in German."""

TEXTS = {
    # presets
    "A little helps": "Ein wenig hilft",
    "20 points, a narrow bandwidth: both estimators cut the squared error of the plain average by a fifth or more.": (
        "20 Punkte, schmale Bandbreite: Beide Schätzer senken den quadratischen Fehler des einfachen Mittels um ein"
        " Fünftel oder mehr."
    ),
    "Ten coordinates": "Zehn Koordinaten",
    "With the linear kernel the kernel mean is the ordinary mean. Shrinking ten coordinates towards 0 helps.": (
        "Mit dem linearen Kern ist der Kernmittelwert der gewöhnliche Mittelwert. Zehn Koordinaten gegen 0 zu"
        " schrumpfen hilft."
    ),
    "bandwidth 1": "Bandbreite 1",
    "λ by leave-one-out": "λ durch Leave-one-out",
    "free weights": "freie Gewichte",
    "no outliers": "keine Ausreißer",
    "Bandwidth decides": "Die Bandbreite entscheidet",
    "The same sample at half the bandwidth: points hardly resemble each other, so the gain more than doubles.": (
        "Dieselbe Stichprobe bei halber Bandbreite: Die Punkte ähneln sich kaum, und der Gewinn ist mehr als doppelt"
        " so groß."
    ),
    "Laplacian gains more than RBF": "Laplace gewinnt mehr als RBF",
    "Near neighbours resemble each other less under the Laplacian kernel, so there is more noise to remove.": (
        "Unter dem Laplace-Kern ähneln sich nahe Nachbarn weniger. Deshalb gibt es mehr Rauschen zu entfernen."
    ),
    "When it hurts": "Wann es schadet",
    "100 points at the median bandwidth have little noise to remove. For S-KMSE λ = 0.32 is far too large.": (
        "100 Punkte bei der Bandbreite des Medians haben wenig Rauschen. Für S-KMSE ist λ = 0.32 viel zu groß."
    ),
    "Leave-one-out, mostly": "Leave-one-out, meistens",
    "On this sample leave-one-out gets S-KMSE about half of the gain that its best λ would give.": (
        "Auf dieser Stichprobe bringt Leave-one-out S-KMSE etwa die Hälfte des Gewinns, den das beste λ brächte."
    ),
    "Weights that sum to one": "Gewichte mit Summe 1",
    "Dividing the weights by their sum turns S-KMSE back into the plain average and makes F-KMSE worse than that.": (
        "Durch ihre Summe geteilte Gewichte machen S-KMSE wieder zum einfachen Mittel und F-KMSE schlechter als dieses."
    ),
    "Lone points fade": "Einzelne Punkte verblassen",
    "4 of 40 points are outliers. F-KMSE gives isolated points less weight, and S-KMSE cannot.": (
        "4 von 40 Punkten sind Ausreißer. F-KMSE gibt vereinzelten Punkten weniger Gewicht; S-KMSE kann das nicht."
    ),
    "As printed": "Wie gedruckt",
    "The score printed as Theorem 4 still uses the point that is left out, so its λ is too large.": (
        "Der als Theorem 4 gedruckte Wert benutzt den ausgelassenen Punkt noch und wählt deshalb ein zu großes λ."
    ),
    "A table: wine": "Eine Tabelle: Wein",
    "Example: 178 wines with 13 measurements. The truth is unknown, so the curves are leave-one-out estimates.": (
        "Beispiel: 178 Weine mit 13 Messwerten. Die Wahrheit ist unbekannt; die Kurven sind Leave-one-out-Schätzungen."
    ),
    # headline
    "at {}": "bei {}",
    "at {} ({}: {})": "bei {} ({}: {})",
    "Shrinking gives <b>{}</b> {} the plain average ({}) and <b>{}</b> ({}), {}.": (
        "Schrumpfen bringt <b>{}</b> {} das einfache Mittel ({}) und <b>{}</b> ({}), {}."
    ),
    "with λ by leave-one-out": "mit λ aus Leave-one-out",
    "{} towards the target": "{} zum Ziel hin",
    "{} coordinates": "{} Koordinaten",
    "1 coordinate": "1 Koordinate",
    "Averaged over samples, {} with {} has <b>{}</b> {} the plain average.": (
        "Im Durchschnitt über Stichproben hat {} mit {} <b>{}</b> {} das einfache Mittel."
    ),
    "The true mean lies {} standard errors from 0.": "Der wahre Mittelwert liegt {} Standardfehler von 0 entfernt.",
    "The true mean is 0.": "Der wahre Mittelwert ist 0.",
    "These are leave-one-out estimates: the distribution of {} is unknown.": (
        "Dies sind Leave-one-out-Schätzungen: Die Verteilung von {} ist unbekannt."
    ),
    "Averaged over samples, {} with λ = {} has {} squared error.": (
        "Im Durchschnitt über Stichproben hat {} mit λ = {} {} quadratischen Fehler."
    ),
    "With weights that sum to one, S-KMSE is the plain average again.": (
        "Mit Gewichten der Summe 1 ist S-KMSE wieder das einfache Mittel."
    ),
    "On the simplex F-KMSE is the plain average.": "Auf dem Simplex ist F-KMSE das einfache Mittel.",
    " of the {} points": " der {} Punkte",
    "is an outlier": "ist ein Ausreißer",
    "are outliers": "sind Ausreißer",
    "was moved by hand": "wurde von Hand verschoben",
    "were moved by hand": "wurden von Hand verschoben",
    # caption
    " On this sample {} has {} {} the plain average{}.": " Auf dieser Stichprobe hat {} {} {} das einfache Mittel{}.",
    " {} has {} {} the plain average.": " {} hat {} {} das einfache Mittel.",
    " By leave-one-out {} has {} {} the plain average.": " Nach Leave-one-out hat {} {} {} das einfache Mittel.",
    " {} has no loss here: {}": " {} hat hier keinen Verlust: {}",
    "{} is scored by n refits, so n may be at most {}, not {}; take fewer points.": (
        "{} wird durch n neue Anpassungen bewertet, also darf n höchstens {} sein, nicht {}; weniger Punkte nehmen."
    ),
    "The kernel '{}' has no expectations under Gaussian distributions, so no loss is known; take a table instead.": (
        "Der Kern „{}“ hat keine Erwartungswerte unter Gauß-Verteilungen, also ist kein Verlust bekannt; stattdessen"
        " eine Tabelle nehmen."
    ),
    "The kernel '{}' has a kink, so its mean under Student's t is known to few digits; take another source.": (
        "Der Kern „{}“ hat einen Knick, sein Mittelwert unter Students t ist nur auf wenige Stellen bekannt; andere"
        " Quelle nehmen."
    ),
    ", and {} averaged over samples": ", und {} im Durchschnitt über Stichproben",
    " Leave-one-out chooses {} = {} for {} and {} for {}.": " Leave-one-out wählt {} = {} für {} und {} für {}.",
    " S-KMSE on the simplex is the mixture of points that lies nearest to S-KMSE with free weights.": (
        " S-KMSE auf dem Simplex ist die Mischung der Punkte, die S-KMSE mit freien Gewichten am nächsten liegt."
    ),
    " {} The true distribution has no such points.": " {} Die wahre Verteilung hat keine solchen Punkte.",
    " This sample has n = {} points and seed {}.{}": " Diese Stichprobe hat n = {} Punkte und Startwert {}.{}",
    "With one or two coordinates {} is the plain average.": (
        "Mit einer oder zwei Koordinaten ist {} das einfache Mittel."
    ),
    "With three or more coordinates {} has less expected squared error than the plain average, wherever the true"
    " mean θ lies. The gain fades as |θ| grows.": (
        "Ab drei Koordinaten hat {} weniger erwarteten quadratischen Fehler als das einfache Mittel, wo auch immer der"
        " wahre Mittelwert θ liegt. Der Gewinn schwindet, wenn |θ| wächst."
    ),
    "{} keeps {} of the plain average's expected squared error {} and adds a squared bias of {}.": (
        "{} behält {} vom erwarteten quadratischen Fehler {} des einfachen Mittels und fügt eine quadrierte Verzerrung"
        " von {} hinzu."
    ),
    "{} The best α is {} = {}, and so is the gain: <b>{}</b>{}. {}.": (
        "{} Das beste α ist {} = {}, und ebenso groß ist der Gewinn: <b>{}</b>{}. {}."
    ),
    " (under RBF {})": " (unter RBF {})",
    "Above {} S-KMSE is worse than the plain average": "Über {} ist S-KMSE schlechter als das einfache Mittel",
    "Above λ = {} S-KMSE is worse than the plain average": "Über λ = {} ist S-KMSE schlechter als das einfache Mittel",
    "No λ makes S-KMSE worse than the plain average": "Kein λ macht S-KMSE schlechter als das einfache Mittel",
    "mean 1": "Mittelwert 1",
    "bandwidth 0.1": "Bandbreite 0.1",
    " The error bound needs independent points of a known distribution and a kernel with 0 ≤ k ≤ 1, such as RBF"
    " or Laplacian.": (
        " Die Fehlerschranke braucht unabhängige Punkte einer bekannten Verteilung und einen Kern mit 0 ≤ k ≤ 1, etwa"
        " RBF oder Laplace."
    ),
    " With probability at least 1 − δ = {} the plain average's error ‖μ̂ − μ‖ is at most {} = {}. The paper prints"
    " {}. On this sample the error is {}, and its root mean square over samples is {}.": (
        " Mit Wahrscheinlichkeit mindestens 1 − δ = {} ist der Fehler ‖μ̂ − μ‖ des einfachen Mittels höchstens {} = {}."
        " Die Arbeit druckt {}. Auf dieser Stichprobe ist der Fehler {}, im quadratischen Mittel über Stichproben {}."
    ),
    "{} +100 samples draws the histogram.": "{} Mit +100 Stichproben entsteht das Histogramm.",
    "{} {} of {} more samples exceed the bound.": "{} {} von {} weiteren Stichproben überschreiten die Schranke.",
    " The true distribution is unknown, so the picture shows only scores (dotted). They estimate the left side of"
    " {}: the loss plus a constant.": (
        " Die wahre Verteilung ist unbekannt, also zeigt das Bild nur Leave-one-out-Werte (gepunktet). Sie schätzen"
        " die linke Seite von {}: den Verlust plus eine Konstante."
    ),
    " {}. The upper curves are the lower ones plus the constant nΔ, which is {} times the plain average's loss. So"
    " both have their minimum at the same λ. Leave-one-out (dotted) estimates the upper curves from the sample"
    " alone.": (
        " {}. Die oberen Kurven sind die unteren plus die Konstante nΔ; sie ist das {}-Fache des Verlusts des"
        " einfachen Mittels. Beide haben ihr Minimum also beim selben λ. Leave-one-out (gepunktet) schätzt die oberen"
        " Kurven allein aus der Stichprobe."
    ),
    "{} F-KMSE's scores at {} values of λ took {} in closed form. With {} refits for each value they would take"
    " about {}.": (
        "{} In geschlossener Form dauerten die Werte von F-KMSE an {} Stellen λ {}. Mit {} Anpassungen je Stelle"
        " wären es etwa {}."
    ),
    "{} minutes": "{} Minuten",
    # pictures
    "Expected squared error of James-Stein, relative to the plain average": (
        "Erwarteter quadratischer Fehler von James-Stein, relativ zum einfachen Mittel"
    ),
    "Expected squared error of James-Stein: drag the dot": (
        "Erwarteter quadratischer Fehler von James-Stein: den Punkt ziehen"
    ),
    "|θ|: distance of the true mean from 0, in standard errors of the average": (
        "|θ|: Abstand des wahren Mittelwerts von 0, in Standardfehlern des Mittels"
    ),
    "At |θ| = {} with d = {} the expected squared error is {} of the plain average's.": (
        "Bei |θ| = {} mit d = {} ist der erwartete quadratische Fehler {} von dem des einfachen Mittels."
    ),
    "d = 1 and d = 2": "d = 1 und d = 2",
    "this distribution": "diese Verteilung",
    "James-Stein on average": "James-Stein im Durchschnitt",
    "Sample, area = weight of {}": "Stichprobe, Fläche = Gewicht von {}",
    "weight of {}": "Gewicht von {}",
    "weight 1/n (plain average)": "Gewicht 1/n (einfaches Mittel)",
    "target": "Ziel",
    "outlier or moved": "Ausreißer oder verschoben",
    "The weights of {} go from {} to {} times 1/n{}.{}": (
        "Die Gewichte von {} reichen vom {}- bis zum {}-Fachen von 1/n{}.{}"
    ),
    ", and {} of them are negative": ", und {} davon sind negativ",
    " The {} outliers carry {} of all weight.": " Die {} Ausreißer tragen {} des ganzen Gewichts.",
    "Drag the line: relative squared error": "Linie ziehen: relativer quadratischer Fehler",
    "Share kept along each eigendirection": "Behaltener Anteil je Eigenrichtung",
    "eigenvalue γ / mean k(x, x) (log scale)": "Eigenwert γ / Mittel k(x, x) (logarithmisch)",
    "share kept, h(γ)": "behaltener Anteil, h(γ)",
    "eigenvalues": "Eigenwerte",
    "In {} of the {} eigendirections {} keeps more than half of the plain average.": (
        "In {} der {} Eigenrichtungen behält {} mehr als die Hälfte des einfachen Mittels."
    ),
    "Coefficients, plain and shrunk": "Koeffizienten, einfach und geschrumpft",
    "share of the average's length (log scale)": "Anteil an der Länge des Mittels (logarithmisch)",
    "Expected squared error of S-KMSE": "Erwarteter quadratischer Fehler von S-KMSE",
    "variance and squared bias": "Varianz und quadrierte Verzerrung",
    "variance": "Varianz",
    "squared bias": "quadrierte Verzerrung",
    "expected loss": "erwarteter Verlust",
    "iterated Tikhonov": "iterierter Tikhonov",
    "Landweber": "Landweber",
    "truncated SVD": "abgeschnittene SVD",
    "ν-method": "ν-Methode",
    # settings
    "Estimators": "Schätzer",
    "sample of": "Stichprobe aus",
    "mixture of four": "Mischung aus vier",
    "one Gaussian": "eine Gauß-Verteilung",
    "Student's t": "Students t",
    "mean": "Mittelwert",
    "F-KMSE chooses λ by": "F-KMSE wählt λ durch",
    "leave-one-out": "Leave-one-out",
    "Theorem 4, as printed": "Theorem 4, wie gedruckt",
    "filter": "Filter",
    "weights": "Gewichte",
    "as they are": "wie sie sind",
    "sum to one": "mit Summe 1",
    "on the simplex": "auf dem Simplex",
    "S-KMSE shrinks to": "S-KMSE schrumpft zu",
    "a Gaussian's mean": "Kernmittelwert einer Gauß-Verteilung",
    "distance of outliers, sd": "Abstand der Ausreißer, sd",
    "outliers are": "Ausreißer sind",
    "far cluster": "ferne Gruppe",
    "point mass": "Punktmasse",
    "heavy tail": "schwere Ränder",
    "show": "zeigen",
    "S-KMSE and F-KMSE": "S-KMSE und F-KMSE",
    "kept": "Behalten",
    "coefficients": "Koeffizienten",
    "variance and bias": "Varianz und Verzerrung",
    "scores": "Scores",
    "error bound": "Fehlerschranke",
    "mark λ = c γ₀": "λ = c γ₀ markieren",
    "δ of the bound": "δ der Schranke",
    "+100 samples": "+100 Stichproben",
    "Drawing ...": "Wird gezogen ...",
    "{value} samples": "{value} Stichproben",
    "draws 100 more samples": "zieht 100 weitere Stichproben",
    "bound CSV": "Schranke CSV",
    "curves CSV": "Kurven CSV",
    "sample CSV": "Stichprobe CSV",
    "spectrum CSV": "Spektrum CSV",
    "λ by leave-one-out, S-KMSE": "λ durch Leave-one-out, S-KMSE",
    "λ by leave-one-out, {result.flexible_name}": "λ durch Leave-one-out, {result.flexible_name}",
    "estimated loss / loss of KME, S-KMSE": "geschätzter Verlust / Verlust von KME, S-KMSE",
    "estimated loss / loss of KME, {result.flexible_name}": (
        "geschätzter Verlust / Verlust von KME, {result.flexible_name}"
    ),
    "loss / loss of KME, {result.lab.beside}": "Verlust / Verlust von KME, {result.lab.beside}",
    "loss / loss of KME, S-KMSE": "Verlust / Verlust von KME, S-KMSE",
    "loss / loss of KME, {result.flexible_name}": "Verlust / Verlust von KME, {result.flexible_name}",
    "best λ, S-KMSE": "bestes λ, S-KMSE",
    "best λ, {result.flexible_name}": "bestes λ, {result.flexible_name}",
    "error of KME beside its bound": "Fehler von KME im Verhältnis zur Schranke",
    "error of KME / its bound": "Fehler von KME / Schranke",
    # what cannot be
    "{} outliers need n of at least {}, and n is {}.": "{} Ausreißer brauchen n von mindestens {}, und n ist {}.",
    "James and Stein estimate the mean of one Gaussian distribution: take the source 'gaussian' with"
    " the kernel 'LIN', or the estimators 'kernel'.": (
        "James und Stein schätzen den Mittelwert einer Gauß-Verteilung: Quelle 'gaussian' mit Kern 'LIN' wählen, oder"
        " die Schätzer 'kernel'."
    ),
    "The kernel '{}' has a kink, so its mean under Student's t is known to five digits only; take the"
    " kernel 'RBF' or a polynomial one, or another source.": (
        "Der Kern '{}' hat einen Knick, sein Mittelwert unter Students t ist deshalb nur auf fünf Stellen bekannt; den"
        " Kern 'RBF', einen polynomialen oder eine andere Quelle wählen."
    ),
    "The Laplacian kernel's mean under a mixture has no closed form. Its numerical value is too rough for d above"
    " {}, and d is {}; take fewer coordinates, the source 'gaussian' or the kernel 'RBF'.": (
        "Der Mittelwert des Laplace-Kerns unter einer Mischung hat keine geschlossene Form. Numerisch ist er für d"
        " über {} zu grob, und d ist {}; weniger Koordinaten, die Quelle 'gaussian' oder den Kern 'RBF' wählen."
    ),
    "The filter '{}' is scored by n refits, so{} n may be at most {}, not {}; take fewer points, or the"
    " filter 'tikhonov', which is F-KMSE.": (
        "Der Filter '{}' wird durch n Anpassungen bewertet, also darf n{} höchstens {} sein, nicht {}; weniger Punkte"
        " wählen oder den Filter 'tikhonov', das ist F-KMSE."
    ),
    ", and with more samples": ", mit weiteren Stichproben,",
    "weights '{}' go with the filter 'tikhonov' only; take weights 'free' for '{}'.": (
        "Die Gewichte '{}' passen nur zum Filter 'tikhonov'; für '{}' die Gewichte 'free' wählen."
    ),
    "weights on the simplex only mix the points, so they have no target; take target 'zero'.": (
        "Gewichte auf dem Simplex mischen nur die Punkte, also haben sie kein Ziel; das Ziel 'zero' wählen."
    ),
    "weights on the simplex have no leave-one-out score, so the distribution must be known; take a mixture, a"
    " Gaussian or Student's t.": (
        "Gewichte auf dem Simplex haben keinen Leave-one-out-Wert, also muss die Verteilung bekannt sein; eine"
        " Mischung, eine Gauß-Verteilung oder Students t wählen."
    ),
    "n is {}; weights on the simplex are drawn for n up to {}.": (
        "n ist {}; Gewichte auf dem Simplex werden für n bis {} gezeichnet."
    ),
    "The distribution behind a table is unknown, so no more samples can be drawn from it.": (
        "Die Verteilung hinter einer Tabelle ist unbekannt, also lassen sich keine weiteren Stichproben ziehen."
    ),
    # words of the stories
    "No": "Nein",
    "Yes": "Ja",
    "less squared error than the plain average, on average": (
        "weniger quadratischer Fehler als das einfache Mittel, im Durchschnitt"
    ),
    "less squared error than the plain average, by leave-one-out": (
        "weniger quadratischer Fehler als das einfache Mittel, nach Leave-one-out"
    ),
    "Yes, it is worse": "Ja, es ist schlechter",
    "No, a small gain": "Nein, ein kleiner Gewinn",
    "No, a large gain": "Nein, ein großer Gewinn",
    "below 0.1": "unter 0.1",
    "between 0.1 and 1": "zwischen 0.1 und 1",
    "above 1": "über 1",
    "less": "weniger",
    "up to twice as much": "bis zum Doppelten",
    "even more": "noch mehr",
    "nothing": "nichts",
    "some of it": "ein Teil",
    "all of it": "alles",
    "It is too small": "Es ist zu klein",
    "It is about right": "Es stimmt ungefähr",
    "It is too large": "Es ist zu groß",
    "too far to the left": "zu weit links",
    "about right": "ungefähr richtig",
    "too far to the right": "zu weit rechts",
    # Stein's surprise
    "You average 20 points of a Gaussian distribution on a line. James and Stein shrink the average towards"
    " 0, less so the farther it lies from 0. Does that lower its squared error on average?": (
        "Gemittelt werden 20 Punkte einer Gauß-Verteilung auf einer Geraden. James und Stein schrumpfen das Mittel"
        " gegen 0, umso weniger, je weiter es von 0 entfernt liegt. Senkt das den quadratischen Fehler im Durchschnitt?"
    ),
    "No: James-Stein has {stein} squared error, because with one coordinate it is the plain average. On a"
    " line no estimator beats the average for every true mean.": (
        "Nein: James-Stein hat {stein} quadratischen Fehler, denn mit einer Koordinate ist es das einfache Mittel. Auf"
        " der Geraden schlägt kein Schätzer das Mittel für jeden wahren Mittelwert."
    ),
    "Two coordinates. Does the second one help James and Stein?": (
        "Zwei Koordinaten. Hilft die zweite James und Stein?"
    ),
    "No: James-Stein still has {stein} squared error. Two coordinates are not enough.": (
        "Nein: James-Stein hat immer noch {stein} quadratischen Fehler. Zwei Koordinaten reichen nicht."
    ),
    "Three independent coordinates. Does James-Stein have less squared error on average now?": (
        "Drei unabhängige Koordinaten. Hat James-Stein jetzt im Durchschnitt weniger quadratischen Fehler?"
    ),
    "Yes: James-Stein has {stein} squared error if the true mean is 0. The curve for d = 3 lies below the plain"
    " average for every other true mean too.": (
        "Ja: James-Stein hat {stein} quadratischen Fehler, wenn der wahre Mittelwert 0 ist. Die Kurve für d = 3"
        " liegt auch für jeden anderen wahren Mittelwert unter dem einfachen Mittel."
    ),
    "Ten coordinates. How much less squared error does James-Stein have on average?": (
        "Zehn Koordinaten. Wie viel weniger quadratischen Fehler hat James-Stein im Durchschnitt?"
    ),
    "It has {stein} squared error on average. With more coordinates, the length of the average shows more"
    " clearly how much of it is noise.": (
        "Es hat im Durchschnitt {stein} quadratischen Fehler. Mit mehr Koordinaten zeigt die Länge des Mittels"
        " deutlicher, wie viel davon Rauschen ist."
    ),
    "The true mean moves away from 0, in every coordinate by one standard error of the average. How much"
    " of James-Stein's gain is left?": (
        "Der wahre Mittelwert rückt von 0 weg, in jeder Koordinate um einen Standardfehler des Mittels. Wie viel bleibt"
        " vom Gewinn von James-Stein?"
    ),
    "James-Stein still has {stein} squared error on average at |θ| = {theta}. Drag the dot to see the gain fade.": (
        "James-Stein hat bei |θ| = {theta} im Durchschnitt noch {stein} quadratischen Fehler. Den Punkt ziehen, um"
        " den Gewinn schwinden zu sehen."
    ),
    "The true mean moves far away from 0, by 1 in every coordinate. Is James-Stein worse than the plain average now?": (
        "Der wahre Mittelwert rückt weit von 0 weg, um 1 in jeder Koordinate. Ist James-Stein jetzt schlechter als das"
        " einfache Mittel?"
    ),
    "No: it has {stein} squared error on average. Far from 0 the average is long, so James-Stein hardly shrinks it.": (
        "Nein: Es hat im Durchschnitt {stein} quadratischen Fehler. Fern von 0 ist das Mittel lang, also schrumpft"
        " James-Stein es kaum."
    ),
    "Must the average shrink to 0? S-KMSE is the same idea for kernel means. Here it shrinks towards a target that"
    " lies farther from the truth than 0 does. Can that lower the squared error on average?": (
        "Muss das Mittel gegen 0 schrumpfen? S-KMSE ist dieselbe Idee für Kernmittelwerte. Hier schrumpft es zu"
        " einem Ziel hin, das weiter von der Wahrheit entfernt liegt als 0. Kann das den quadratischen Fehler im"
        " Durchschnitt senken?"
    ),
    "Yes: any target helps. With the best λ S-KMSE has {best} less squared error on average. The gain grows as the"
    " target comes nearer to the truth. Drag the target.": (
        "Ja: Jedes Ziel hilft. Mit dem besten λ hat S-KMSE im Durchschnitt {best} weniger quadratischen Fehler. Der"
        " Gewinn wächst, je näher das Ziel der Wahrheit kommt. Das Ziel ziehen."
    ),
    # why the bandwidth decides
    "20 points, and the bandwidth that most programs choose: the median distance. How much less squared"
    " error does S-KMSE have on average, with the best λ?": (
        "20 Punkte und die Bandbreite, die die meisten Programme wählen: der Median der Abstände. Wie viel weniger"
        " quadratischen Fehler hat S-KMSE im Durchschnitt, mit dem besten λ?"
    ),
    "It has {best} less. At this bandwidth all points resemble each other, so their average has little noise.": (
        "Es hat {best} weniger. Bei dieser Bandbreite ähneln sich alle Punkte, also hat ihr Mittel wenig Rauschen."
    ),
    "The same 20 points at a third of the bandwidth. How much less squared error does S-KMSE have now?": (
        "Dieselben 20 Punkte bei einem Drittel der Bandbreite. Wie viel weniger quadratischen Fehler hat S-KMSE jetzt?"
    ),
    "It has {best} less on average with the best λ: its curve has a lower minimum. With λ by leave-one-out it has"
    " {simple} squared error on this sample.": (
        "Es hat mit dem besten λ im Durchschnitt {best} weniger: Seine Kurve hat ein tieferes Minimum. Mit λ aus"
        " Leave-one-out hat es auf dieser Stichprobe {simple} quadratischen Fehler."
    ),
    "At a tenth of the median a point hardly resembles any other. Where is S-KMSE's best λ on this sample?": (
        "Bei einem Zehntel des Medians ähnelt ein Punkt kaum einem anderen. Wo liegt auf dieser Stichprobe das beste λ"
        " von S-KMSE?"
    ),
    "It is λ = {oracle}, far to the right: an average of points that do not resemble each other is mostly"
    " noise. On average the best λ gives {best} less squared error.": (
        "Es ist λ = {oracle}, weit rechts: Ein Mittel von Punkten, die sich nicht ähneln, ist vor allem Rauschen. Im"
        " Durchschnitt bringt das beste λ {best} weniger quadratischen Fehler."
    ),
    "The narrow bandwidth again, with 200 points. How much of the gain is left?": (
        "Noch einmal die schmale Bandbreite, mit 200 Punkten. Wie viel bleibt vom Gewinn?"
    ),
    "With the best λ S-KMSE has {best} less squared error on average. The noise falls with n, but the norm of the"
    " true kernel mean does not. So both bandwidth and n decide how much there is to gain.": (
        "Mit dem besten λ hat S-KMSE im Durchschnitt {best} weniger quadratischen Fehler. Das Rauschen sinkt mit n,"
        " aber die Norm des wahren Kernmittelwerts nicht. Bandbreite und n entscheiden also beide über den Gewinn."
    ),
    # when shrinkage hurts
    "20 points at the median bandwidth, λ = 0.32. Does S-KMSE have less squared error than the plain average?": (
        "20 Punkte bei der Bandbreite des Medians, λ = 0.32. Hat S-KMSE weniger quadratischen Fehler als das einfache"
        " Mittel?"
    ),
    "No: it has {simple} squared error on this sample, and {average} on average. {harm}.": (
        "Nein: Es hat {simple} quadratischen Fehler auf dieser Stichprobe und {average} im Durchschnitt. {harm}."
    ),
    "The same λ with 100 points. How much squared error does S-KMSE have now, relative to the plain average?": (
        "Dasselbe λ mit 100 Punkten. Wie viel quadratischen Fehler hat S-KMSE jetzt, relativ zum einfachen Mittel?"
    ),
    "More data make it worse: S-KMSE has {simple} squared error on this sample. There is less noise to"
    " remove, but shrinking adds as much bias as before. {harm}.": (
        "Mehr Daten machen es schlimmer: S-KMSE hat {simple} quadratischen Fehler auf dieser Stichprobe. Es gibt"
        " weniger Rauschen zu entfernen, aber die Schrumpfung verzerrt so viel wie zuvor. {harm}."
    ),
    "Now leave-one-out chooses λ for the 100 points. Does it avoid the harm?": (
        "Jetzt wählt Leave-one-out λ für die 100 Punkte. Vermeidet es den Schaden?"
    ),
    "Yes: it chooses λ = {chosen}, and S-KMSE has {simple} squared error.": (
        "Ja: Es wählt λ = {chosen}, und S-KMSE hat {simple} quadratischen Fehler."
    ),
    # normalised weights undo it
    "S-KMSE gives all points the same weight, less than 1/n. F-KMSE gives each point its own. Which has"
    " less squared error on this sample?": (
        "S-KMSE gibt allen Punkten dasselbe Gewicht, weniger als 1/n. F-KMSE gibt jedem Punkt ein eigenes. Was hat auf"
        " dieser Stichprobe weniger quadratischen Fehler?"
    ),
    "S-KMSE has {simple} squared error than the plain average, and F-KMSE {flexible}.": (
        "S-KMSE hat {simple} quadratischen Fehler als das einfache Mittel, F-KMSE {flexible}."
    ),
    "Now the weights are divided by their sum. How much of S-KMSE's gain is left?": (
        "Jetzt werden die Gewichte durch ihre Summe geteilt. Wie viel bleibt vom Gewinn von S-KMSE?"
    ),
    "Nothing: S-KMSE has {simple} squared error, because it is the plain average again. F-KMSE has"
    " {flexible}: it still moves weight from isolated points to crowds. Without shrinking, that only adds"
    " bias.": (
        "Nichts: S-KMSE hat {simple} quadratischen Fehler, denn es ist wieder das einfache Mittel. F-KMSE hat"
        " {flexible}: Es verschiebt weiterhin Gewicht von vereinzelten Punkten in die Menge. Ohne Schrumpfung"
        " bringt das nur Verzerrung."
    ),
    "On the simplex the weights are probabilities. Which estimate is then the plain average?": (
        "Auf dem Simplex sind die Gewichte Wahrscheinlichkeiten. Welche Schätzung ist dann das einfache Mittel?"
    ),
    "F-KMSE is, exactly: at every λ its best weights are 1/n. S-KMSE is now the mixture of points that lies"
    " nearest to the shrunk average. It has {simple} squared error.": (
        "F-KMSE, und zwar genau: Bei jedem λ sind seine besten Gewichte 1/n. S-KMSE ist nun die Mischung der Punkte,"
        " die dem geschrumpften Mittel am nächsten liegt. Es hat {simple} quadratischen Fehler."
    ),
    # leave-one-out finds it, mostly
    "In practice only the dotted curves are known. Is the λ at S-KMSE's lowest dotted point within a factor"
    " of 2 of its best λ?": (
        "In der Praxis sind nur die gepunkteten Kurven bekannt. Liegt das λ am tiefsten gepunkteten Punkt von S-KMSE"
        " innerhalb eines Faktors 2 um sein bestes λ?"
    ),
    "Yes: leave-one-out chooses λ = {chosen} for S-KMSE, and λ = {oracle} is best. With the chosen λ, S-KMSE has"
    " {simple} squared error.": (
        "Ja: Leave-one-out wählt λ = {chosen} für S-KMSE, und das beste ist λ = {oracle}. Mit dem gewählten λ hat"
        " S-KMSE {simple} quadratischen Fehler."
    ),
    "Another sample of the same distribution. Does leave-one-out choose the right λ for S-KMSE again?": (
        "Eine andere Stichprobe derselben Verteilung. Wählt Leave-one-out wieder das richtige λ für S-KMSE?"
    ),
    "Not quite: leave-one-out chooses λ = {chosen} for S-KMSE, and λ = {oracle} is best. With the chosen λ, S-KMSE"
    " has {simple} squared error. The score knows only this sample, with its noise.": (
        "Nicht ganz: Leave-one-out wählt λ = {chosen} für S-KMSE, und das beste ist λ = {oracle}. Mit dem gewählten"
        " λ hat S-KMSE {simple} quadratischen Fehler. Leave-one-out kennt nur diese Stichprobe mit ihrem Rauschen."
    ),
    "The paper prints another score as Theorem 4. Where does it put F-KMSE's λ?": (
        "Die Arbeit druckt als Theorem 4 einen anderen Wert. Wohin legt er das λ von F-KMSE?"
    ),
    "Too far to the right: F-KMSE has {flexible} squared error. The fit still uses the direction of the"
    " point that is left out, so the score underestimates the bias of shrinking.": (
        "Zu weit nach rechts: F-KMSE hat {flexible} quadratischen Fehler. Die Anpassung benutzt noch die Richtung des"
        " ausgelassenen Punktes, also unterschätzt der Wert die Verzerrung durch Schrumpfung."
    ),
    "Wine: 178 bottles with 13 measurements, from an unknown distribution. How much less squared error does"
    " S-KMSE have, estimated by leave-one-out?": (
        "Wein: 178 Flaschen mit 13 Messwerten aus einer unbekannten Verteilung. Wie viel weniger quadratischen Fehler"
        " hat S-KMSE, geschätzt durch Leave-one-out?"
    ),
    "S-KMSE has {simple} squared error by this estimate, and F-KMSE {flexible}. The exact error is unknown,"
    " because the distribution is.": (
        "S-KMSE hat nach dieser Schätzung {simple} quadratischen Fehler, F-KMSE {flexible}. Der exakte Fehler ist"
        " unbekannt, weil es die Verteilung ist."
    ),
    # how to read it
    """<div class='caption'>
<p><b>Loss over λ.</b> The loss of an estimate is its squared distance to the true kernel mean, in the kernel's feature
space. It is drawn relative to the plain average (KME): below 1 is better, and the tinted zone above 1 is harm. Thick
lines are exact losses on this sample. Dotted lines are leave-one-out scores on the same scale. In practice only the
scores are known. A filled marker shows the λ that leave-one-out chooses, a hollow one the best λ, and the vertical line
the current λ. +100 samples draws 100 more samples of the same distribution: the bands contain 50 % and 90 % of their
losses.</p>
<p><b>Sample.</b> S-KMSE shrinks every weight by the same factor. F-KMSE shrinks each eigendirection of the Gram matrix
by {}. A point in a crowd keeps its weight, and an isolated point loses some: compare its disc with the grey ring, which
is the weight 1/n of the plain average. A hollow disc is a negative weight. You may drag the points.</p>
<p><b>Small pictures.</b> <i>Kept</i>: the share of each eigendirection that an estimator keeps. Ticks are the
eigenvalues of the Gram matrix. <i>Coefficients</i>: the length of the plain average along each eigendirection, before
and after shrinking. <i>Variance and bias</i>: S-KMSE's expected loss, split into the remaining variance and, hatched,
the squared bias that shrinking adds. <i>Scores</i>: leave-one-out estimates the mean squared distance between a new
point and the estimate. This distance and the loss differ by a constant, so the axis is broken between them. <i>Error
bound</i>: the plain average's error on this sample and on more samples, with the bound that holds with probability
1 − δ (dashed) and the bound that paper 003 prints (dotted).</p>
<p><b>James-Stein.</b> Under the linear kernel the kernel mean of one Gaussian is its ordinary mean θ. James and Stein
shrink the average towards 0, less so the farther it lies from 0. The picture shows their expected squared error over
|θ|, relative to the plain average. You may drag the dot. It is the positive-part form: a factor below 0 becomes 0.</p>
<p><b>Settings.</b> S-KMSE may shrink to 0 or to another target, the kernel mean of a Gaussian distribution that is as
wide as the source of the sample. You may drag the target. Other filters keep other shares: iterated Tikhonov keeps {}.
Truncated SVD keeps directions with eigenvalue at least λ. For Landweber and the ν-method λ sets the number of steps.
Each leave-one-out score of these filters takes n refits. Weights may be divided by their sum, or restricted to the
simplex of probabilities. Leave-one-out still chooses λ for the free weights.</p>
{}
<p><b>Triangles.</b> The switch “mark λ = c γ₀” marks {} for the c at each triangle. Here {} is the smallest
eigenvalue above 0. These are the values of λ in the first figure of the paper.</p>
<p><b>Units.</b> λ has one scale for all kernels: S-KMSE takes λ, and F-KMSE takes λ times the mean of k(x, x). Outliers
replace rows of the sample; the true distribution has none. Student's t with ν degrees of freedom has moments of order
below ν only. RBF has an exact loss for every ν, the linear kernel for ν above 2, the quadratic one for ν above 4, and
the cubic one for ν above 6.</p>
</div>""": """<div class='caption'>
<p><b>Verlust über λ.</b> Der Verlust einer Schätzung ist ihr quadrierter Abstand zum wahren Kernmittelwert im
Merkmalsraum des Kerns. Gezeichnet ist er relativ zum einfachen Mittel (KME): Unter 1 ist besser, die getönte Zone über
1 ist Schaden. Dicke Linien sind exakte Verluste auf dieser Stichprobe, gepunktete Linien Leave-one-out-Werte auf
derselben Skala. In der Praxis sind nur diese bekannt. Ein voller Marker zeigt das von Leave-one-out gewählte λ, ein
hohler das beste λ, die senkrechte Linie das aktuelle. +100 Stichproben zieht 100 weitere Stichproben derselben
Verteilung: Die Bänder enthalten 50 % und 90 % ihrer Verluste.</p>
<p><b>Stichprobe.</b> S-KMSE schrumpft alle Gewichte um denselben Faktor. F-KMSE schrumpft jede Eigenrichtung der
Gram-Matrix um {}. Ein Punkt in der Menge behält sein Gewicht, ein vereinzelter verliert etwas: Zum Vergleich zeigt der
graue Ring das Gewicht 1/n des einfachen Mittels. Eine hohle Scheibe ist ein negatives Gewicht. Die Punkte lassen sich
ziehen.</p>
<p><b>Kleine Bilder.</b> <i>Behalten</i>: der Anteil jeder Eigenrichtung, den ein Schätzer behält. Striche sind die
Eigenwerte der Gram-Matrix. <i>Koeffizienten</i>: die Länge des einfachen Mittels entlang jeder Eigenrichtung, vor und
nach der Schrumpfung. <i>Varianz und Verzerrung</i>: der erwartete Verlust von S-KMSE, zerlegt in die verbleibende
Varianz und, schraffiert, die quadrierte Verzerrung durch Schrumpfung. <i>Scores</i>: Leave-one-out
schätzt den mittleren quadrierten Abstand zwischen einem neuen Punkt und der Schätzung. Dieser Abstand und der Verlust
unterscheiden sich um eine Konstante, deshalb ist die Achse dazwischen unterbrochen. <i>Fehlerschranke</i>: der Fehler
des einfachen Mittels auf dieser und auf weiteren Stichproben, mit der Schranke, die mit Wahrscheinlichkeit 1 − δ gilt
(gestrichelt), und der Schranke, die Arbeit 003 druckt (gepunktet).</p>
<p><b>James-Stein.</b> Unter dem linearen Kern ist der Kernmittelwert einer Gauß-Verteilung ihr gewöhnlicher Mittelwert
θ. James und Stein schrumpfen das Mittel gegen 0, umso weniger, je weiter es von 0 entfernt liegt. Das Bild zeigt ihren
erwarteten quadratischen Fehler über |θ|, relativ zum einfachen Mittel. Der Punkt lässt sich ziehen. Gezeigt ist der
positive Teil: Ein Faktor unter 0 wird 0.</p>
<p><b>Einstellungen.</b> S-KMSE kann gegen 0 schrumpfen oder zu einem anderen Ziel, dem Kernmittelwert einer
Gauß-Verteilung, die so breit ist wie die Quelle der Stichprobe. Das Ziel lässt sich ziehen. Andere Filter behalten
andere Anteile: Iterierter Tikhonov behält {}. Abgeschnittene SVD behält Richtungen mit Eigenwert mindestens λ. Bei
Landweber und der ν-Methode bestimmt λ die Zahl der Schritte. Jeder Leave-one-out-Wert dieser Filter kostet n
Anpassungen. Gewichte lassen sich durch ihre Summe teilen oder auf den Simplex der Wahrscheinlichkeiten beschränken.
Leave-one-out wählt λ weiterhin für die freien Gewichte.</p>
{}
<p><b>Dreiecke.</b> Der Schalter „λ = c γ₀ markieren“ markiert {} für das c neben jedem Dreieck. Dabei ist {} der
kleinste Eigenwert über 0. Es sind die Werte von λ in der ersten Abbildung der Arbeit.</p>
<p><b>Einheiten.</b> λ hat eine Skala für alle Kerne: S-KMSE nimmt λ, F-KMSE λ mal das Mittel von k(x, x). Ausreißer
ersetzen Zeilen der Stichprobe; die wahre Verteilung hat keine. Students t mit ν Freiheitsgraden hat nur Momente der
Ordnung unter ν. RBF hat für jedes ν einen exakten Verlust, der lineare Kern für ν über 2, der quadratische für ν über
4, der kubische für ν über 6.</p>
</div>""",
}
