"""What leaves the instructor's hands: the students' copy, nbgrader's notebooks, Gradescope's autograder."""
