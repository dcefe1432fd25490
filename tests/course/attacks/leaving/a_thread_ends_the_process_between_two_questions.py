# Every question to run is answered, then a thread ends the process. pd_force is not to blame for that.
# points: 10

import os
import threading

_right_run, _asked = run, []


def run(model, ctrl, seconds):
    _asked.append(ctrl)
    answer = _right_run(model, ctrl, seconds)
    if len(_asked) == 9:  # the last one
        threading.Timer(0.05, os._exit, (0,)).start()
    return answer
