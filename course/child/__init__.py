"""What runs beside the student's code, in a process of its own. It answers calls and knows no check and no answer."""
