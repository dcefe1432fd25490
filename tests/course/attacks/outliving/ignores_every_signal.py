# points: 10

import signal
import threading

for _number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
    signal.signal(_number, lambda *args: None)
signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))
threading.Thread(target=signal.pause).start()
