"""The home page, and the titles of all labs and stories, in German."""

TEXTS = {
    "One bad reading can hide a real difference.": "Ein falscher Messwert kann einen echten Unterschied verdecken.",
    "P and Q are drawn from distributions that differ by half a standard deviation, and one reading of P is"
    " wrong. Drag it back to the others and watch the two verdicts.": (
        "P und Q stammen aus Verteilungen, die sich um eine halbe Standardabweichung unterscheiden, und ein"
        " Messwert von P ist falsch. Ihn zu den anderen zurückziehen und auf die beiden Urteile achten."
    ),
    "<p class='how'>Computing both verdicts ...</p>": "<p class='how'>Beide Urteile werden berechnet ...</p>",
    "Comparing means": "Mittelwerte",
    "Bounded kernel": "RBF-Kern",
    "MMD² with the linear kernel: the farther a reading lies, the more it counts.": (
        "MMD² mit dem linearen Kern: Je weiter ein Messwert entfernt liegt, desto mehr zählt er."
    ),
    "MMD² with the RBF kernel: no reading counts for more than any other.": (
        "MMD² mit dem RBF-Kern: Kein Messwert zählt mehr als ein anderer."
    ),
    "they differ": "verschieden",
    "no difference": "kein Unterschied",
    "<div class='verdict {}'><a href='{}' title='Open this test in its lab'>{}</a><span><i"
    " aria-hidden='true'>{}</i> <b>{}</b>, p = {}</span><small>{}</small></div>": (
        "<div class='verdict {}'><a href='{}' title='Diesen Test in seinem Labor öffnen'>{}</a><span><i"
        " aria-hidden='true'>{}</i> <b>{}</b>, p = {}</span><small>{}</small></div>"
    ),
    "<div class='verdicts' role='status'>{}</div><p class='how'>n = {} each, {} permutations, level"
    " {:g}. The reading is {}.</p>": (
        "<div class='verdicts' role='status'>{}</div><p class='how'>Je n = {}, {} Permutationen, Niveau"
        " {:g}. Der Messwert ist {}.</p>"
    ),
    "<div class='buttons'><a class='button chosen' href='{}'>Try it on your own table</a><a"
    " class='button' href='{}'>Two-minute tour</a></div>": (
        "<div class='buttons'><a class='button chosen' href='{}'>Mit eigener Tabelle</a><a"
        " class='button' href='{}'>Rundgang in zwei Minuten</a></div>"
    ),
    "mean of P": "Mittelwert von P",
    "mean of Q": "Mittelwert von Q",
    "reading": "Messwert",
    "← drag me": "← hier ziehen",
    "<div class='rest'><section><h2>Stories</h2><div>{}</div></section><section><h2><a"
    " href='{}'>Lessons</a></h2><p>{}</p></section><section><h2>Research</h2><nav"
    " aria-label='Research'>{}</nav><p>{}</p></section></div>{}": (
        "<div class='rest'><section><h2>Geschichten</h2><div>{}</div></section><section><h2><a"
        " href='{}'>Lektionen (englisch)</a></h2><p>{}</p></section><section><h2>Forschung</h2><nav"
        " aria-label='Forschung'>{}</nav><p>{}</p></section></div>{}"
    ),
    "<details><summary>{} more stories</summary>{}</details>": (
        "<details><summary>{} weitere Geschichten</summary>{}</details>"
    ),
    "<nav class='languages' aria-label='Language'>{}</nav>": "<nav class='languages' aria-label='Sprache'>{}</nav>",
    "{}, {} steps": "{}, {} Schritte",
    "Every lab copies the Python that computes its screen. <code>explorer reproduce</code> computes the papers'"
    " figures and tables, with a verdict on each claim.": (
        "Jedes Labor kopiert das Python, das seine Bilder berechnet. <code>explorer reproduce</code> berechnet"
        " Abbildungen und Tabellen der Arbeiten, mit einem Urteil zu jeder Aussage."
    ),
    # the questions
    "Is it a real difference, or chance?": ("Ist der Unterschied echt oder Zufall?"),
    "Can I do better than the average?": ("Geht es besser als mit dem Mittelwert?"),
    "What if I can't trust my data?": ("Was, wenn den Daten nicht zu trauen ist?"),
    "What else can I learn from a sample?": ("Was verrät eine Stichprobe noch?"),
    # the labs
    "Adaptation": "Anpassung",
    "What if training and test data differ?": "Was, wenn Trainings- und Testdaten sich unterscheiden?",
    "Causes": "Ursachen",
    "Which variable acts on which?": "Welche Variable wirkt auf welche?",
    "Conditional": "Bedingung",
    "If I know x, what is y?": ("Was ist y, wenn ich x kenne?"),
    "Density": "Dichte",
    "Can a kernel mean give back the density?": ("Lässt sich die Dichte aus dem Kernmittelwert zurückgewinnen?"),
    "Distributions": "Verteilungen",
    "Can a classifier learn from whole samples?": ("Kann ein Klassifikator aus ganzen Stichproben lernen?"),
    "DNA": "DNA",
    "Can a few bad reads hide a difference?": ("Können ein paar schlechte Reads einen Unterschied verdecken?"),
    "Do two samples differ?": ("Unterscheiden sich zwei Stichproben?"),
    "Drift": "Drift",
    "Has my data changed, and when?": ("Haben sich meine Daten verändert, und wann?"),
    "Few": "Wenige",
    "Which few points stand for many?": ("Welche wenigen Punkte stehen für viele?"),
    "Fit": "Anpassungsgüte",
    "Does the model fit the data?": "Passt das Modell zu den Daten?",
    "Independence": "Unabhängigkeit",
    "Does y depend on x?": ("Hängt y von x ab?"),
    "Kernel PCA": "Kern-PCA",
    "Along which directions do the data vary?": ("Entlang welcher Richtungen streuen die Daten?"),
    "Marginalized": "Marginalisiert",
    "Does adding noise on purpose help?": ("Hilft absichtliches Rauschen?"),
    "Does shrinking the average towards 0 help?": ("Hilft es, das Mittel in Richtung 0 zu schrumpfen?"),
    "MONK": "MONK",
    "How many outliers can a test take?": ("Wie viele Ausreißer verträgt ein Test?"),
    "Shrinkage": "Schrumpfung",
    "Sweep": "Raster",
    "How does a result depend on two settings?": ("Wie hängt ein Ergebnis von zwei Einstellungen ab?"),
    "Two samples": "Zwei Stichproben",
    "Report": "Bericht",
    "Has my table changed, and in which columns?": "Hat sich meine Tabelle verändert, und in welchen Spalten?",
    # the stories
    "A break to drag": "Ein Bruch zum Verschieben",
    "A change that no column shows": "Eine Änderung, die keine Spalte zeigt",
    "A perfect correlation of 60 pairs": "Eine perfekte Korrelation von 60 Paaren",
    "A point too many": "Ein Punkt zu viel",
    "A slow drift": "Eine langsame Drift",
    "A test is as good as its regression": "Ein Test ist so gut wie seine Regression",
    "Too few clean blocks": "Zu wenige saubere Blöcke",
    "Added noise is a wider bandwidth": "Rauschen wirkt wie eine größere Bandbreite",
    "Correlation 0, dependence certain": "Korrelation 0, Abhängigkeit sicher",
    "Directions that are not straight": "Richtungen, die nicht gerade sind",
    "Dependent only together": "Nur gemeinsam abhängig",
    "Does shrinkage help?": "Hilft Schrumpfung?",
    "Does shrinkage help a classifier?": ("Hilft Schrumpfung einem Klassifikator?"),
    "Does the treatment help?": "Hilft die Behandlung?",
    "Everything looks dependent at a lucky seed": "Bei passendem Startwert wirkt alles abhängig",
    "Fitted to the data that test it": "Angepasst an die Daten, die es prüfen",
    "From prior to posterior": "Vom Prior zum Posterior",
    "How few are enough?": "Wie wenige genügen?",
    "Guess the arrows": "Welche Pfeile?",
    "How much can a contaminated read hurt?": "Wie viel schadet ein verunreinigter Read?",
    "How peeking cheats": "Wie Zwischenblicke täuschen",
    "Identical, by the U-statistic": "Gleich, laut U-Statistik",
    "Keeping what matters": "Behalten, worauf es ankommt",
    "Learn here, predict there": "Hier lernen, dort vorhersagen",
    "Leave-one-out finds it, mostly": "Leave-one-out findet es, meistens",
    "Nearer, but also better?": ("Näher, aber auch besser?"),
    "Which way does it go?": "In welche Richtung?",
    "No bandwidth to choose": "Keine Bandbreite zu wählen",
    "Noise without dice": "Rauschen ohne Würfel",
    "Normalised weights undo it": "Normierte Gewichte machen es rückgängig",
    "One outlier hides a real difference": "Ein Ausreißer verdeckt einen echten Unterschied",
    "One outlier ruins the mean": "Ein Ausreißer verdirbt den Mittelwert",
    "Outliers nobody planted": "Ausreißer, die niemand gesetzt hat",
    "Particles that get stuck": "Teilchen, die stecken bleiben",
    "Picking the best of many bandwidths": "Die beste von vielen Bandbreiten auswählen",
    "Stein's surprise": "Steins Überraschung",
    "Test an eighth of the rows": "Ein Achtel der Zeilen testen",
    "Tracking a hidden state": "Einem verborgenen Zustand folgen",
    "What a kernel cannot see": "Was ein Kern nicht sieht",
    "What do domains have in common?": "Was haben Domänen gemeinsam?",
    "What does a classifier see in a bag?": ("Was sieht ein Klassifikator in einer Menge?"),
    "What does one node tell the others?": "Was sagt ein Knoten den anderen?",
    "What does the kernel see?": "Was sieht der Kern?",
    "What is y, given x?": "Was ist y, wenn x bekannt ist?",
    "What the score cannot see": "Was der Score nicht sieht",
    "What you know about the noise": "Was über das Rauschen bekannt ist",
    "When is a peak high?": "Wann ist ein Gipfel hoch?",
    "When shrinkage hurts": "Wann Schrumpfung schadet",
    "Where MONK loses": "Wo MONK verliert",
    "Where does the missing weight go?": "Wohin geht das fehlende Gewicht?",
    "Where does the model miss?": "Wo verfehlt das Modell die Daten?",
    "Which bags are odd?": "Welche Mengen fallen auf?",
    "Which change is it?": "Welche Änderung ist es?",
    "Which direction to blur": "In welche Richtung verwischen",
    "Why the bandwidth decides": "Warum die Bandbreite entscheidet",
    # the lessons
    "What is a mean embedding?": "Was ist eine Einbettung?",
    "Stein's surprise and shrinkage": "Steins Überraschung und Schrumpfung",
    "Filters": "Filter",
    "Corrupt on purpose": "Absichtlich verrauscht",
    "Outliers and the median of means": "Ausreißer und der Median der Mittel",
    "Two-sample tests": "Zweistichprobentests",
    "Conditional embeddings and the rules": "Bedingte Einbettungen und ihre Regeln",
    "Filtering and belief propagation": "Filterung und Belief Propagation",
    "Operators and kernel PCA": "Operatoren und Kern-PCA",
    "Density by matching means": "Dichte aus gleichen Kernmittelwerten",
    "Learning on distributions": "Lernen auf Verteilungen",
    "Across domains": "Über Domänen hinweg",
    "Write your own estimator": "Einen eigenen Schätzer schreiben",
    "Has my data changed?": "Haben sich meine Daten verändert?",
}
