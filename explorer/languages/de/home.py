"""The home page, and the titles of all labs and stories, in German."""

TEXTS = {
    "One bad reading can hide a real difference.": "Ein falscher Messwert kann einen echten Unterschied verdecken.",
    "P and Q are drawn from distributions that differ by half a standard deviation, and one reading of P is wrong."
    " Drag it home, and see which verdict you could trust.": (
        "P und Q stammen aus Verteilungen, die sich um eine halbe Standardabweichung unterscheiden, und ein Messwert"
        " von P ist falsch. Den Messwert zurückziehen und sehen, auf welches Urteil Verlass war."
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
    "<div class='rest'>"
    "<section><h3>Stories</h3><div>{}</div></section><section><h3>Research</h3><p>{}</p"
    "></section><section><h3>Teach</h3><p>{} lessons, in the folder notebooks: {}</p></section></div>{}": (
        "<div class='rest'>"
        "<section><h3>Geschichten</h3><div>{}</div></section><section><h3>Forschung</h3><p>{}</p"
        "></section><section><h3>Lehre</h3><p>{} Lektionen (englisch), im Ordner notebooks: {}</p></section></div>{}"
    ),
    "<details><summary>{} more stories</summary>{}</details>": (
        "<details><summary>{} weitere Geschichten</summary>{}</details>"
    ),
    "<nav class='languages' aria-label='Language'>{}</nav>": "<nav class='languages' aria-label='Sprache'>{}</nav>",
    "{}, {} steps": "{}, {} Schritte",
    "<code>explorer reproduce</code> computes the papers' figures and tables, with a verdict on each claim": (
        "<code>explorer reproduce</code> berechnet Abbildungen und Tabellen der Arbeiten, mit einem Urteil zu jeder"
        " Aussage"
    ),
    "every lab copies the Python that computes its screen": (
        "jedes Labor kopiert das Python, das seine Bilder berechnet"
    ),
    # the questions
    "Are two samples the same?": "Sind zwei Stichproben gleich?",
    "Permutation tests that show what chance would give, and which rows decide.": (
        "Permutationstests, die zeigen, was der Zufall ergäbe und welche Zeilen den Ausschlag geben."
    ),
    "Can I estimate better than the average?": "Geht es besser als mit dem Mittelwert?",
    "A little shrinking, or a little noise on purpose, and exactly how much it brings.": (
        "Etwas Schrumpfung oder absichtliches Rauschen, und was es genau bringt."
    ),
    "What if some data are wrong?": "Was, wenn einige Daten falsch sind?",
    "Blocks that vote, and the number of outliers at which the vote breaks.": (
        "Blöcke, die abstimmen, und die Zahl der Ausreißer, bei der die Abstimmung kippt."
    ),
    "What can a mean do?": "Was kann ein Mittelwert?",
    "Condition on what is known, apply Bayes' rule, follow a hidden path.": (
        "Auf Bekanntes bedingen, die Bayes-Regel anwenden, einem verborgenen Pfad folgen."
    ),
    # the labs
    "Adaptation": "Anpassung",
    "What if training and test data differ?": "Was, wenn Trainings- und Testdaten sich unterscheiden?",
    "Conditional": "Bedingung",
    "Given x, how is y distributed?": "Wie ist y verteilt, wenn x bekannt ist?",
    "Density": "Dichte",
    "Can a kernel mean give the density back?": "Lässt sich die Dichte aus dem Kernmittelwert zurückgewinnen?",
    "Distributions": "Verteilungen",
    "Can one learn from whole samples?": "Kann man aus ganzen Stichproben lernen?",
    "DNA": "DNA",
    "Are two samples of strings the same?": "Sind zwei Stichproben von Zeichenketten gleich?",
    "Drift": "Drift",
    "Has my data changed, and since when?": "Haben sich meine Daten verändert, und seit wann?",
    "Independence": "Unabhängigkeit",
    "Does y depend on x, and how?": "Hängt y von x ab, und wie?",
    "Kernel PCA": "Kern-PCA",
    "Which directions does a sample vary along?": "In welchen Richtungen streut eine Stichprobe?",
    "Marginalized": "Marginalisiert",
    "What if I add noise on purpose?": "Was, wenn ich absichtlich Rauschen hinzufüge?",
    "MONK": "MONK",
    "What if a few of the data are wrong?": "Was, wenn ein paar Daten falsch sind?",
    "Shrinkage": "Schrumpfung",
    "Sweep": "Raster",
    "How does an answer depend on two numbers at once?": "Wie hängt eine Antwort von zwei Zahlen zugleich ab?",
    "Two samples": "Zwei Stichproben",
    "Report": "Bericht",
    "Has my table changed, and in which columns?": "Hat sich meine Tabelle verändert, und in welchen Spalten?",
    # the stories
    "A break to drag": "Ein Bruch zum Verschieben",
    "A change that no column shows": "Eine Änderung, die keine Spalte zeigt",
    "A slow drift": "Eine langsame Drift",
    "A vote that is lost": "Eine verlorene Abstimmung",
    "Added noise is a wider bandwidth": "Rauschen wirkt wie eine größere Bandbreite",
    "Are the two samples of one kind?": "Sind beide Stichproben von einer Art?",
    "Correlation 0, dependence certain": "Korrelation 0, Abhängigkeit sicher",
    "Directions that are not straight": "Richtungen, die nicht gerade sind",
    "Does shrinkage help?": "Hilft Schrumpfung?",
    "Does shrinking help a machine?": "Hilft Schrumpfung beim Lernen?",
    "Everything looks dependent at a lucky seed": "Bei passendem Startwert wirkt alles abhängig",
    "From prior to posterior": "Vom Prior zum Posterior",
    "How much can a contaminated read hurt?": "Wie viel schadet ein verunreinigter Read?",
    "How peeking cheats": "Wie Zwischenblicke täuschen",
    "Identical, by the U-statistic": "Gleich, laut U-Statistik",
    "Keeping what matters": "Behalten, worauf es ankommt",
    "Learn here, predict there": "Hier lernen, dort vorhersagen",
    "Leave-one-out finds it, mostly": "Leave-one-out findet es, meistens",
    "Nearer, but better?": "Näher, aber besser?",
    "Noise without dice": "Rauschen ohne Würfel",
    "Normalised weights undo it": "Normierte Gewichte machen es rückgängig",
    "One outlier hides a real difference": "Ein Ausreißer verdeckt einen echten Unterschied",
    "One outlier ruins the mean": "Ein Ausreißer verdirbt den Mittelwert",
    "Outliers nobody planted": "Ausreißer, die niemand gesetzt hat",
    "Shopping for a bandwidth": "Auf der Suche nach der Bandbreite",
    "Stein's surprise": "Steins Überraschung",
    "Tracking a hidden state": "Einem verborgenen Zustand folgen",
    "What a kernel cannot see": "Was ein Kern nicht sieht",
    "What do domains have in common?": "Was haben Domänen gemeinsam?",
    "What does a machine see of a bag?": "Was sieht ein Lernverfahren von einer Menge?",
    "What does the kernel see?": "Was sieht der Kern?",
    "What is y, given x?": "Was ist y, wenn x bekannt ist?",
    "When is a peak high?": "Wann ist ein Gipfel hoch?",
    "When shrinkage hurts": "Wann Schrumpfung schadet",
    "Where MONK loses": "Wo MONK verliert",
    "Where does the missing weight go?": "Wohin geht das fehlende Gewicht?",
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
