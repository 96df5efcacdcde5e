"""A class: hand out problems, collect what comes back, read and judge it, report."""
