// Floors of the object rows: comparing one tag, and make_unique of an object with two fields.
#include <memory>

#include "floors.h"
#include "runner/companion.h"
#include "runner/side.h"

namespace floors {
namespace {

struct Node {
  int32_t tag;
};

struct Pair {
  int64_t first, second;
};

const Node* node;
int32_t wanted;

}  // namespace

void prepare_tag_compare() {
  static const Node kNode = {428};
  node = &kNode;
  wanted = 428;
}

void run_tag_compare(int64_t n) {
  const Node* object = node;
  for (int64_t i = 0; i < n; ++i) {
    asm volatile("" : "+r"(object));  // which object it is, is news each time
    keep(object->tag == wanted);
  }
}

void run_make_unique(int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    auto pair = std::make_unique<Pair>(Pair{i, 1});
    asm volatile("" : : "r"(pair.get()) : "memory");  // the fields are read by somebody
  }
}

}  // namespace floors
