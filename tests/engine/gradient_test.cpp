// Every backward pass against central finite differences of its forward pass. This program is compiled with
// the engine in double, so that the differences are good to about 1e-9 and any wrong term shows.
#include <cmath>
#include <functional>

#include "attention.hpp"
#include "catch.hpp"
#include "errors.hpp"
#include "gpt2.hpp"
#include "ops.hpp"
#include "random.hpp"

using namespace glassbox;
using test::code_of;
using test::random_matrix;
using test::random_vector;

static_assert(sizeof(Real) == sizeof(double), "gradients are checked in double");

namespace {

/// ‖difference‖ / ‖numeric‖ between a gradient and the central differences of f with respect to n numbers,
/// which are put back as they were.
double relative_error(const std::function<double()>& f, Real* numbers, const Real* gradient, std::size_t n) {
  constexpr double step = 1e-5;
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Real kept = numbers[i];
    // Fourth order: (8 (f(x+h) − f(x−h)) − (f(x+2h) − f(x−2h))) / 12h.
    const auto at = [&](double steps) {
      numbers[i] = kept + steps * step;
      return f();
    };
    const double numeric = (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * step);
    numbers[i] = kept;
    difference += std::pow(gradient[i] - numeric, 2);
    norm += numeric * numeric;
  }
  REQUIRE(norm > 0);
  return std::sqrt(difference / norm);
}

template <class Tensor>
double relative_error(const std::function<double()>& f, Tensor& numbers, const Tensor& gradient) {
  REQUIRE(numbers.size() == gradient.size());
  return relative_error(f, numbers.data(), gradient.data(), numbers.size());
}

/// The sum of all products of two matrices of one size: its gradient with respect to y is `dy`.
double dot(const Matrix& y, const Matrix& dy) {
  REQUIRE(y.size() == dy.size());
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += y.data()[i] * dy.data()[i];
  return sum;
}

Matrix zeros(std::size_t rows, std::size_t columns) {
  Matrix out = Matrix::from_shape({rows, columns});
  out.fill(0);
  return out;
}

Vector zeros(std::size_t n) {
  Vector out = Vector::from_shape({n});
  out.fill(0);
  return out;
}

/// Seeded weights in which a wrong bias, scale or epsilon shows.
Weights random_weights(const Config& config, unsigned seed) {
  Weights weights = make_weights(config);
  for_each_parameter(weights, [&](const std::string& name, auto& tensor) {
    const bool norm = name.find("ln_") != std::string::npos && name.ends_with(".weight");
    const Matrix numbers = random_matrix(1, tensor.size(), seed++, 0.4);
    for (std::size_t i = 0; i < tensor.size(); ++i) tensor.data()[i] = numbers.data()[i] + (norm ? 1 : 0);
  });
  return weights;
}

Batch random_batch(const Config& config, std::size_t B, std::size_t T, unsigned seed) {
  std::mt19937 generator(seed);
  Batch batch{B, T, {}, {}};
  for (std::size_t n = 0; n < B * T; ++n) {
    batch.inputs.push_back(static_cast<TokenId>(generator() % config.vocab_size));
    batch.targets.push_back(n % 4 == 1 ? -1 : static_cast<TokenId>(generator() % config.vocab_size));
  }
  return batch;
}

constexpr Config tiny(bool tied) {
  return {.vocab_size = 19,
          .n_positions = 9,
          .n_embd = 12,
          .n_head = 3,
          .n_layer = 2,
          .n_inner = 20,
          .layer_norm_epsilon = 1e-2f,
          .tie_word_embeddings = tied};
}

}  // namespace

TEST_CASE("matmul backward") {
  for (std::size_t T : {1, 3, 9, 70}) {
    const std::size_t K = 11, N = 18;
    Matrix x = random_matrix(T, K, 1), w = random_matrix(K, N, 2), dx;
    Vector bias = random_vector(N, 3);
    const Matrix dy = random_matrix(T, N, 4);
    Matrix dw = zeros(K, N);
    Vector dbias = zeros(N);
    TransposeBuffers buffers;
    matmul_backward(x, PackedMatrix::from_rows(w), dy, dx, dw, dbias, buffers);
    const auto f = [&] { return dot(matmul(x, PackedMatrix::from_columns(w), bias), dy); };
    CHECK(relative_error(f, x, dx) < 1e-8);
    CHECK(relative_error(f, w, dw) < 1e-8);
    CHECK(relative_error(f, bias, dbias) < 1e-8);
  }
}

TEST_CASE("gradients of weights are added to what is there") {
  const Matrix x = random_matrix(5, 8, 1), w = random_matrix(8, 6, 2), dy = random_matrix(5, 6, 3);
  const PackedMatrix transposed = PackedMatrix::from_rows(w);
  Matrix once = zeros(8, 6), twice = zeros(8, 6), dx;
  Vector bias_once = zeros(6), bias_twice = zeros(6);
  TransposeBuffers buffers;
  matmul_backward(x, transposed, dy, dx, once, bias_once, buffers);
  for (int i = 0; i < 2; ++i) matmul_backward(x, transposed, dy, dx, twice, bias_twice, buffers);
  for (std::size_t i = 0; i < once.size(); ++i)
    CHECK(twice.data()[i] == Approx(2 * once.data()[i]).epsilon(1e-12));
  for (std::size_t i = 0; i < 6; ++i) CHECK(bias_twice(i) == Approx(2 * bias_once(i)).epsilon(1e-12));
}

TEST_CASE("layer norm backward, also where epsilon matters and beside whole lanes") {
  for (std::size_t C : {2, 8, 21}) {
    for (double epsilon : {1e-5, 0.5}) {
      const std::size_t T = 4;
      Matrix x = random_matrix(T, C, 1);
      Vector weight = random_vector(C, 2), bias = random_vector(C, 3), dweight = zeros(C), dbias = zeros(C);
      const Matrix dy = random_matrix(T, C, 4), before = random_matrix(T, C, 5);
      Matrix dx = before;
      layer_norm_backward(x, weight, epsilon, dy, dx, dweight, dbias);
      const auto f = [&] { return dot(layer_norm(x, weight, bias, epsilon), dy) + dot(x, before); };
      CHECK(relative_error(f, x, dx) < 1e-7);
      CHECK(relative_error(f, weight, dweight) < 1e-8);
      CHECK(relative_error(f, bias, dbias) < 1e-8);
    }
  }
}

TEST_CASE("GELU backward") {
  Matrix x = random_matrix(3, 7, 1, 2);
  const Matrix dy = random_matrix(3, 7, 2);
  Matrix dx = dy;
  gelu_backward(x, dx);
  CHECK(relative_error([&] { return dot(gelu(x), dy); }, x, dx) < 1e-8);
}

TEST_CASE("softmax backward") {
  for (std::size_t n : {1, 2, 8, 13}) {
    Vector x = random_vector(n, 1);
    const Vector dy = random_vector(n, 2);
    std::vector<Real> weights(16), gradient(16, 7);
    std::copy_n(x.data(), n, weights.begin());
    softmax_row(weights.data(), n);
    std::copy_n(dy.data(), n, gradient.begin());
    softmax_row_backward(weights.data(), gradient.data(), n);
    if (n == 1) {
      CHECK(gradient[0] == 0);
      continue;
    }
    const auto f = [&] {
      const Vector y = softmax(x);
      double sum = 0;
      for (std::size_t i = 0; i < n; ++i) sum += y(i) * dy(i);
      return sum;
    };
    CHECK(relative_error(f, x.data(), gradient.data(), n) < 1e-8);
    for (std::size_t i = n; i < (n + 7) / 8 * 8; ++i) CHECK(gradient[i] == 0);
  }
}

TEST_CASE("cross entropy: its value and its gradient") {
  for (std::size_t n : {1, 5, 8, 21}) {
    Vector logits = random_vector(n, 1, 3);
    const std::size_t target = n / 2;
    std::vector<Real> row(24);
    const auto loss = [&] {
      std::copy_n(logits.data(), n, row.begin());
      return cross_entropy_row(row.data(), n, target, 1);
    };
    CHECK(loss() == Approx(-std::log(softmax(logits)(target))).margin(1e-14));
    std::copy_n(logits.data(), n, row.begin());
    cross_entropy_row(row.data(), n, target, 0.25);
    std::vector<Real> gradient(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(n));
    for (Real& g : gradient) g *= 4;
    if (n == 1) {
      CHECK(gradient[0] == 0);
    } else {
      CHECK(relative_error(loss, logits.data(), gradient.data(), n) < 1e-8);
    }
  }
  // Far from the largest logit the loss is the distance, where the probability itself is 0.
  std::vector<Real> row = {5000, 0, 0, 0, 0, 0, 0, 0};
  CHECK(cross_entropy_row(row.data(), 2, 1, 1) == 5000);
  CHECK(row[0] == 1);
  CHECK(row[1] == -1);
}

TEST_CASE("attention backward: several heads, lengths and rows") {
  for (std::size_t T : {1, 2, 4, 7, 13}) {
    for (std::size_t D : {3, 8}) {
      const std::size_t B = 2, H = 3, C = H * D;
      Matrix qkv = random_matrix(B * T, 3 * C, 1), z, dqkv;
      const Matrix dz = random_matrix(B * T, C, 2);
      std::vector<Real> weights;
      AttentionBuffers buffers;
      const auto f = [&] {
        attention_rows(qkv, B, H, weights, z, buffers);
        return dot(z, dz);
      };
      f();
      attention_rows_backward(qkv, B, H, weights, dz, dqkv, buffers);
      CHECK(relative_error(f, qkv, dqkv) < 1e-8);
    }
  }
}

TEST_CASE("the whole model: every parameter's gradient, tied and untied") {
  for (bool tied : {true, false}) {
    const Config config = tiny(tied);
    for (std::size_t T : {1, 6, 9}) {
      Weights weights = random_weights(config, 1), gradients = make_weights(config);
      const Batch batch = random_batch(config, 3, T, 2);
      Gpt2Learner learner(config);
      Gpt2Learner::Scratch scratch;
      learner.set_weights(weights);
      const double scale = 0.125, loss = learner.backward(batch, scale, gradients, scratch);
      CHECK(learner.loss(batch, scratch) == loss);
      const auto f = [&] {
        learner.set_weights(weights);
        return scale * learner.loss(batch, scratch);
      };
      std::vector<std::pair<Real*, std::size_t>> numbers, found;
      std::vector<std::string> names;
      for_each_parameter(weights, [&](const std::string& name, auto& tensor) {
        names.push_back(name);
        numbers.emplace_back(tensor.data(), tensor.size());
      });
      for_each_parameter(gradients, [&](const std::string&, auto& tensor) {
        found.emplace_back(tensor.data(), tensor.size());
      });
      REQUIRE(numbers.size() == found.size());
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        REQUIRE(numbers[i].second == found[i].second);
        INFO(names[i] << ", T " << T << (tied ? ", tied" : ", untied"));
        CHECK(relative_error(f, numbers[i].first, found[i].first, numbers[i].second) < 1e-7);
      }
    }
  }
}

TEST_CASE("targets of −1 count for nothing") {
  const Config config = tiny(true);
  Gpt2Learner learner(config);
  Gpt2Learner::Scratch scratch;
  learner.set_weights(random_weights(config, 3));
  Batch batch = random_batch(config, 2, 8, 4);
  double sum = 0;
  const std::vector<TokenId> targets = batch.targets;
  for (std::size_t n = 0; n < targets.size(); ++n) {
    std::fill(batch.targets.begin(), batch.targets.end(), -1);
    batch.targets[n] = targets[n];
    const double loss = learner.loss(batch, scratch);
    CHECK((loss == 0) == (targets[n] < 0));
    sum += loss;
  }
  batch.targets = targets;
  CHECK(learner.loss(batch, scratch) == Approx(sum).epsilon(1e-12));

  std::fill(batch.targets.begin(), batch.targets.end(), -1);
  Weights gradients = make_weights(config);
  CHECK(learner.backward(batch, 1, gradients, scratch) == 0);
  for_each_parameter(gradients, [](const std::string&, auto& tensor) {
    for (std::size_t i = 0; i < tensor.size(); ++i) REQUIRE(tensor.data()[i] == 0);
  });
}

TEST_CASE("the gradients of two shards add up to those of the batch") {
  const Config config = tiny(false);
  Gpt2Learner learner(config);
  learner.set_weights(random_weights(config, 5));
  const Batch batch = random_batch(config, 4, 7, 6);
  Weights whole = make_weights(config), first = make_weights(config), second = make_weights(config);
  Gpt2Learner::Scratch scratch, other;
  const double loss = learner.backward(batch, 0.5, whole, scratch);
  const auto part = [&](std::size_t from, std::size_t to) {
    Batch rows{to - from, batch.T, {}, {}};
    const auto begin = static_cast<std::ptrdiff_t>(from * batch.T),
               end = static_cast<std::ptrdiff_t>(to * batch.T);
    rows.inputs.assign(batch.inputs.begin() + begin, batch.inputs.begin() + end);
    rows.targets.assign(batch.targets.begin() + begin, batch.targets.begin() + end);
    return rows;
  };
  const double halves =
      learner.backward(part(0, 1), 0.5, first, scratch) + learner.backward(part(1, 4), 0.5, second, other);
  CHECK(halves == Approx(loss).epsilon(1e-13));
  std::vector<std::vector<Real>> expected, sums;
  for_each_parameter(whole, [&](const std::string&, auto& tensor) {
    expected.emplace_back(tensor.data(), tensor.data() + tensor.size());
  });
  for_each_parameter(first, [&](const std::string&, auto& tensor) {
    sums.emplace_back(tensor.data(), tensor.data() + tensor.size());
  });
  std::size_t i = 0;
  for_each_parameter(second, [&](const std::string& name, auto& tensor) {
    INFO(name);
    double difference = 0, norm = 0;
    for (std::size_t k = 0; k < tensor.size(); ++k) {
      difference += std::pow(sums[i][k] + tensor.data()[k] - expected[i][k], 2);
      norm += std::pow(expected[i][k], 2);
    }
    ++i;
    CHECK(std::sqrt(difference) <= 1e-13 * std::sqrt(norm));
  });
}

TEST_CASE("bad batches and bad shapes are refused by name") {
  const Config config = tiny(true);
  Gpt2Learner learner(config);
  learner.set_weights(random_weights(config, 7));
  const auto refusal = [&](const Batch& batch) {
    Gpt2Learner::Scratch scratch;
    return code_of([&] { learner.loss(batch, scratch); });
  };
  CHECK(refusal({1, 2, {0, 18}, {-1, 18}}) == "none");
  CHECK(refusal({}) == "empty_text");
  CHECK(refusal({1, 2, {0, 1}, {1}}) == "bad_argument");
  CHECK(refusal({1, 2, {0}, {1, 2}}) == "bad_argument");
  CHECK(refusal({1, 10, std::vector<TokenId>(10), std::vector<TokenId>(10)}) == "bad_argument");
  CHECK(refusal({1, 1, {-1}, {1}}) == "bad_token");
  CHECK(refusal({1, 1, {19}, {1}}) == "bad_token");
  CHECK(refusal({1, 1, {1}, {19}}) == "bad_token");
  CHECK(refusal({1, 1, {1}, {-2}}) == "bad_token");

  Gpt2Learner::Scratch scratch;
  Weights wrong = make_weights(config);
  wrong.h[1].mlp.c_fc.weight = zeros(12, 21);
  CHECK_THROWS_WITH(learner.set_weights(wrong), "h.1.mlp.c_fc.weight: expected (12, 20), got (12, 21)");
  CHECK_THROWS_AS(learner.backward({1, 1, {1}, {1}}, 1, wrong, scratch), Error);
  Config impossible = config;
  impossible.n_head = 5;
  CHECK_THROWS_AS(Gpt2Learner(impossible), Error);
}
