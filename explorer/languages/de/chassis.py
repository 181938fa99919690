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
    "<style>{}</style><h2>How to read this</h2>{}<h2>Keys</h2><dl>{}</dl>": (
        "<style>{}</style><h2>So liest man die Seite</h2>{}<h2>Tasten</h2><dl>{}</dl>"
    ),
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
    "<div class='says'>Your guess first.</div><div class='trust'>What this sample shows stands here"
    " once you have answered the story's question.</div>": (
        "<div class='says'>Erst raten.</div><div class='trust'>Das Ergebnis erscheint hier, sobald die Frage der"
        " Geschichte beantwortet ist.</div>"
    ),
    "Right.": "Richtig.",
    "Not “{}”, but “{}”.": "Nicht „{}“, sondern „{}“.",
    "Right: it is {}, and no mark of the scale is nearer.": (
        "Richtig: Es sind {}, und kein Teilstrich der Skala liegt näher."
    ),
    "You placed it at {}, and it is {}: {}.": "Geraten: {}. Tatsächlich: {}. Das ist {}.",
    "1 percentage point too high": "1 Prozentpunkt zu hoch",
    "1 percentage point too low": "1 Prozentpunkt zu tief",
    "{} percentage points too high": "{} Prozentpunkte zu hoch",
    "{} percentage points too low": "{} Prozentpunkte zu tief",
    "{} times too large": "{}-mal zu groß",
    "{} times too small": "{}-mal zu klein",
    "{} too large": "um {} zu groß",
    "{} too small": "um {} zu klein",
    "{}: your guess {}, in truth {}": "{}: geraten {}, tatsächlich {}",
    "your guess": "geraten",
    # pictures and controls
    "More pictures": "Weitere Bilder",
    "More settings": "Weitere Einstellungen",
    "Pause {}": "{} anhalten",
    "Play {}": "{} abspielen",
    "{} (Space)": "{} (Leertaste)",
    "auto λ": "λ automatisch",
    "by leave-one-out": "durch Leave-one-out",
    "In words and numbers": "In Worten und Zahlen",
    "All downloads": "Alle Downloads",
    "Python": "Python",
    "{} rows": "{} Zeilen",
    "{} of {} rows; the download has all": "{} von {} Zeilen; der Download hat alle",
    "state JSON": "Zustand JSON",
    "main PNG": "Hauptbild PNG",
    "main SVG": "Hauptbild SVG",
    "main as drawn CSV": "Hauptbild, gezeichnete Werte CSV",
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
    ", part {} of {}": ", Teil {} von {}",
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
    "this link has version {} and the page reads version {}; its fields were tried all the same.": (
        "Der Link hat Version {}, die Seite liest Version {}; seine Felder wurden trotzdem übernommen."
    ),
    "Something went wrong here, and the picture is the last good one. It is a bug of ours, and it is logged.": (
        "Hier ging etwas schief; gezeigt wird das letzte gültige Bild. Der Fehler liegt bei uns und ist protokolliert."
    ),
    "This takes more memory than there is, so the picture is the last good one; ask for fewer points or blocks.": (
        "Dafür reicht der Speicher nicht; gezeigt wird das letzte gültige Bild. Weniger Punkte oder Blöcke wählen."
    ),
}
