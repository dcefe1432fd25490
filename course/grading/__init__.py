"""Grading a class: what was handed in, its results, and the grades and pages made from them."""
