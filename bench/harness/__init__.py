"""What bench/run.py is made of: the sources of samples, what is computed from them, and the table."""
