"""The parts of the bootstrap. Standard library only, and no syntax newer than Python 3.8."""
