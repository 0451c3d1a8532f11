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

// Rounds to the nearest: 0.29 s are 290 ms, not 289.
template <class Duration>
Duration duration_of(double seconds) {
  using Rep = typename Duration::rep;
  std::chrono::duration<double, typename Duration::period> exact = std::chrono::duration<double>(seconds);
  if constexpr (std::is_floating_point_v<Rep>) {
    return std::chrono::duration_cast<Duration>(exact);
  } else {
    double rounded = std::nearbyint(exact.count());
    constexpr int kDigits = std::numeric_limits<Rep>::digits;
    if (!(rounded >= -std::ldexp(1.0, kDigits) && rounded < std::ldexp(1.0, kDigits))) throw_seconds(seconds);
    return Duration(static_cast<Rep>(rounded));
  }
}

template <class Duration>
double seconds_of(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace BYNAME_HIDDEN

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
