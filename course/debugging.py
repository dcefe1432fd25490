"""`course check --debug`: the same questions asked inside this process, so that a breakpoint stops."""

import sys
import traceback
from bdb import BdbQuit
from typing import Any

from course.boundary import Boundary, Message, Problem
from course.child.worker import Worker


class Here(Boundary):
    """Runs the file in this process. For your own file only: nothing protects this process from it."""

    def __init__(self) -> None:
        super().__init__()
        self._worker = Worker(self._answer_callback)
        self._file = ""

    def _request(self, head: dict[str, Any], buffers: list[bytes], deadline: float) -> Message:
        self._file = head.get("file", self._file)
        try:
            return self._worker.do(head, buffers)
        except (KeyboardInterrupt, BdbQuit):  # Ctrl-C, and "quit" at a breakpoint
            raise KeyboardInterrupt from None
        except BaseException as problem:
            told = self._worker.describe(problem)
            if told["kind"] == "raised":
                self._show(problem)
            raise Problem.told(told) from None

    def _show(self, problem: BaseException) -> None:
        """The traceback from the student's file on; what calls it is nobody's business."""
        trace = problem.__traceback__
        while trace and trace.tb_next and trace.tb_frame.f_code.co_filename != self._file:
            trace = trace.tb_next
        traceback.print_exception(type(problem), problem, trace, file=sys.stderr)

    def kill(self) -> None:
        self._worker.close()
