# Whatever is asked, it is answered at once, and wrongly.
# points: 0

from course.child.server import Server


def answer(self, head, buffers):
    self._send({"op": "done", "id": head.get("id"), "value": 0.0, "changed": []})


Server._answer = answer
