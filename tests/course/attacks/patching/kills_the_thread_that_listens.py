# points: run 0, pd_force 3, explain 4

import ctypes
import threading
import time


def run(model, ctrl, seconds):
    for thread in threading.enumerate():
        if thread is not threading.main_thread():
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit))
    for _ in range(1000):
        time.sleep(0.001)
    raise ValueError
