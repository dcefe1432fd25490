# Stopped by a signal, or asleep where the signal does nothing. The time is the check's, not the process's.
# points: run 0, pd_force 3, explain 4
# within: 30 s

import os
import signal
import time


def run(model, ctrl, seconds):
    os.kill(os.getpid(), signal.SIGSTOP)
    time.sleep(1000)
