"""The benchmarks that are written in Python; started by bench/run.py."""
