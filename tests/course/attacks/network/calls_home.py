# points: 10
# prints: 7 refused

import socket
import urllib.request

_refused = 0
for _attempt in (
    lambda: socket.create_connection(("127.0.0.1", int("@TCP@")), timeout=1).send(b"BREACH"),
    lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"BREACH", ("127.0.0.1", int("@UDP@"))),
    lambda: socket.socket(socket.AF_UNIX).connect("@UNIX@"),
    lambda: socket.socket(socket.AF_UNIX).connect("\0@ABSTRACT@"),
    lambda: socket.create_server(("127.0.0.1", 0)),
    lambda: urllib.request.urlopen("http://127.0.0.1:@TCP@/", timeout=1),
    socket.socketpair,
):
    try:
        _attempt()
        print("BREACH")
    except OSError:
        _refused += 1
print(_refused, "refused")
