// The function that throws for the floor of py.error.thrown.
#include <stdexcept>

#include "callee.h"

void callee_throw() { throw std::runtime_error("thrown in C++"); }
