#include "base/near.h"

#include <algorithm>

namespace byname::core {

namespace {

constexpr size_t kMaxNames = 3;
constexpr size_t kMaxDistance = 3;
constexpr size_t kFar = kMaxDistance + 1;
// What is left of a name once the ends that it shares with the other are off. Longer rests are never near.
constexpr size_t kMaxRest = 64;
// In characters compared: a few milliseconds.
constexpr int64_t kWork = 4'000'000;
// Names this long in a hint would hide the message.
constexpr size_t kMaxShown = 200;

char folded(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same(char a, char b) { return folded(a) == folded(b); }

size_t shared_head(std::string_view a, std::string_view b) {
  auto ends = std::mismatch(a.begin(), a.end(), b.begin(), b.end(), same);
  return static_cast<size_t>(ends.first - a.begin());
}

size_t shared_tail(std::string_view a, std::string_view b) {
  auto ends = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend(), same);
  return static_cast<size_t>(ends.first - a.rbegin());
}

}  // namespace

NearNames::NearNames(std::string_view wanted) : wanted_(wanted), work_left_(kWork), nearest_(kMaxDistance) {}

void NearNames::consider(std::string_view candidate) {
  if (work_left_ <= 0 || candidate.size() > kMaxShown || wanted_.empty()) return;
  size_t distance = distance_to(candidate);
  if (distance > nearest_) return;
  if (distance < nearest_) names_.clear();
  nearest_ = distance;
  auto place = std::ranges::lower_bound(names_, candidate);
  if (place != names_.end() && *place == candidate) return;
  names_.emplace(place, candidate);
  if (names_.size() > kMaxNames) names_.pop_back();
}

size_t NearNames::distance_to(std::string_view candidate) {
  size_t longer = std::max(candidate.size(), wanted_.size());
  size_t shorter = std::min(candidate.size(), wanted_.size());
  work_left_ -= 1;
  if (candidate.size() > wanted_.size() && candidate.ends_with(wanted_) &&
      candidate[candidate.size() - wanted_.size() - 1] == '.') {
    return 1;
  }
  if (longer - shorter > kMaxDistance) return kFar;
  std::string_view a = wanted_;
  std::string_view b = candidate;
  size_t head = shared_head(a, b);
  a.remove_prefix(head);
  b.remove_prefix(head);
  size_t tail = shared_tail(a, b);
  a.remove_suffix(tail);
  b.remove_suffix(tail);
  work_left_ -= static_cast<int64_t>(head + tail) / 8;
  if (std::max(a.size(), b.size()) > kMaxRest) return kFar;

  size_t name_begin = wanted_.substr(0, head).rfind('.') + 1;  // npos + 1 is 0
  size_t length = wanted_.size() - name_begin;
  size_t limit = std::min(nearest_, (length + 2) / 3);
  size_t distance = edit_distance(a, b, limit);
  // All of it replaced is no likeness: `ab` is not near `xy`.
  return distance <= limit && distance < shorter - std::min(shorter, name_begin) ? distance : kFar;
}

// Three rows of the usual table: insert, remove, replace, swap neighbours.
size_t NearNames::edit_distance(std::string_view a, std::string_view b, size_t limit) {
  size_t rows[3][kMaxRest + 1];
  size_t* before_last = rows[0];
  size_t* last = rows[1];
  size_t* now = rows[2];
  work_left_ -= static_cast<int64_t>(b.size());
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    size_t least = i;
    work_left_ -= static_cast<int64_t>(b.size());
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t cost = same(a[i - 1], b[j - 1]) ? 0 : 1;
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + cost});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
        now[j] = std::min(now[j], before_last[j - 2] + 1);
      }
      least = std::min(least, now[j]);
    }
    if (least > limit) return least;
    size_t* free_row = before_last;
    before_last = last;
    last = now;
    now = free_row;
  }
  return last[b.size()];
}

std::string NearNames::hint() const {
  std::string text;
  if (names_.empty()) return text;
  text = " (did you mean ";
  for (size_t i = 0; i < names_.size(); ++i) {
    if (i > 0) text += i + 1 == names_.size() ? " or " : ", ";
    text.append(1, '\'').append(names_[i]).append(1, '\'');
  }
  text += "?)";
  return text;
}

}  // namespace byname::core
