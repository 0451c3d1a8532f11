#include "base/near.h"

#include <algorithm>

namespace byname::core {

namespace {

constexpr size_t kMaxDistance = 3;
// What is left of a name once the ends that it shares with the other are off. Longer rests are never near.
constexpr size_t kMaxRest = 64;
// In characters compared: a few milliseconds.
constexpr int64_t kWork = 4'000'000;
// Names this long in a hint would hide the message.
constexpr size_t kMaxShown = 200;

char folded(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same(char a, char b) { return folded(a) == folded(b); }

void strip_shared_ends(std::string_view& a, std::string_view& b) {
  size_t shortest = std::min(a.size(), b.size());
  size_t head = 0;
  while (head < shortest && same(a[head], b[head])) ++head;
  a.remove_prefix(head);
  b.remove_prefix(head);
  shortest -= head;
  size_t tail = 0;
  while (tail < shortest && same(a[a.size() - 1 - tail], b[b.size() - 1 - tail])) ++tail;
  a.remove_suffix(tail);
  b.remove_suffix(tail);
}

}  // namespace

NearNames::NearNames(std::string_view wanted)
    : wanted_(wanted), limit_(std::min(kMaxDistance, (wanted.size() + 2) / 3)), work_left_(kWork), distances_{} {}

void NearNames::consider(std::string_view candidate) {
  if (work_left_ <= 0 || candidate.size() > kMaxShown || wanted_.empty()) return;
  size_t distance = distance_to(candidate);
  if (distance > limit_) return;
  size_t place = count_;
  while (place > 0 &&
         (distances_[place - 1] > distance || (distances_[place - 1] == distance && names_[place - 1] > candidate))) {
    --place;
  }
  if (place == kMaxNames || (place > 0 && names_[place - 1] == candidate)) return;
  if (count_ < kMaxNames) ++count_;
  for (size_t i = count_ - 1; i > place; --i) {
    distances_[i] = distances_[i - 1];
    names_[i] = std::move(names_[i - 1]);
  }
  distances_[place] = distance;
  names_[place] = candidate;
}

size_t NearNames::distance_to(std::string_view candidate) {
  constexpr size_t kFar = kMaxDistance + 1;
  size_t longer = std::max(candidate.size(), wanted_.size());
  size_t shorter = std::min(candidate.size(), wanted_.size());
  work_left_ -= 1;
  if (candidate.size() > wanted_.size() && candidate.ends_with(wanted_) &&
      candidate[candidate.size() - wanted_.size() - 1] == '.') {
    return 1;
  }
  if (longer - shorter > limit_) return kFar;
  std::string_view a = wanted_;
  std::string_view b = candidate;
  strip_shared_ends(a, b);
  work_left_ -= static_cast<int64_t>(longer - std::max(a.size(), b.size())) / 8;
  // Everything replaced is no likeness: `ab` is not near `xy`.
  if (std::max(a.size(), b.size()) > kMaxRest) return kFar;
  size_t distance = edit_distance(a, b);
  return distance < shorter ? distance : kFar;
}

// Three rows of the usual table: insert, remove, replace, swap neighbours.
size_t NearNames::edit_distance(std::string_view a, std::string_view b) {
  size_t rows[3][kMaxRest + 1];
  size_t* before_last = rows[0];
  size_t* last = rows[1];
  size_t* now = rows[2];
  work_left_ -= static_cast<int64_t>(a.size() * b.size());
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    size_t least = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t cost = same(a[i - 1], b[j - 1]) ? 0 : 1;
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + cost});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
        now[j] = std::min(now[j], before_last[j - 2] + 1);
      }
      least = std::min(least, now[j]);
    }
    if (least > limit_) return least;
    size_t* free_row = before_last;
    before_last = last;
    last = now;
    now = free_row;
  }
  return last[b.size()];
}

std::string NearNames::hint() const {
  std::string text;
  if (count_ == 0) return text;
  text = " (did you mean ";
  for (size_t i = 0; i < count_; ++i) {
    if (i > 0) text += i + 1 == count_ ? " or " : ", ";
    text.append(1, '"').append(names_[i]).append(1, '"');
  }
  text += "?)";
  return text;
}

}  // namespace byname::core
