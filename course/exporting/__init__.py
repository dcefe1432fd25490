"""The forms in which a grading leaves the course, one file each."""
