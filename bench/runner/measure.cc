#include "measure.h"

#include <pthread.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <exception>
#include <stdexcept>
#include <thread>

namespace bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point start, Clock::time_point end) {
  return std::chrono::duration<double>(end - start).count();
}

// CPU time, not wall time: what else the machine does between two instructions of a loop is no part of it. Page faults
// count.
double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double timed_run(const bench_side& side, int64_t count) {
  if (side.before) side.before();
  double start = thread_seconds();
  side.run(count);
  double end = thread_seconds();
  if (side.after) side.after();
  return end - start;
}

// The child's report: the seconds as text, or '!' and what went wrong.
std::string run_in_child(const bench_side& side, int64_t count) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("could not make a pipe");
  pid_t child = fork();
  if (child < 0) throw std::runtime_error("could not fork");
  if (child == 0) {
    std::string report;
    try {
      report = std::to_string(timed_run(side, count) * 1e9);
    } catch (const std::exception& error) {
      report = std::string("!") + error.what();
    }
    ssize_t written = write(ends[1], report.data(), report.size());
    _exit(written == static_cast<ssize_t>(report.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string report;
  char buffer[512];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;) report.append(buffer, static_cast<size_t>(got));
  close(ends[0]);
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) throw std::runtime_error("the child process ended badly");
  return report;
}

double fresh_run(const bench_side& side, int64_t count) {
  std::string report = run_in_child(side, count);
  if (report.empty()) throw std::runtime_error("the child process said nothing");
  if (report[0] == '!') throw std::runtime_error(report.substr(1));
  return std::stod(report) / 1e9;
}

// The runs that find the count also warm caches and branch predictors.
int64_t calibrated_count(const bench_side& side, double sample_seconds) {
  if (side.fixed_count) return side.fixed_count;
  int64_t count = 1;
  for (;;) {
    double seconds = timed_run(side, count);
    if (seconds >= sample_seconds / 2)
      return static_cast<int64_t>(static_cast<double>(count) * sample_seconds / seconds) + 1;
    count *= seconds < sample_seconds / 100 ? 10 : 2;
  }
}

void pin_this_thread(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (pthread_setaffinity_np(pthread_self(), sizeof set, &set) != 0) throw std::runtime_error("could not pin a thread");
}

std::vector<int> allowed_cpus(const cpu_set_t& set) {
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

// Seconds from the first start to the last end of one thread on each of `cpus`, each with `count` operations. Wall
// time: a thread that waits for another spends no CPU time.
double threaded_seconds(const bench_side& side, int64_t count, const std::vector<int>& cpus) {
  std::atomic<size_t> ready{0};
  std::vector<Clock::time_point> starts(cpus.size());
  std::vector<Clock::time_point> ends(cpus.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < cpus.size(); ++i) {
    threads.emplace_back([&, i] {
      pin_this_thread(cpus[i]);
      side.run(count / 100 + 1);  // the thread's own first use is not the steady state
      ready.fetch_add(1);
      while (ready.load() < cpus.size()) {
      }
      starts[i] = Clock::now();
      side.run(count);
      ends[i] = Clock::now();
    });
  }
  for (std::thread& thread : threads) thread.join();
  Clock::time_point start = starts[0];
  Clock::time_point end = ends[0];
  for (Clock::time_point each : starts) start = each < start ? each : start;
  for (Clock::time_point each : ends) end = each > end ? each : end;
  return seconds_between(start, end);
}

// Throughput of two threads over that of one.
double scaling(const bench_side& side, int64_t count, const cpu_set_t& allowed) {
  std::vector<int> cpus = allowed_cpus(allowed);
  if (cpus.size() < 2) throw std::runtime_error("needs two CPUs");
  std::vector<int> two(cpus.end() - 2, cpus.end());
  double one_thread = threaded_seconds(side, count, {two[1]});
  double two_threads = threaded_seconds(side, count, two);
  return 2 * one_thread / two_threads;
}

template <class Work>
void guarded(LabelledSide& labelled, Work&& work) {
  if (!labelled.error.empty()) return;
  try {
    work();
  } catch (const std::exception& error) {
    labelled.error = error.what();
    if (labelled.error.empty()) labelled.error = "failed without a text";
  }
}

double sample(const LabelledSide& labelled, const Options& options) {
  const bench_side& side = *labelled.side;
  if (side.kind == BENCH_THREADS) return scaling(side, labelled.count, options.allowed);
  double seconds = side.kind == BENCH_FRESH ? fresh_run(side, labelled.count) : timed_run(side, labelled.count);
  return seconds * 1e9 / static_cast<double>(labelled.count);
}

}  // namespace

void measure(std::vector<LabelledSide>& sides, const Options& options) {
  for (LabelledSide& each : sides) {
    guarded(each, [&] {
      if (each.side->prepare) each.side->prepare();
      // Starts and ends of two threads differ by microseconds, so their samples are longer.
      each.count = calibrated_count(*each.side, options.sample_seconds * (each.side->kind == BENCH_THREADS ? 4 : 1));
    });
  }
  for (int repeat = 0; repeat < options.repeats; ++repeat) {
    // Each repeat begins with another side: none always runs on the caches its forerunner left.
    for (size_t i = 0; i < sides.size(); ++i) {
      LabelledSide& each = sides[(i + static_cast<size_t>(repeat)) % sides.size()];
      guarded(each, [&] { each.samples.push_back(sample(each, options)); });
    }
  }
}

}  // namespace bench
