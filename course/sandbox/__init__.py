"""How strongly the process of a student's file is confined, and how that is found out."""
