"""Code that has to run, run where it can do no harm; what comes back is plain data."""
