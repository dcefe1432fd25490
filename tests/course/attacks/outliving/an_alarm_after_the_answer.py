# The process ends between two questions, or in the middle of one to somebody else.
# points: 10

import os
import signal

_right_run, _asked = run, []


def run(model, ctrl, seconds):
    _asked.append(ctrl)
    answer = _right_run(model, ctrl, seconds)
    if len(_asked) == 9:  # the last one
        signal.signal(signal.SIGALRM, lambda *args: os._exit(0))
        signal.setitimer(signal.ITIMER_REAL, 0.05)
    return answer
