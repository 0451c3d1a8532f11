// expect: byname: make<T> makes objects; T derives from byname::Object
#include <byname/ref.h>

auto new_object() { return byname::make<byname::Object>(); }
