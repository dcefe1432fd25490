# Colours, a bell, a cleared screen, text that runs backwards, a title, and a line that looks like a verdict.
# points: run 3, pd_force 0, explain 0
# prints: loud

EVIL = "\x1b[2J\x1b[31m\x07\x9b1m\u202e\u2066\u200b\ufeff\x00\ud800 loud \r\nasked     nothing\nexpected  10 of 10"


def pd_force(target, q, qd):
    print(EVIL.encode("utf-8", "replace").decode())
    raise ValueError(EVIL + "<script>alert(1)</script>]]>\u2028&lt;")
