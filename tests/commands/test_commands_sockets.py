"""A websocket of a page, by itself."""

from bokeh.server.connection import ServerConnection

from explorer.commands.websockets import Socket


class Session:
    """Stand-in for the session of a connection."""

    def __init__(self):
        self.heard = []

    def subscribe(self, connection):
        self.heard.append(connection)

    def unsubscribe(self, connection):
        self.heard.remove(connection)


def test_a_socket_that_opens_or_has_closed_touches_no_session(monkeypatch):
    touched, session, socket = [], Session(), Socket.__new__(Socket)
    monkeypatch.setattr(Socket, "touched", staticmethod(touched.append))
    socket.connection = None
    socket._touch()
    assert (socket.session, touched) == (None, [])
    socket.connection = ServerConnection(None, socket, None, session)
    socket._touch()
    assert (socket.session, touched) == (session, [session])
    socket.connection.detach_session()  # the browser went, and an answer is still being written
    socket._touch()
    assert (socket.session, touched) == (None, [session])
