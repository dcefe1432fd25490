# points: 10
# prints: 3 refused

import socket

_refused = 0
for _family, _kind in ((socket.AF_PACKET, socket.SOCK_RAW), (socket.AF_NETLINK, socket.SOCK_RAW), (40, 1)):
    try:
        socket.socket(_family, _kind)  # 40: AF_VSOCK, to the computer on which a virtual one runs
        print("BREACH", _family)
    except OSError:
        _refused += 1
print(_refused, "refused")
