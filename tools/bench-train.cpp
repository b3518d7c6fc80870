// What tools/bench measures: training steps of the built-in model's shape on tokens of chance. Natively a
// program that reads "threads steps" line by line and answers with the seconds taken and the last loss; for a
// page one function.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "trainer.hpp"

using namespace glassbox;

namespace {

constexpr std::size_t row_tokens = 256, rows = 8;

/// A trainer with random weights, and the batch that it learns again and again.
struct Work {
  Trainer trainer;
  Batch batch;
};

Work make_work() {
  Config config;
  config.vocab_size = 2560;
  config.n_positions = row_tokens;
  config.n_embd = 128;
  config.n_head = 4;
  config.n_layer = 4;
  config.n_inner = 4 * config.n_embd;
  TrainSettings settings;
  settings.tokens_per_step = rows * row_tokens;
  settings.held_out = 0;
  settings.start = Start::gpt2;
  settings.stages.push_back({.steps = 1'000'000, .row_tokens = row_tokens, .starts = {}, .no_start = {}});

  Random random(1);
  PackedDocuments documents{{}, {0}, {0}, {"text"}, 0};
  for (std::size_t i = 0; i <= rows * row_tokens; ++i) {
    documents.ids.push_back(static_cast<TokenId>(1 + random.below(config.vocab_size - 1)));
  }
  Batch batch{rows, row_tokens, documents.ids, documents.ids};
  batch.inputs.pop_back();
  batch.targets.erase(batch.targets.begin());
  documents.ids.push_back(documents.end);
  return {Trainer(settings, config, std::move(documents)), std::move(batch)};
}

Work& work() {
  static Work the_work = make_work();
  return the_work;
}

}  // namespace

/// Takes `steps` steps on this thread → the mean loss before the last one, nats.
extern "C" double bench_steps(int steps) {
  double loss = 0;
  for (int i = 0; i < steps; ++i) loss = work().trainer.step_on(work().batch).loss;
  return loss;
}

#ifndef GLASSBOX_BENCH_PAGE

namespace {

/// Takes the numbers from one counter, on several threads.
ParallelFor with_threads(unsigned threads) {
  return [threads](std::size_t n, const std::function<void(std::size_t)>& call) {
    std::atomic<std::size_t> next = 0;
    const auto take = [&] {
      for (std::size_t i; (i = next++) < n;) call(i);
    };
    std::vector<std::jthread> others;
    for (unsigned t = 1; t < threads; ++t) others.emplace_back(take);
    take();
  };
}

}  // namespace

int main() {
  unsigned threads, steps;
  while (std::scanf("%u %u", &threads, &steps) == 2) {
    const auto begin = std::chrono::steady_clock::now();
    double loss = 0;
    for (unsigned i = 0; i < steps; ++i) {
      loss = threads > 1 ? work().trainer.step_on(work().batch, with_threads(threads)).loss : bench_steps(1);
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    std::printf("%.6f %.4f\n", taken.count(), loss);
    std::fflush(stdout);
  }
}

#endif
