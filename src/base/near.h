// Names that are near a wanted one, for the hint at the end of an error message.
#ifndef BYNAME_BASE_NEAR_H_
#define BYNAME_BASE_NEAR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace byname::core {

// Sees candidates one after the other and keeps the nearest, three at most. A candidate is near if a third of the
// wanted characters or fewer, three at most, must be inserted, removed, replaced or swapped, letter case aside; a
// namespace that both share does not count as likeness. Near is also what is the wanted name with something and a dot
// before it. The work is bounded for names of any length and any number of candidates: past the bound, further
// candidates are ignored. One thread at a time.
class NearNames {
 public:
  // `wanted` must live as long as this.
  explicit NearNames(std::string_view wanted);
  void consider(std::string_view candidate);
  // ` (did you mean 'a', 'b' or 'c'?)`, in the alphabet's order; empty if none is near.
  std::string hint() const;

 private:
  size_t distance_to(std::string_view candidate);
  size_t edit_distance(std::string_view a, std::string_view b, size_t limit);

  std::string_view wanted_;
  int64_t work_left_;
  size_t nearest_;                  // the distance of the names that are kept
  std::vector<std::string> names_;  // sorted
};

// The same for a range of texts.
template <class Range>
std::string near_hint(std::string_view wanted, const Range& candidates) {
  NearNames near(wanted);
  for (std::string_view candidate : candidates) near.consider(candidate);
  return near.hint();
}

}  // namespace byname::core

#endif  // BYNAME_BASE_NEAR_H_
