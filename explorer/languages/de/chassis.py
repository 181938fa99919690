"""What stands around the pictures of every lab, in German."""

TEXTS = {
    # the bar, and what it opens
    "Labs": "Labore",
    "Undo": "Rückgängig",
    "Lecture": "Vortrag",
    "Leave the lecture": "Vortrag beenden",
    "Help": "Hilfe",
    "Close": "Schließen",
    "Share": "Teilen",
    "Copied": "Kopiert",
    "Copy link": "Link kopieren",
    "Copy iframe": "Iframe kopieren",
    "Copy Python": "Python kopieren",
    "QR code": "QR-Code",
    "Picture (PNG)": "Bild (PNG)",
    "Data (CSV)": "Daten (CSV)",
    "One file (HTML)": "Eine Datei (HTML)",
    "Writing ...": "Wird geschrieben ...",
    "<p>This state's address is too long for a QR code, which holds {} letters. Copy its link.</p>": (
        "<p>Die Adresse dieses Zustands ist zu lang für einen QR-Code, der {} Zeichen fasst. Den Link kopieren.</p>"
    ),
    "<h2>This state, for a camera</h2><img alt='QR code of its link' src='{}'>": (
        "<h2>Dieser Zustand, für eine Kamera</h2><img alt='QR-Code des Links' src='{}'>"
    ),
    "<style>{}</style><h2>Help</h2><h3>Keys</h3>{}<h3>This screen</h3><div class='plan'></div><h3>How to read the"
    " pictures</h3>{}": (
        "<style>{}</style><h2>Hilfe</h2><h3>Tasten</h3>{}<h3>Diese Seite</h3><div class='plan'></div><h3>So liest"
        " man die Bilder</h3>{}"
    ),
    "Headline: the result in one sentence, and below it what the result rests on.": (
        "Überschrift: das Ergebnis in einem Satz, darunter, worauf es beruht."
    ),
    "Main slider: drag it, and the pictures and the headline follow.": (
        "Hauptregler: Bilder und Überschrift folgen ihm."
    ),
    "Picture:": ("Bild:"),
    "Controls: the data, the kernel and the estimators.": ("Einstellungen: die Daten, der Kern und die Schätzer."),
    "Caption: the result as a formula. Point at a word to see its curve.": (
        "Bildtext: das Ergebnis als Formel. Auf ein Wort zeigen, um seine Kurve zu sehen."
    ),
    "leaves the lecture": ("beendet den Vortrag"),
    "Skip to the slider": ("Zum Regler springen"),
    "Space": "Leertaste",
    "plays the main slider, and pauses it": "spielt den Hauptregler ab und hält ihn an",
    "takes one step back": "geht einen Schritt zurück",
    "goes back to the preset": "kehrt zur Voreinstellung zurück",
    "goes one step on in a story": "geht in einer Geschichte einen Schritt weiter",
    "goes one step back in a story": "geht in einer Geschichte einen Schritt zurück",
    "pins what is shown as A": "heftet den gezeigten Zustand als A an",
    "opens this help": "öffnet diese Hilfe",
    "draws a new sample": "zieht eine neue Stichprobe",
    "leaves λ to leave-one-out": "überlässt λ dem Leave-one-out",
    # presets, stories and comparison
    "Stories": "Geschichten",
    "Your data": "Eigene Daten",
    "Compare": "Vergleichen",
    "Pin this as A": "Als A anheften",
    "Unpin A": "A lösen",
    "Reset": "Zurücksetzen",
    "keeps this state in the pictures while you move on": "hält diesen Zustand in den Bildern fest",
    "Nothing differs from A yet. Move a slider to compare.": (
        "Noch gibt es keinen Unterschied zu A. Zum Vergleichen einen Regler bewegen."
    ),
    "<tr><td></td><th>A, pinned</th><th>now</th></tr>": "<tr><td></td><th>A, angeheftet</th><th>jetzt</th></tr>",
    "<div class='preview' tabindex='0'><table aria-label='A and now'>{}{}</table></div>": (
        "<div class='preview' tabindex='0'><table aria-label='A und jetzt'>{}{}</table></div>"
    ),
    "Story": "Geschichte",
    "Steps of the story": "Schritte der Geschichte",
    "Back": "Zurück",
    "Next": "Weiter",
    "Return": "Zurückkehren",
    "Guess": "Raten",
    "Show the answer": "Antwort zeigen",
    "Leave the story": "Geschichte verlassen",
    "{} of {}": "{} von {}",
    "You have moved on from this step. “Return” leads back to it.": (
        "Dieser Schritt ist verlassen. „Zurückkehren“ führt wieder hin."
    ),
    "The answer is still being computed.": "Die Antwort wird noch berechnet.",
    "A picture that shows the answer to the story's question.": "Ein Bild, das die Antwort auf die Frage zeigt.",
    "<div class='says'>The result appears here after your guess.</div>": (
        "<div class='says'>Das Ergebnis erscheint hier, sobald geraten ist.</div>"
    ),
    "Right.": "Richtig.",
    "Not quite.": ("Nicht ganz."),
    "Right: it is {}, and your mark is the nearest one.": ("Richtig: Es sind {}, und kein Teilstrich liegt näher."),
    "Not quite: it is {}. Your guess of {} was {}.": ("Nicht ganz: Es sind {}. Geraten war {}, das ist {}."),
    "You had {} of {} right.": ("{} von {} richtig geraten."),
    "You guessed at {} of {} steps and had {} right.": ("Bei {} von {} Schritten geraten, {} davon richtig."),
    "Next story: {}": ("Nächste Geschichte: {}"),
    "Next story: {}, in the lab {}": ("Nächste Geschichte: {}, im Labor {}"),
    "<nav class='tour' aria-label='Tour'><b>Tour: {} of {}</b><p>{} <b>Try it:</b> {}</p><div><a"
    " href='{}'>{}</a><a class='next' href='{}'>{}</a></div></nav>": (
        "<nav class='tour' aria-label='Rundgang'><b>Rundgang: {} von {}</b><p>{} <b>Ausprobieren:</b>"
        " {}</p><div><a href='{}'>{}</a><a class='next' href='{}'>{}</a></div></nav>"
    ),
    "Leave the tour": ("Rundgang verlassen"),
    "Finish": ("Beenden"),
    "Next: {}": ("Weiter: {}"),
    "Two samples differ if their MMD² (the solid black line) lies beyond the values that chance gives (the bars).": (
        "Zwei Stichproben unterscheiden sich, wenn ihr MMD² (die durchgezogene schwarze Linie) jenseits der Werte"
        " liegt, die der Zufall ergibt (der Balken)."
    ),
    "Lower “{size}” to 0.1 and watch the line move into the bars.": (
        "„{size}“ auf 0.1 senken: Die Linie wandert in die Balken."
    ),
    "Shrinking the average towards 0 lowers its squared error: the curves dip below the line of the plain average.": (
        "Das Mittel in Richtung 0 zu schrumpfen senkt seinen quadratischen Fehler: Die Kurven sinken unter die"
        " Linie des einfachen Mittels."
    ),
    "Drag the vertical line to the right until shrinking does harm.": (
        "Die senkrechte Linie nach rechts ziehen, bis Schrumpfung schadet."
    ),
    "Outliers pull the U-statistic far away, while the median of the blocks stays near the truth.": (
        "Ausreißer ziehen die U-Statistik weit weg, während der Median der Blöcke nahe der Wahrheit bleibt."
    ),
    "Raise “{outliers}” by one: now most blocks are contaminated, and the median fails too.": (
        "„{outliers}“ um eins erhöhen: Nun sind die meisten Blöcke verunreinigt, und auch der Median versagt."
    ),
    "The pairs near x carry most of the weight, and the weighted pairs together give the density of y at that x.": (
        "Die Paare nahe x tragen das meiste Gewicht. Zusammen ergeben die gewichteten Paare die Dichte von y an"
        " diesem x."
    ),
    "Drag the vertical line along the pairs and watch the density follow.": (
        "Die senkrechte Linie entlang der Paare ziehen: Die Dichte folgt."
    ),
    "{} {} shows it.": ("{} {} zeigt es."),
    "Labs about kernel means: estimate them, compare samples by them, and see what decides.": (
        "Labore über Kernmittelwerte: sie schätzen, mit ihnen Stichproben vergleichen und sehen, was den"
        " Ausschlag gibt."
    ),
    "1 percentage point too high": "1 Prozentpunkt zu hoch",
    "1 percentage point too low": "1 Prozentpunkt zu tief",
    "{} percentage points too high": "{} Prozentpunkte zu hoch",
    "{} percentage points too low": "{} Prozentpunkte zu tief",
    "{} times too large": "{}-mal zu groß",
    "{} times too small": "{}-mal zu klein",
    "{} too large": "um {} zu groß",
    "{} too small": "um {} zu klein",
    "{}: your guess {}, true value {}": "{}: geraten {}, tatsächlich {}",
    "your guess": "geraten",
    # pictures and controls
    "More pictures": "Weitere Bilder",
    "More settings": "Weitere Einstellungen",
    "Pause {}": "{} anhalten",
    "Play {}": "{} abspielen",
    "Open the lab": "Das Labor öffnen",
    "{} (Space)": "{} (Leertaste)",
    "auto λ": "λ automatisch",
    "by leave-one-out": "durch Leave-one-out",
    "In words and numbers": "In Worten und Zahlen",
    "All downloads": "Alle Downloads",
    "Python": "Python",
    "{} rows": "{} Zeilen",
    "{} of {} rows; the download has all": "{} von {} Zeilen; der Download hat alle",
    "state JSON": "Zustand JSON",
    "The slider of {} needs a server here, so the picture does not move.": (
        "Der Regler von {} braucht hier einen Server, darum steht das Bild still."
    ),
    "The sliders of this lab need a server, so the picture does not move.": (
        "Die Regler dieses Labors brauchen einen Server, darum steht das Bild still."
    ),
    "The pictures in words": "Die Bilder in Worten",
    "The Python that computes these numbers": "Das Python, das diese Zahlen berechnet",
    "The whole lab, by its server and at this address:": "Das ganze Labor, mit seinem Server und unter dieser Adresse:",
    "Film (GIF)": "Film (GIF)",
    "Film (MP4)": "Film (MP4)",
    "loss PNG": ("Fehler PNG"),
    "loss SVG": ("Fehler SVG"),
    "loss as drawn CSV": ("Fehler, gezeichnete Werte CSV"),
    "sample PNG": "Stichprobe PNG",
    "sample SVG": "Stichprobe SVG",
    "sample as drawn CSV": "Stichprobe, gezeichnete Werte CSV",
    "small PNG": "kleines Bild PNG",
    "small SVG": "kleines Bild SVG",
    "small as drawn CSV": "kleines Bild, gezeichnete Werte CSV",
    # what goes on, and what does not
    "Cancel": "Abbrechen",
    "{}<div class='work' role='status'>Computing{} <progress aria-label='progress of the"
    " computation'{}></progress></div>": (
        "{}<div class='work' role='status'>Wird berechnet{} <progress aria-label='Fortschritt der"
        " Berechnung'{}></progress></div>"
    ),
    ", part {} of {}": (", Teil {} von {}"),
    ", about {}": (", etwa {}"),
    "Computing this state ...": "Dieser Zustand wird berechnet ...",
    "This state has no picture; the sentence below explains why, and what to change.": (
        "Zu diesem Zustand gibt es kein Bild; der Satz darunter nennt den Grund und einen Ausweg."
    ),
    "There is no such picture at this state, so there is nothing to download of it.": (
        "In diesem Zustand gibt es dieses Bild nicht, also auch keinen Download."
    ),
    "Cancelled. The page is back at the last state that was computed.": (
        "Abgebrochen. Die Seite zeigt wieder den zuletzt berechneten Zustand."
    ),
    "Cancelled. Change a setting to have the rest of the page computed.": (
        "Abgebrochen. Der Rest der Seite wird berechnet, sobald sich eine Einstellung ändert."
    ),
    "Connection lost. You can go on as soon as the server answers again.": (
        "Verbindung verloren. Es geht weiter, sobald der Server wieder antwortet."
    ),
    "This link has version {}, and this page reads versions {}. The link's settings were tried anyway.": (
        "Dieser Link hat Version {}, die Seite liest die Versionen {}. Die Einstellungen des Links wurden"
        " trotzdem übernommen."
    ),
    "An internal error occurred here and was logged. The picture is the last good one.": (
        "Hier ging etwas schief; gezeigt wird das letzte gültige Bild. Der Fehler liegt bei uns und ist protokolliert."
    ),
    "This takes more memory than there is, so the picture is the last good one; ask for fewer points or blocks.": (
        "Dafür reicht der Speicher nicht; gezeigt wird das letzte gültige Bild. Weniger Punkte oder Blöcke wählen."
    ),
    # your data
    "Drop a file here, or choose one": "Eine Datei hier ablegen oder auswählen",
    "Or paste a table": "Oder eine Tabelle einfügen",
    "Or use an example": "Oder ein Beispiel nehmen",
    "choose a sheet": "Blatt wählen",
    "choose a table": "Tabelle wählen",
    "sheet": "Blatt",
    "table": "Tabelle",
    "Use this table": "Diese Tabelle nehmen",
    "columns": "Spalten",
    "it is a Gram matrix, k(row, column)": "es ist eine Gram-Matrix, k(Zeile, Spalte)",
    "scale each column to mean 0 and variance 1": "jede Spalte auf Mittelwert 0 und Varianz 1 bringen",
    "CSV, workbooks, JSON, SQLite, Parquet, NPY, Stata and others, also in a zip archive; up to 20 MB. Your data"
    " stay in this session: no link carries them.": (
        "CSV, Arbeitsmappen, JSON, SQLite, Parquet, NPY, Stata und andere, auch in einem Zip-Archiv; bis 20 MB. Die"
        " Daten bleiben in dieser Sitzung: Kein Link enthält sie."
    ),
}
