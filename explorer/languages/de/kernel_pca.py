"""The Kernel PCA lab in German."""

TEXTS = {
    "{} estimates the centre m in place of the plain average.": (
        "{} schätzt das Zentrum m anstelle des einfachen Mittels."
    ),
    # presets
    "Two rings": "Zwei Ringe",
    "No straight line separates the rings; the first kernel principal component does.": (
        "Keine Gerade trennt die Ringe; die erste Hauptkomponente der Kern-PCA schon."
    ),
    "Linear kernel is PCA": "Linearer Kern ist PCA",
    "With the linear kernel, kernel PCA is ordinary PCA. Its straight components cannot separate the rings.": (
        "Mit dem linearen Kern ist Kern-PCA gewöhnliche PCA. Ihre geraden Komponenten können die Ringe nicht trennen."
    ),
    "Two moons": "Zwei Monde",
    "The first component follows the moons along their length. PCA ignores groups and does not separate them.": (
        "Die erste Komponente folgt den Monden der Länge nach. PCA beachtet keine Gruppen und trennt sie nicht."
    ),
    "Denoise a curve": "Eine Kurve entrauschen",
    "Each point is replaced by its pre-image from 4 components, which lies nearer to the curve.": (
        "Jeder Punkt wird durch sein Urbild aus 4 Komponenten ersetzt, das näher an der Kurve liegt."
    ),
    "Too few components": "Zu wenige Komponenten",
    "Two components cannot represent the curve. Points move away from it instead of back to it.": (
        "Zwei Komponenten können die Kurve nicht darstellen. Punkte rücken von ihr weg statt zu ihr zurück."
    ),
    "Bandwidth too narrow": "Zu schmale Bandbreite",
    "Each point resembles only itself, so every component explains the same small share.": (
        "Jeder Punkt ähnelt nur sich selbst, also erklärt jede Komponente denselben kleinen Anteil."
    ),
    "Shrinking changes nothing": "Schrumpfung ändert nichts",
    "S-COSE multiplies the operator by a number, so its error equals that of plain kernel PCA.": (
        "S-COSE multipliziert den Operator mit einer Zahl, also gleicht sein Fehler dem der einfachen Kern-PCA."
    ),
    "A small gain": "Ein kleiner Gewinn",
    "Shrinking the centre lowers the held-out error, but only by a fraction of a percent.": (
        "Das Zentrum zu schrumpfen senkt den Testfehler, aber nur um einen Bruchteil eines Prozents."
    ),
    "Components that swap": "Vertauschte Komponenten",
    "Components 2 and 3 of the rings explain nearly the same share, so they swap in some resamples.": (
        "Die Komponenten 2 und 3 der Ringe erklären fast denselben Anteil, also tauschen sie in manchen"
        " Wiederholungen die Plätze."
    ),
    # Fisher's discriminant and clusters
    "Told the groups": "Mit bekannten Gruppen",
    "Fisher's discriminant knows the groups of the moons and separates new points; no component does.": (
        "Fishers Diskriminante kennt die Gruppen der Monde und trennt neue Punkte; keine Komponente tut das."
    ),
    "Clusters by HSIC": "Cluster nach HSIC",
    "Choosing labels that depend as strongly as possible on the points gives the clusters of kernel k-means.": (
        "Etiketten zu wählen, die so stark wie möglich von den Punkten abhängen, ergibt die Cluster von Kern-k-Means."
    ),
    "the accuracy of Fisher's discriminant on new points": "die Trefferquote der Fisher-Diskriminante an neuen Punkten",
    "the difference of n² HSIC from what k-means explains": (
        "die Differenz zwischen n² HSIC und dem, was k-Means erklärt"
    ),
    "clusters in a row": "Cluster in einer Reihe",
    "clusters apart": "Cluster für sich",
    "Fisher discriminant": "Fisher-Diskriminante",
    "clusters": "Cluster",
    "c clusters": "c Cluster",
    "clusters lie": "Cluster liegen",
    "apart": "für sich",
    "in a row": "in einer Reihe",
    "in a ring": "in einem Ring",
    "how many clusters there are": "wie viele Cluster es gibt",
    "arrangement of the clusters: the kernel of their labels": ("Anordnung der Cluster: der Kern ihrer Etiketten"),
    "Fisher's discriminant assigns <b>{}</b> of {} new points to the right group, and component {} assigns"
    " <b>{}</b>.": (
        "Fishers Diskriminante ordnet <b>{}</b> der {} neuen Punkte der richtigen Gruppe zu, Komponente {} <b>{}</b>."
    ),
    "Fisher's discriminant is {}.": "Fishers Diskriminante: {}.",
    "The clusters are {}.": "Die Cluster: {}.",
    "For {} clusters {}, n² HSIC with the labels is <b>{}</b>.": (
        "Für {} Cluster {} ist n² HSIC mit den Etiketten <b>{}</b>."
    ),
    "{} clusters: n² HSIC with the labels is <b>{}</b>, and kernel k-means explains {} − {} = <b>{}</b>.": (
        "{} Cluster: n² HSIC mit den Etiketten ist <b>{}</b>, und Kern-k-Means erklärt {} − {} = <b>{}</b>."
    ),
    "The discriminant makes {} largest, with λ = {} by leave-one-out.": (
        "Die Diskriminante macht {} am größten, mit λ = {} nach Leave-one-out."
    ),
    "The labels' kernel is {}. Here {} = {}.": "Der Kern der Etiketten ist {}. Hier ist {} = {}.",
    "Delta, divided by the sizes of the clusters": "Delta, geteilt durch die Größen der Cluster",
    "2 within a cluster and 1 between neighbours in the row, divided by the sizes of the clusters": (
        "2 in einem Cluster und 1 zwischen Nachbarn in der Reihe, geteilt durch die Größen der Cluster"
    ),
    "2 within a cluster and 1 between neighbours in the ring, divided by the sizes of the clusters": (
        "2 in einem Cluster und 1 zwischen Nachbarn im Ring, geteilt durch die Größen der Cluster"
    ),
    "The tensor of order 3 has {} = {}; the squared third central moments of the coordinates sum to {}.": (
        "Der Tensor dritter Ordnung hat {} = {}; die quadrierten dritten zentralen Momente der Koordinaten ergeben {}."
    ),
    "Fisher discriminant of the groups": "Fisher-Diskriminante der Gruppen",
    "A discriminant needs groups: choose the rings, the moons or the blobs.": (
        "Eine Diskriminante braucht Gruppen: die Ringe, die Monde oder die Kleckse wählen."
    ),
    "Assignment to the nearest group mean is right for {} of the sample and for {} of {} new points.": (
        "Die Zuordnung zum nächsten Gruppenmittel stimmt für {} der Stichprobe und für {} der {} neuen Punkte."
    ),
    "Clusters by HSIC, in scores (largest = 1)": "Cluster nach HSIC, in Scores (größter = 1)",
    "cluster 1": "Cluster 1",
    "cluster 2": "Cluster 2",
    "cluster 3": "Cluster 3",
    "cluster 4": "Cluster 4",
    "The clusters have {} points.": "Die Cluster haben {} Punkte.",
    # headline
    "There is no component {}: 1 component explains all of the variance.": (
        "Es gibt keine Komponente {}: 1 Komponente erklärt die ganze Varianz."
    ),
    "There is no component {}: {} components explain all of the variance.": (
        "Es gibt keine Komponente {}: {} Komponenten erklären die ganze Varianz."
    ),
    "Component {} explains <b>{}</b> of the variance": "Komponente {} erklärt <b>{}</b> der Varianz",
    "{}; the first {} explain {}.": "{}; die ersten {} erklären {}.",
    "{}, and one threshold on it separates {} with <b>{}</b> accuracy.": (
        "{}, und eine Schwelle darauf trennt {} mit <b>{}</b> Trefferquote."
    ),
    "the rings": "die Ringe",
    "the moons": "die Monde",
    "one blob from the others": "einen Klecks von den anderen",
    "With 1 component kept": "Mit 1 Komponente",
    "With {} components kept": "Mit {} Komponenten",
    "<b>{}</b> of the variance": "<b>{}</b> der Varianz",
    "{}, {} remains; {}.": "{} bleiben {}; {}.",
    "1 component": "1 Komponente",
    "{} components": "{} Komponenten",
    "{} clusters, n² HSIC {}": "{} Cluster, n² HSIC {}",
    "{}: {} held-out error": "{}: Testfehler {}",
    "{}: {} squared distance": "{}: {} quadrierter Abstand",
    "the noise-free points are unknown": "die rauschfreien Punkte sind unbekannt",
    "the distance to the noise-free points is {}": "der Abstand zu den rauschfreien Punkten ist {}",
    "{}, the points have <b>{}</b> squared distance to the noise-free points.": (
        "{} haben die Punkte <b>{}</b> quadrierten Abstand zu den rauschfreien Punkten."
    ),
    "The effect of shrinkage on the held-out error is {}.": "Die Wirkung der Schrumpfung auf den Testfehler ist {}.",
    " <span class='badge'>within the noise: {}</span>": " <span class='badge'>im Rauschen: {}</span>",
    "Held-out error relative to plain kernel PCA: {}.{}": "Testfehler relativ zur einfachen Kern-PCA: {}.{}",
    "How much the components vary between resamples is {}.": (
        "Wie sehr die Komponenten zwischen den Wiederholungen schwanken, ist {}."
    ),
    "components 2 and 3 swap in <b>{}</b>": "die Komponenten 2 und 3 tauschen in <b>{}</b>",
    "In {} bootstrap resamples, {}.": "In {} Bootstrap-Wiederholungen: {}.",
    "Component {} keeps its place in <b>{}</b> of {} bootstrap resamples; {}.": (
        "Komponente {} behält ihren Platz in <b>{}</b> von {} Bootstrap-Wiederholungen; {}."
    ),
    ", bandwidth {} × median": ", Bandbreite {} × Median",
    "With r = {}, the error is lower in {} and {} of {} samples, in this order ({} points held out; {}).": (
        "Mit r = {} ist der Fehler in {} und {} von {} Stichproben kleiner, in dieser Reihenfolge ({}"
        " zurückgehaltene Punkte; {})."
    ),
    "A random component would reach about {} ({}).": "Eine zufällige Komponente erreichte etwa {} ({}).",
    "Estimated from {} points ({}).": "Geschätzt aus {} Punkten ({}).",
    # caption
    "{}, noise {}": "{}, Rauschen {}",
    "Three blobs": "Drei Kleckse",
    "A curve": "Eine Kurve",
    "{}The {} are the directions of largest variance of the features {}. With {} of them, the pre-image of the"
    " cross is at ({}). {}, n = {}, seed {}.": (
        "{}Die {} sind die Richtungen größter Varianz der Merkmale {}. Mit {} davon liegt das Urbild des Kreuzes bei"
        " ({}). {}, n = {}, Startwert {}."
    ),
    "components": "Komponenten",
    "{} Here λ = {}{}.": "{} Hier ist λ = {}{}.",
    ", chosen by leave-one-out": ", gewählt durch Leave-one-out",
    "S-KMSE shrinks the centre m, so less is subtracted from each feature.": (
        "S-KMSE schrumpft das Zentrum m, also wird von jedem Merkmal weniger abgezogen."
    ),
    "F-KMSE shrinks the centre m, most strongly in directions of small variance.": (
        "F-KMSE schrumpft das Zentrum m, am stärksten in Richtungen kleiner Varianz."
    ),
    "S-COSE multiplies C by {}: eigenvalues shrink, components stay (erratum 32).": (
        "S-COSE multipliziert C mit {}: Eigenwerte schrumpfen, Komponenten bleiben (Erratum 32)."
    ),
    "F-COSE changes the points' weights β, and with them the components.": (
        "F-COSE ändert die Gewichte β der Punkte und damit die Komponenten."
    ),
    "the effect on the error": "die Wirkung auf den Fehler",
    "a linear kernel": "ein linearer Kern",
    "component 2": "Komponente 2",
    "component 3 at bandwidth 1": "Komponente 3 bei Bandbreite 1",
    "bandwidth 0.4": "Bandbreite 0,4",
    "200 points": "200 Punkte",
    "With r = {}, relative to plain kernel PCA: {}.": "Mit r = {}, relativ zur einfachen Kern-PCA: {}.",
    # pictures
    "The component over the plane, the test point and its pre-image": (
        "Die Komponente über der Ebene, der Testpunkt und sein Urbild"
    ),
    "Drag the cross, or points of the sample": "Das Kreuz oder Punkte ziehen",
    "component {}": "Komponente {}",
    "component 1": "Komponente 1",
    "component": "Komponente",
    "sample without noise": "Stichprobe ohne Rauschen",
    "pre-images of the sample": "Urbilder der Stichprobe",
    "test point": "Testpunkt",
    "its pre-image": "sein Urbild",
    "The pre-image is found by regression.": "Das Urbild wird durch Regression gefunden.",
    "Share of the variance": "Anteil an der Varianz",
    "share of the variance": "Anteil an der Varianz",
    "cumulative share": "kumulierter Anteil",
    "90 % of the resamples": "90 % der Wiederholungen",
    "The first 1 component explains {}.": "Die erste Komponente erklärt {}.",
    "The first {} components together explain {}.": "Die ersten {} Komponenten erklären zusammen {}.",
    "Scores (largest = 1)": "Scores (größter = 1)",
    "{} to {}": "{} bis {}",
    "group {} {}": "Gruppe {} {}",
    "Scores on component {}: {}.": "Scores auf Komponente {}: {}.",
    "components kept": "behaltene Komponenten",
    "before denoising": "vor dem Entrauschen",
    "squared distance": "quadrierter Abstand",
    "Squared distance after denoising (before: 1)": "Quadrierter Abstand nach dem Entrauschen (vorher: 1)",
    "Squared distance to points (their variance: 1)": "Quadrierter Abstand zu den Punkten (ihre Varianz: 1)",
    "Half of the points are less than {} from their pre-images; the farthest is {} away.": (
        "Die Hälfte der Punkte liegt weniger als {} von ihrem Urbild entfernt, der fernste {}."
    ),
    "Held-out error": "Testfehler",
    "Held-out error relative to KPCA": "Testfehler relativ zu KPCA",
    "Do resamples agree on the sign?": "Sind sich die Wiederholungen über das Vorzeichen einig?",
    "mean sign of the component": "mittleres Vorzeichen der Komponente",
    "On {} of the plane shown, more than 95 % of the resamples agree on the component's sign.": (
        "Auf {} der gezeigten Ebene sind sich über 95 % der Wiederholungen über das Vorzeichen einig."
    ),
    # settings
    "Components": "Komponenten",
    "sample from": "Stichprobe aus",
    "two rings": "zwei Ringe",
    "two moons": "zwei Monde",
    "three blobs": "drei Kleckse",
    "a curve": "eine Kurve",
    "r components kept": "r behaltene Komponenten",
    "shrink": "schrumpfen",
    "nothing (KPCA)": "nichts (KPCA)",
    "the centre, S-KMSE": "das Zentrum, S-KMSE",
    "the centre, F-KMSE": "das Zentrum, F-KMSE",
    "the operator, S-COSE": "den Operator, S-COSE",
    "the operator, F-COSE": "den Operator, F-COSE",
    "resamples": "Wiederholungen",
    "denoised": "entrauscht",
    "shrinkage": "Schrumpfung",
    "bootstrap": "Bootstrap",
    "plane PNG": "Ebene PNG",
    "plane SVG": "Ebene SVG",
    "plane as drawn CSV": "Ebene, gezeichnete Werte CSV",
    "beside PNG": "daneben PNG",
    "beside SVG": "daneben SVG",
    "beside as drawn CSV": "daneben, gezeichnete Werte CSV",
    "components CSV": "Komponenten CSV",
    "point CSV": "Punkt CSV",
    "accuracy of one threshold at telling the groups": "Trefferquote einer Schwelle für die Gruppen",
    "squared distance to the noise-free points, relative to before": (
        "quadrierter Abstand zu den rauschfreien Punkten, relativ zu vorher"
    ),
    "share of the variance, component 1": "Anteil an der Varianz, Komponente 1",
    "share of the variance, components kept": "Anteil an der Varianz, behaltene Komponenten",
    "share of the variance, this component": "Anteil an der Varianz, diese Komponente",
    # words of the stories
    "accuracy": "Trefferquote",
    "share": "Anteil",
    "percent": "Prozent",
    "less squared distance": "weniger quadrierter Abstand",
    "share of the resamples": "Anteil der Wiederholungen",
    "Somewhat": "Ein wenig",
    "less than 10 %": "weniger als 10 %",
    "10 to 30 %": "10 bis 30 %",
    "more": "mehr",
    "nearer": "näher",
    "no nearer": "nicht näher",
    "fewer than half": "weniger als die Hälfte",
    # directions that are not straight
    "With the linear kernel, kernel PCA is ordinary PCA. How well does the best threshold on component 1"
    " separate the two rings? Even random scores reach more than 50 %.": (
        "Mit dem linearen Kern ist Kern-PCA gewöhnliche PCA. Wie gut trennt die beste Schwelle auf Komponente 1 die"
        " zwei Ringe? Schon zufällige Werte erreichen über 50 %."
    ),
    "With {split} accuracy: a straight direction crosses both rings.": (
        "Mit {split} Trefferquote: Eine gerade Richtung durchquert beide Ringe."
    ),
    "Now the RBF kernel, with a bandwidth of 0.4 medians. Does component 1 separate the rings?": (
        "Jetzt der RBF-Kern mit einer Bandbreite von 0.4 Medianen. Trennt Komponente 1 die Ringe?"
    ),
    "Yes, with {split} accuracy. The points of the inner ring are close together, so their features are alike.": (
        "Ja, mit {split} Trefferquote. Die Punkte des inneren Rings liegen nahe beieinander, also ähneln sich ihre"
        " Merkmale."
    ),
    "The bandwidth rises to 1 median. Does component 1 still separate the rings?": (
        "Die Bandbreite steigt auf 1 Median. Trennt Komponente 1 die Ringe noch?"
    ),
    "No, the accuracy is only {split}. Component 1 now runs from one side of the plane to the other. Look"
    " at component 3.": (
        "Nein, die Trefferquote ist nur {split}. Komponente 1 läuft jetzt von einer Seite der Ebene zur anderen."
        " Mehr zeigt Komponente 3."
    ),
    "This is component 3 at the same bandwidth. Which share of the variance does it explain?": (
        "Das ist Komponente 3 bei derselben Bandbreite. Welchen Anteil der Varianz erklärt sie?"
    ),
    "It explains {share} and separates the rings with {split} accuracy. A component's share of the variance"
    " shows nothing about groups.": (
        "Sie erklärt {share} und trennt die Ringe mit {split} Trefferquote. Der Anteil einer Komponente an der Varianz"
        " sagt nichts über Gruppen."
    ),
    "Now a very narrow kernel, 0.05 medians. Which share of the variance does component 1 explain?": (
        "Jetzt ein sehr schmaler Kern, 0.05 Mediane. Welchen Anteil der Varianz erklärt Komponente 1?"
    ),
    "{first}, hardly more than any other component: each point resembles only itself.": (
        "{first}, kaum mehr als jede andere Komponente: Jeder Punkt ähnelt nur sich selbst."
    ),
    # keeping what matters
    "100 noisy points lie near a curve. Each is replaced by its pre-image from 4 components. How much less"
    " squared distance to the noise-free points is left?": (
        "100 verrauschte Punkte liegen nahe einer Kurve. Jeder wird durch sein Urbild aus 4 Komponenten ersetzt. Wie"
        " viel weniger quadrierter Abstand zu den rauschfreien Punkten bleibt?"
    ),
    "{less} less. Most of the noise lies along the components that are dropped.": (
        "{less} weniger. Das meiste Rauschen liegt entlang der weggelassenen Komponenten."
    ),
    "With 2 components the points keep even less of the noise. Do they come nearer to the curve?": (
        "Mit 2 Komponenten behalten die Punkte noch weniger Rauschen. Kommen sie der Kurve näher?"
    ),
    "No: two components cannot represent the curve, and its shape is lost with the noise.": (
        "Nein: Zwei Komponenten können die Kurve nicht darstellen; mit dem Rauschen geht ihre Form verloren."
    ),
    "And with 12 components? How much less squared distance is left?": (
        "Und mit 12 Komponenten? Wie viel weniger quadrierter Abstand bleibt?"
    ),
    "The points hardly move: {less} less. Most of the noise is kept, too.": (
        "Die Punkte rühren sich kaum: {less} weniger. Auch das meiste Rauschen bleibt."
    ),
    # does shrinkage help?
    "S-COSE shrinks the covariance operator of 60 wines. How does its error on other wines compare with"
    " that of plain kernel PCA?": (
        "S-COSE schrumpft den Kovarianzoperator von 60 Weinen. Wie ist sein Fehler auf anderen Weinen im Vergleich zur"
        " einfachen Kern-PCA?"
    ),
    "It is {scose}: a multiple of an operator has the same components. The gain in the paper's Figure 3 is"
    " an error (erratum 32).": (
        "Der Fehler: {scose}. Ein Vielfaches eines Operators hat dieselben Komponenten. Der Gewinn in Abbildung 3 der"
        " Arbeit ist ein Irrtum (Erratum 32)."
    ),
    "Shrinking the centre of 60 points of the rings helps a little. By how many percent does the error fall?": (
        "Das Zentrum von 60 Punkten der Ringe zu schrumpfen hilft ein wenig. Um wie viel Prozent sinkt der Fehler?"
    ),
    "The error is {centred}: a real gain, but a very small one.": (
        "Der Fehler: {centred}. Das ist ein echter, aber sehr kleiner Gewinn."
    ),
    "F-COSE changes the points' weights, and with them the components. Does this lower the held-out error"
    " on the rings?": (
        "F-COSE ändert die Gewichte der Punkte und damit die Komponenten. Senkt das den Testfehler auf den Ringen?"
    ),
    "No, the error is {fcose}. Weights that suit the operator as a whole need not suit its components.": (
        "Nein, der Fehler: {fcose}. Gewichte, die zum Operator im Ganzen passen, müssen nicht zu seinen Komponenten"
        " passen."
    ),
    "Here are 100 bootstrap resamples of the wines. In how many does component 1 keep its place?": (
        "Hier sind 100 Bootstrap-Wiederholungen der Weine. In wie vielen behält Komponente 1 ihren Platz?"
    ),
    "In {steady} of 100.": "In {steady} von 100.",
    "And component 5? In how many resamples does it keep its place?": (
        "Und Komponente 5? In wie vielen Wiederholungen behält sie ihren Platz?"
    ),
    "In {steady} of 100. Trailing components belong to the sample, not to the population.": (
        "In {steady} von 100. Hintere Komponenten gehören zur Stichprobe, nicht zur Grundgesamtheit."
    ),
    # how to read it
    """<div class='caption'>
<p><b>Component.</b> Kernel PCA is ordinary PCA of the features k(x, ·). Each component is a function on the data's
space: blue where it is positive, orange where it is negative. Up to a constant, its values at the sample's points are
their scores. With more than two coordinates the picture shows the first two and sets the others to their medians.</p>
<p><b>Cross and diamond.</b> Drag the cross, the test point. Projecting its feature on the first r components usually
gives a vector that is no point's feature. The diamond is the pre-image: the point whose feature is nearest to that
projection. The RBF kernel finds it by fixed-point iteration, other kernels by regression on the scores.</p>
<p><b>Share of the variance.</b> A bar is a component's share of the variance in feature space, and the dotted curve is
the cumulative share. The vertical line follows the last of the r components kept. With <i>Bootstrap</i>, black strokes
span the middle 90 % of the resamples.</p>
<p><b>Scores</b> shows the sample in the plane of components 1 and 2; symbols are its groups. <b>Denoised</b> draws
every point's pre-image in the plane. Small dots show a toy sample without its noise. The curve shows the squared
distance that remains between them, by the number of components kept. <b>Bootstrap</b> colours the plane by the mean
sign of the component over resamples. In each resample the most similar component counts; pale colours mean that
resamples disagree.</p>
<p><b>Fisher discriminant</b> knows the groups, which the components do not: it is the function whose group means lie
farthest apart, relative to the spread within groups (Mika et al. 1999). New points go to the group of the nearest mean.
<b>Clusters</b> finds groups: CLUHSIC gives the points labels whose HSIC with the points is largest (Song et al. 2007).
With Delta, divided by the sizes of the clusters, as the labels' kernel, this is kernel k-means. With clusters in a row,
neighbouring clusters may be alike.</p>
<p><b>Shrinkage.</b> Components are learnt from 20 new samples, or from 70 % of a table's rows, and tested on held-out
points. S-centred and F-centred shrink the centre m. S-COSE and F-COSE shrink the covariance operator. λ is chosen by
leave-one-out. S-COSE multiplies the operator by {}: every eigenvalue shrinks, no component changes, and its error
equals that of plain kernel PCA. The gain in Figure 3 of the paper is impossible (erratum 32).</p>
<p><b>λ</b> has one scale. S-KMSE uses λ itself; F-KMSE uses λ times the mean squared norm of what it averages.</p>
</div>""": """<div class='caption'>
<p><b>Komponente.</b> Kern-PCA ist gewöhnliche PCA der Merkmale k(x, ·). Jede Komponente ist eine Funktion auf dem Raum
der Daten: blau, wo sie positiv ist, orange, wo sie negativ ist. Bis auf eine Konstante sind ihre Werte an den Punkten
der Stichprobe deren Scores. Bei mehr als zwei Koordinaten zeigt das Bild die ersten beiden und hält die anderen bei
ihren Medianen fest.</p>
<p><b>Kreuz und Raute.</b> Das Kreuz, der Testpunkt, lässt sich ziehen. Die Projektion seines Merkmals auf die ersten r
Komponenten ist meist das Merkmal keines Punktes. Die Raute ist das Urbild: der Punkt, dessen Merkmal dieser Projektion
am nächsten liegt. Der RBF-Kern findet es durch Fixpunktiteration, andere Kerne durch Regression auf die Scores.</p>
<p><b>Anteil an der Varianz.</b> Ein Balken ist der Anteil einer Komponente an der Varianz im Merkmalsraum, die
gepunktete Kurve der kumulierte Anteil. Die senkrechte Linie steht hinter der letzten der r behaltenen Komponenten. Mit
<i>Bootstrap</i> umfassen schwarze Striche die mittleren 90 % der Wiederholungen.</p>
<p><b>Scores</b> zeigt die Stichprobe in der Ebene der Komponenten 1 und 2; Symbole sind ihre Gruppen.
<b>Entrauscht</b> zeichnet das Urbild jedes Punktes in der Ebene. Kleine Punkte zeigen, wo eine künstliche Stichprobe
ohne Rauschen liegt, und die Kurve zeigt den verbleibenden quadrierten Abstand dazu, nach der Zahl der behaltenen
Komponenten. <b>Bootstrap</b> färbt die Ebene nach dem mittleren Vorzeichen der Komponente über Wiederholungen. In jeder
Wiederholung zählt die ähnlichste Komponente; blasse Farben bedeuten, dass die Wiederholungen uneins sind.</p>
<p><b>Fisher-Diskriminante</b> kennt die Gruppen, die Komponenten nicht: Sie ist die Funktion, deren Gruppenmittel am
weitesten auseinanderliegen, gemessen an der Streuung in den Gruppen (Mika et al. 1999). Neue Punkte kommen zur Gruppe
mit dem nächsten Mittel. <b>Cluster</b> findet Gruppen: CLUHSIC gibt den Punkten Etiketten, deren HSIC mit den Punkten
am größten ist (Song et al. 2007). Mit Delta als Kern der Etiketten, jeder Cluster nach seinem Mittel gezählt, ist das
Kern-k-Means. Liegen die Cluster in einer Reihe, dürfen benachbarte sich ähneln.</p>
<p><b>Schrumpfung.</b> Komponenten werden aus 20 neuen Stichproben gelernt, oder aus 70 % der Zeilen einer Tabelle, und
an zurückgehaltenen Punkten geprüft. S-centred und F-centred schrumpfen das Zentrum m, S-COSE und F-COSE den
Kovarianzoperator. λ wählt Leave-one-out. S-COSE multipliziert den Operator mit {}: Jeder Eigenwert schrumpft, keine
Komponente ändert sich, und der Fehler gleicht dem der einfachen Kern-PCA. Der Gewinn in Abbildung 3 der Arbeit ist
unmöglich (Erratum 32).</p>
<p><b>λ</b> hat eine Skala. S-KMSE nimmt λ selbst, F-KMSE λ mal die mittlere quadrierte Norm dessen, was es mittelt.</p>
</div>""",
}
