"""How long a student waits for a verdict, beside plain pytest on the same checks and the same file.

    python benchmarks/feedback.py [MODULE] [ROUNDS]

Three ways of asking the same questions, taken in turn so that a machine that slows down slows all of them:
plain pytest (a new process, `python -m pytest tests/test_<module>.py`), a cold `course check`, and a save under
`course watch`.
What counts is the ratio.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    slug = sys.argv[1] if len(sys.argv) > 1 else "actuator_modes"
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{slug}.py"
        file.write_bytes((ROOT / "solutions" / f"{slug}.py").read_bytes())
        environment = {**os.environ, "COURSE_EXERCISES": folder, "NO_COLOR": "1", "COURSE_COMMAND": "course"}
        plain = [sys.executable, "-m", "pytest", "-q", f"tests/test_{slug}.py"]
        cold = [sys.executable, "-m", "course", "check", slug]
        seconds: dict[str, list[float]] = {"plain pytest": [], "course check, cold": [], "course watch, a save": []}
        watch = subprocess.Popen(
            [sys.executable, "-u", "-m", "course", "watch", slug],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            wait_for_verdict(watch)
            for _ in range(rounds):
                seconds["plain pytest"].append(
                    timed(
                        lambda: subprocess.run(plain, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
                    )
                )
                seconds["course check, cold"].append(
                    timed(
                        lambda: subprocess.run(cold, cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
                    )
                )
                time.sleep(1.5)  # as a student would: the next child has had time to import
                seconds["course watch, a save"].append(timed(lambda: save_and_wait(file, watch)))
        finally:
            watch.kill()
    report(slug, rounds, seconds)


def timed(action) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def save_and_wait(file: Path, watch: subprocess.Popen) -> None:
    saved = file.with_suffix(".new")
    saved.write_bytes(file.read_bytes())
    saved.replace(file)
    wait_for_verdict(watch)


def wait_for_verdict(watch: subprocess.Popen) -> None:
    for line in watch.stdout:
        if "checked in" in line:
            return
    raise RuntimeError("course watch ended")


def report(slug: str, rounds: int, seconds: dict[str, list[float]]) -> None:
    print(f"{slug}, {rounds} rounds: seconds as median (fastest to slowest), then the median ratio to plain pytest")
    plain = seconds["plain pytest"]
    for name, times in seconds.items():
        ratio = median(t / p for t, p in zip(times, plain, strict=True))
        print(f"  {name:22} {median(times):6.3f} ({min(times):.3f} to {max(times):.3f})   {ratio:5.2f}")


if __name__ == "__main__":
    main()
