"""What a lesson's notebook uses: your exercise file, predictions, verdicts, questions, sliders.

    from course.lesson import answer, exercise, predict, quiz, slider, verdict

    ex = exercise("actuator_modes")
    ex.pd_force(1.57, 0.0, 0.0)       # your function, as it was last saved

This runs inside the notebook's kernel. It knows files, processes and results, and no physics.
"""

from course.lesson.asking import answer, predict, quiz, slider
from course.lesson.exercises import LessonStop, exercise
from course.lesson.verdicts import verdict

__all__ = ["LessonStop", "answer", "exercise", "predict", "quiz", "slider", "verdict"]
