"""A lost connection: the page says so, takes no hand, and comes back by itself.

Where the session still lives on the server, the browser takes its document anew. Where it is gone, as after a restart,
the page loads its own address again, which has its whole state.
"""

from __future__ import annotations

from bokeh.models import CustomJS
from bokeh.settings import settings
from bokeh.util.token import generate_jwt_token

LOST = "Connection lost. You can go on as soon as the server answers again."
FIRST, LONGEST = 0.5, 8  # s from one attempt to the next, doubled from the first to the longest
SILENCE = 10  # s without an answer after which an attempt has failed
REFUSALS = 2  # by a server that answers, after which the page asks it for a new session
DAYS = 30  # that a page may lie open and still come back to its session

SIGNING = {}  # of this process: how `explorer serve` signs tokens

# what the words of a token say: the address that it was given for, and that it only comes back to its session
PLACE, AGAIN = "explorer_place", "explorer_again"

NOTICE = """
const page = window.explorer_connection ??= {refusals: 0}
function say(words) {
  page.notice = document.createElement('div')
  page.notice.setAttribute('role', 'alert')
  page.notice.className = 'explorer-lost'
  page.notice.style.cssText = 'position: fixed; z-index: 10000; inset: 0 0 auto 0; min-height: 64px; padding: 8px 16px;'
    + 'box-sizing: border-box; display: flex; align-items: center; justify-content: center; text-align: center;'
    + 'font: 16px/1.4 system-ui, sans-serif; text-wrap: balance; color: #FFFFFF; background: #B3261E;'
    + 'box-shadow: 0 2px 8px rgba(0, 0, 0, 0.4)'  // as high as the bar that it hides
  for (const part of document.body.children) part.inert = true
  document.body.append(page.notice)
  page.notice.textContent = words  // a screen reader reads what comes into an alert that is there
}
"""

# Bokeh tells of each attempt that fails by the same event, so this script goes on until one succeeds
ON_LOSS = (
    NOTICE
    + """
const connection = cb_data.connection.deref()
if (page.ended) {
  connection.closed_permanently = true
  return
}
page.anew = false
page.wait ??= first
if (!page.notice) say(words)
connection.token = token
connection.send = () => {}  // a hand that still holds a slider is not heard
connection._receiver = new connection._receiver.constructor()  // half a message may have come
connection._repull_session_doc = async (resolve, reject) => {
  delete connection.send
  const hear = connection._current_handler  // not yet changes: they may be of parts that only the new document has
  connection._current_handler = (message) => message.msgtype() === 'PATCH-DOC' || hear(message)
  try {
    const {doc_json, buffers} = await connection._pull_doc_json()
    connection._current_handler = hear
    // a session that is not ours any more, made anew from the first address of the page, would show another state
    if (!JSON.stringify(doc_json.roots).includes(request.page)) return location.reload()
    take(connection.session.document, doc_json, buffers)
    Object.assign(page, {anew: true, wait: first, refusals: 0})
    resolve(connection.session)
  } catch (error) {
    reject(error)
    if (connection.socket) location.reload()  // else it was lost once more
  }
}
// Bokeh's own way to take a document anew leaves its arrays behind
function take(now, doc_json, buffers) {
  const anew = now.constructor.from_json(doc_json, [], buffers), {config} = anew, roots = [...anew.roots()]
  for (const {id, tags} of now.all_models) if (tags?.themed) anew.get_model_by_id(id).tags.themed = true
  const {data} = roots.find((root) => root.data && 'dark_theme' in root.data)
  // the server's document is always light: the colours of the dark theme are the browser's
  if (data.dark_theme) for (const dark of [false, true]) data.dark_theme = dark
  // and so are images, which follow a column of their source
  for (const source of anew.all_models) if (source.type === 'ColumnDataSource') source.change.emit()
  const place = roots.find((root) => 'pathname' in root.attributes)
  // else the browser would tell the server where it was when the connection was lost
  if (place.search !== location.search) history.replaceState({}, '', place.pathname + place.search)
  Object.assign(page, {main, scrolled: main()?.scrollTop})
  for (const each of [now, anew]) each.clear({sync: false})
  Bokeh.documents.splice(Bokeh.documents.indexOf(anew), 1)
  now._notified_idle = false  // else nothing tells when all of the new parts are there
  now._new_models.add = () => now._new_models  // the server knows them all
  now.config = config
  for (const root of roots) now.add_root(root, {sync: false})
  delete now._new_models.add
}
function main() {
  const parts = [...document.querySelectorAll('*')]
  return parts.map((part) => part.shadowRoot?.querySelector('.main-content')).find(Boolean)
}
setTimeout(async () => {
  const address = connection.url.replace(/^ws/, 'http').replace(/ws$/, 'metadata')
  const options = {cache: 'no-store', signal: AbortSignal.timeout(1000 * silence)}
  const answers = await fetch(address, options).then((reply) => reply.status < 500, () => false)
  page.wait = answers ? first : Math.min(2 * page.wait, longest)  // a server that refuses is asked again at once
  if (!answers) connection._schedule_reconnect(0)
  else if (page.refusals++ < most) connection.reconnect()
  else location.reload()  // the server takes the page's token no more
}, 1000 * page.wait)
"""
)

# the server has let the page go, after long without a hand
ON_END = (
    NOTICE
    + """
page.ended = true
page.notice?.remove()
say(request.ended)
const again = () => location.reload()
for (const hand of ['pointerdown', 'keydown', 'wheel']) window.addEventListener(hand, again, {once: true})
document.addEventListener('visibilitychange', () => document.hidden || again())
"""
)

ON_RETURN = """
const page = window.explorer_connection
if (!page?.anew) return
delete window.explorer_connection
page.notice.remove()
for (const part of document.body.children) part.inert = false
if (page.scrolled) page.main().scrollTop = page.scrolled
"""


def come_back(doc, request):
    """Let a served page's browser say that the connection is lost, and mend it.

    `request` is a model of the page whose `page` no other page has.
    """
    arguments = {
        "request": request,
        "token": lasting_token(doc.session_context),
        "words": LOST,
        "first": FIRST,
        "longest": LONGEST,
        "silence": SILENCE,
        "most": REFUSALS,
    }
    doc.js_on_event("connection_lost", CustomJS(args=arguments, code=ON_LOSS))
    doc.js_on_event("document_ready", CustomJS(code=ON_RETURN))
    request.js_on_change("ended", CustomJS(args={"request": request}, code=ON_END))


def sign_with(secret):
    """Let the tokens of this process be signed so; without it Bokeh's settings say how."""
    SIGNING.update(secret_key=secret, signed=True)


def lasting_token(session):
    """A token that opens a session again; the one that came with the page does so for its first minutes alone."""
    payload = {name: value for name, value in session.token_payload.items() if name != "session_expiry"}
    signing = SIGNING or {"secret_key": settings.secret_key_bytes(), "signed": settings.sign_sessions()}
    return generate_jwt_token(session.id, **signing, extra_payload={**payload, AGAIN: True}, expiration=DAYS * 86400)
