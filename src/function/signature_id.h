// Signature ids: one address for each C++ signature that has a name across modules.
#ifndef BYNAME_FUNCTION_SIGNATURE_ID_H_
#define BYNAME_FUNCTION_SIGNATURE_ID_H_

#include "byname/c_api.h"

namespace byname::core {

// Fills signature.id at the first call. NULL: the signature has no id. Any thread.
const void* signature_id(byname_signature& signature);

}  // namespace byname::core

#endif  // BYNAME_FUNCTION_SIGNATURE_ID_H_
