#include <byname/c_api.h>

// A plugin in its smallest form: it is linked with the library and can be opened.
extern "C" __attribute__((visibility("default"))) const char* consumer_version() { return byname_version(); }
