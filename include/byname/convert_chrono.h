// Conversions of durations and points in time: seconds, as floating-point numbers.
#ifndef BYNAME_CONVERT_CHRONO_H_
#define BYNAME_CONVERT_CHRONO_H_

#include <chrono>
#include <cmath>

#include "byname/any.h"

namespace byname {

namespace detail BYNAME_HIDDEN {

[[noreturn]] BYNAME_COLD inline void throw_seconds(double seconds) {
  if (std::isnan(seconds)) throw Error("ValueError", "expected a number of seconds, got nan");
  throw Error("OverflowError", AnyView(Convert<double>::pack(seconds, NoSide())).print() + " seconds do not fit");
}

// Whole seconds and the rest of one in units of 1 / den, so that neither loses digits; false: not representable.
template <class Rep>
bool count_of(double seconds, int64_t den, Rep& out) {
  double whole = std::floor(seconds);
  if (!(whole >= -0x1p62 && whole < 0x1p62)) return false;
  auto rest = static_cast<int64_t>(std::nearbyint((seconds - whole) * static_cast<double>(den)));
  int64_t count = 0;
  return !__builtin_mul_overflow(static_cast<int64_t>(whole), den, &count) &&
         !__builtin_add_overflow(count, rest, &out);
}

// Rounds to the nearest: 0.29 s are 290 ms, not 289.
template <class Duration>
Duration duration_of(double seconds) {
  using Rep = typename Duration::rep;
  using Period = typename Duration::period;
  if constexpr (std::is_floating_point_v<Rep>) {
    return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
  } else {
    double units = Period::num == 1 ? seconds : seconds * Period::den / Period::num;
    Rep count = 0;
    if (Period::num != 1) units = std::nearbyint(units);
    if (!count_of(units, Period::num == 1 ? Period::den : 1, count)) throw_seconds(seconds);
    return Duration(count);
  }
}

// The nearest double: whole seconds and the rest of one are exact in themselves.
template <class Rep, class Period>
double seconds_of(std::chrono::duration<Rep, Period> duration) {
  if constexpr (std::is_floating_point_v<Rep> || Period::num != 1) {
    return std::chrono::duration<double>(duration).count();
  } else {
    Rep whole = duration.count() / static_cast<Rep>(Period::den);
    Rep rest = duration.count() % static_cast<Rep>(Period::den);
    return static_cast<double>(whole) + static_cast<double>(rest) / static_cast<double>(Period::den);
  }
}

}  // namespace detail

template <class Rep, class Period>
struct Convert<std::chrono::duration<Rep, Period>> {
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_FLOAT, 64, false, BYNAME_TYPE_DURATION);
  using Held = double;
  using Side = detail::NoSide;
  static bool load(const byname_any& from, double& to) noexcept { return Convert<double>::load(from, to); }
  // Throws OverflowError, ValueError.
  static std::chrono::duration<Rep, Period> get(double held) {
    return detail::duration_of<std::chrono::duration<Rep, Period>>(held);
  }
  static byname_any pack(std::chrono::duration<Rep, Period> value, Side side) noexcept {
    return Convert<double>::pack(detail::seconds_of(value), side);
  }
  static void store(byname_any* out, std::chrono::duration<Rep, Period> value) noexcept { *out = pack(value, {}); }
};

// Since 1970, UTC.
template <class Duration>
struct Convert<std::chrono::time_point<std::chrono::system_clock, Duration>> {
  using Time = std::chrono::time_point<std::chrono::system_clock, Duration>;
  static constexpr byname_type kType = detail::simple_type(BYNAME_KIND_FLOAT, 64);
  using Held = double;
  using Side = detail::NoSide;
  static bool load(const byname_any& from, double& to) noexcept { return Convert<double>::load(from, to); }
  // Throws OverflowError, ValueError.
  static Time get(double held) { return Time(detail::duration_of<Duration>(held)); }
  static byname_any pack(Time value, Side side) noexcept {
    return Convert<double>::pack(detail::seconds_of(value.time_since_epoch()), side);
  }
  static void store(byname_any* out, Time value) noexcept { *out = pack(value, {}); }
};

}  // namespace byname

#endif  // BYNAME_CONVERT_CHRONO_H_
