"""Files that harm their process: nobody waits for it, nothing of it stays, and the other questions are still asked."""

import os
import signal
import textwrap
import time
from contextlib import contextmanager, suppress

import numpy as np
import pytest

from course.process import Child, _Output
from course.session import Session, StudentError


@pytest.fixture(autouse=True)
def without_sandbox(monkeypatch):
    monkeypatch.setenv("COURSE_SANDBOX", "none")  # the hardest case: nothing but us ends what a file has started


@contextmanager
def asking(tmp_path, text, seconds=30.0):
    """A session of its own for a file that harms its process. Yields it and the function that asks."""
    file = tmp_path / "harmful.py"
    file.write_text("import os, signal, sys, threading, time\n" + textwrap.dedent(text))
    session = Session("harmful", file)
    session.seconds = seconds
    try:
        yield session, lambda name, *args, **kwargs: session.call(name, args, kwargs)
    finally:
        session.close()


def test_a_function_that_ends_its_process_is_asked_once_and_the_others_still_are(tmp_path):
    text = "def echo(x): return x\n" + "".join(f"def end_{i}(): os._exit({i})\n" for i in range(5))
    with asking(tmp_path, text) as (_, ask):
        for i in range(5):
            for _ in range(2):
                with pytest.raises(StudentError, match=rf"ended in the middle of end_{i}\(\) \(exit code {i}\)"):
                    ask(f"end_{i}")
        assert ask("echo", 7) == 7


def test_what_one_function_left_behind_is_not_blamed_on_the_next(tmp_path):
    text = """
        def echo(x): return x
        def leave(): threading.Timer(0.1, os._exit, (3,)).start()
    """
    with asking(tmp_path, text) as (session, ask):
        ask("leave")
        while session._child.alive:
            time.sleep(0.02)
        assert ask("echo", 7) == 7


def test_a_save_during_the_check_does_not_mix_two_files(tmp_path):
    with asking(tmp_path, "def version(): return 1\ndef end(): os._exit(0)") as (session, ask):
        assert ask("version") == 1
        session.file.write_text("def version(): return 2")
        with pytest.raises(StudentError):
            ask("end")
        assert ask("version") == 1


def test_a_reserve_that_died_is_replaced(tmp_path):
    with asking(tmp_path, "def echo(x): return x") as (session, ask):
        session._reserve = session._start()
        session._reserve._process.kill()
        while session._reserve.alive:
            time.sleep(0.02)
        assert ask("echo", 7) == 7


def test_a_process_that_cannot_start_is_not_the_students_fault(tmp_path):
    with asking(tmp_path, "def echo(x): return x") as (session, ask):
        session._start = lambda: Child(imports=("no_such_module",))
        for _ in range(2):
            with pytest.raises(RuntimeError, match="did not start: ModuleNotFoundError: No module named 'no_such_mod"):
                ask("echo", 7)


def test_a_slow_start_is_not_the_files_time(tmp_path, monkeypatch):
    (tmp_path / "slow_to_import.py").write_text("import time; time.sleep(0.6)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr("course.session.LOAD_SECONDS", 0.5)
    with asking(tmp_path, "def echo(x): return x") as (session, ask):
        session._start = lambda: Child(imports=("slow_to_import",))
        assert ask("echo", 7) == 7


def test_a_process_that_closes_what_it_prints_to_still_answers(tmp_path):
    text = """
        def close(): sys.stdout.close(); sys.stderr = None; os.close(2); return 1.0
        def breaks(): breakpoint(); return 2.0
    """
    with asking(tmp_path, text) as (session, ask):
        assert ask("breaks") == 2.0
        assert "course check --debug" in session.printed()[0]
        assert ask("close") == 1.0
        assert session.printed() == ("", 0)
        assert ask("breaks") == 2.0


FORKS = """
    def forks():
        pid = os.fork()
        if pid == 0:
            time.sleep(60)
        return pid
"""
posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")


@posix
def test_a_forked_process_ends_with_its_parent(tmp_path):
    with asking(tmp_path, FORKS) as (session, ask):
        pid = ask("forks")
        started = time.monotonic()
        session.close()
        assert time.monotonic() - started < 5
    assert_gone(pid)


@posix
def test_a_process_that_escapes_keeps_nobody_waiting(tmp_path):
    text = """
        def escapes():
            pid = os.fork()
            if pid == 0:
                os.setsid()
                time.sleep(60)
            return pid
    """
    with asking(tmp_path, text) as (session, ask):
        pid = ask("escapes")
        started = time.monotonic()
        session.close()
        assert time.monotonic() - started < 5
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


@posix
def test_a_deadline_holds_for_a_question_that_is_not_read(tmp_path):
    text = """
        def echo(x): return x
        def stops(): threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGSTOP)).start()
    """
    with asking(tmp_path, text, seconds=1.0) as (_, ask):
        ask("stops")
        time.sleep(0.3)
        started = time.monotonic()
        with pytest.raises(StudentError, match="echo\\(\\) did not come back in time"):
            ask("echo", np.zeros(1_000_000))
        assert time.monotonic() - started < 5


@posix
def test_memory_has_a_limit(tmp_path):
    with asking(tmp_path, "import numpy\ndef huge(): return numpy.zeros(6 * 2**27).size") as (_, ask):
        if os.uname().sysname == "Linux":
            with pytest.raises(StudentError, match="MemoryError: Unable to allocate 6"):
                ask("huge")


@posix
def test_a_process_whose_parent_is_gone_takes_what_it_started_along(tmp_path):
    with asking(tmp_path, FORKS) as (session, ask):
        pids = [ask("forks"), session._child._process.pid]
        session._child._outbox.put(None)  # closes its pipe, as the end of the parent would
        for pid in pids:
            assert_gone(pid)


def assert_gone(pid, seconds=5.0):
    end = time.monotonic() + seconds
    with suppress(ProcessLookupError):
        while time.monotonic() < end:
            os.kill(pid, 0)
            with suppress(OSError), open(f"/proc/{pid}/stat") as state:
                if state.read().rpartition(")")[2].split()[0] == "Z":
                    return  # ended; whoever inherited it has yet to notice
            time.sleep(0.02)
        pytest.fail(f"process {pid} still runs")


def test_a_mark_that_comes_late_is_not_shown():
    read, write = os.pipe()
    output = _Output(os.fdopen(read, "rb", 0))
    late = output.next_mark()
    os.write(write, b"one ")
    assert output.take(late, seconds=0.05) == ("one ", 4)
    mark = output.next_mark()
    os.write(write, f"{late}two {mark}".encode())
    assert output.take(mark, seconds=5.0) == ("two ", 4)
    os.close(write)
