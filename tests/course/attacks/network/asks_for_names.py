# points: 10
# prints: 2 refused

import socket

_refused = 0
for _attempt in (
    lambda: socket.getaddrinfo("example.org", 80),
    lambda: socket.gethostbyname("example.org"),
):
    try:
        _attempt()
        print("BREACH")
    except OSError:
        _refused += 1
print(_refused, "refused")
