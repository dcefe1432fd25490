# A link is followed by whoever opens it, with that one's rights.
# points: 10
# prints: 3 closed

import os

_closed = 0
for _number, _goal in enumerate(("@SECRET@", "/etc/passwd", "../../../../../etc/shadow")):
    os.symlink(_goal, f"link{_number}")
    try:
        print("BREACH", open(f"link{_number}", "rb").read(20))
    except OSError:
        _closed += 1
print(_closed, "closed")
