"""What one more registered function costs the compiler and the shared object."""
