# points: run 0, pd_force 3, explain 4
# within: 30 s

import signal
import time

from course.child.worker import Worker

Worker.where = lambda self, thread: ["\x1b[2J<script>" * 50, 7, "\u202e" * 50]


def run(model, ctrl, seconds):
    for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(0.01)
