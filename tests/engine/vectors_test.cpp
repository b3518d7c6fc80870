// Cosines, principal axes, neighbours and positions.
#include "vectors.hpp"

#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "data.hpp"
#include "models.hpp"
#include "ops.hpp"
#include "random.hpp"
#include "safetensors.hpp"

using namespace glassbox;
using test::bytes_of;
using test::load_gpt2;
using test::random_matrix;
using test::read_data;
using test::read_model;

namespace {

double cosine_of(const Real* a, const Real* b, std::size_t n) {
  double product = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < n; ++i) {
    product += static_cast<double>(a[i]) * b[i];
    aa += static_cast<double>(a[i]) * a[i];
    bb += static_cast<double>(b[i]) * b[i];
  }
  return product / std::sqrt(aa * bb);
}

Matrix matrix(std::initializer_list<std::initializer_list<Real>> rows) {
  Matrix out = Matrix::from_shape({rows.size(), rows.begin()->size()});
  Real* to = out.data();
  for (const auto& row : rows) to = std::copy(row.begin(), row.end(), to);
  return out;
}

double squares(const Matrix& x) {
  double sum = 0;
  for (Real value : x) sum += static_cast<double>(value) * value;
  return sum;
}

double sum_of(const std::vector<double>& values) {
  double sum = 0;
  for (double value : values) sum += value;
  return sum;
}

void check_axes(const Pca& found) {
  const std::size_t k = found.axes.shape(0), C = found.axes.shape(1);
  for (std::size_t a = 0; a < k; ++a) {
    if (found.explained[a] == 0) continue;
    Real largest = 0;
    for (std::size_t c = 0; c < C; ++c)
      if (std::abs(found.axes(a, c)) > std::abs(largest)) largest = found.axes(a, c);
    CHECK(largest > 0);
    for (std::size_t b = 0; b <= a; ++b) {
      double product = 0;
      for (std::size_t c = 0; c < C; ++c) product += static_cast<double>(found.axes(a, c)) * found.axes(b, c);
      CHECK(product == Approx(a == b ? 1 : 0).margin(1e-6));
    }
    if (a > 0) CHECK(found.explained[a] <= found.explained[a - 1]);
  }
  CHECK(sum_of(found.explained) <= 1 + 1e-12);
}

}  // namespace

TEST_CASE("cosines: 1 with itself, symmetric, as by hand, and without an angle 0") {
  const Matrix x = matrix({{3, 4}, {6, 8}, {-4, 3}, {0, 0}, {-3, -4}});
  const Matrix c = cosines(x);
  const Matrix expected =
      matrix({{1, 1, 0, 0, -1}, {1, 1, 0, 0, -1}, {0, 0, 1, 0, 0}, {0, 0, 0, 0, 0}, {-1, -1, 0, 0, 1}});
  for (std::size_t i = 0; i < 25; ++i) CHECK(c.data()[i] == Approx(expected.data()[i]).margin(1e-6));

  const Matrix y = random_matrix(20, 37, 1);
  const Matrix table = cosines(y);
  for (std::size_t i = 0; i < 20; ++i) {
    CHECK(table(i, i) == 1);
    for (std::size_t j = 0; j < 20; ++j) {
      CHECK(table(i, j) == table(j, i));
      CHECK(table(i, j) == Approx(cosine_of(&y(i, 0), &y(j, 0), 37)).margin(1e-6));
    }
  }
  Matrix longer = y;
  for (std::size_t i = 0; i < 20; ++i)
    for (std::size_t k = 0; k < 37; ++k) longer(i, k) *= static_cast<Real>(i + 1);
  const Matrix same = cosines(longer);
  for (std::size_t i = 0; i < 400; ++i) CHECK(same.data()[i] == Approx(table.data()[i]).margin(1e-6));

  Matrix broken = y;
  broken(3, 3) = std::nanf("");
  CHECK_THROWS_AS(cosines(broken), Error);
  CHECK(cosines(Matrix::from_shape({0, 5})).size() == 0);
}

TEST_CASE("very long and very short vectors have cosines too") {
  const Matrix c = cosines(matrix({{Real(1e30), 0}, {Real(1e-30), Real(1e-30)}, {Real(3e38), Real(-3e38)}}));
  CHECK(c(0, 1) == Approx(std::sqrt(0.5)));
  CHECK(c(0, 2) == Approx(std::sqrt(0.5)));
  CHECK(c(1, 2) == Approx(0).margin(1e-6));
}

TEST_CASE("with the mean taken away two vectors point opposite ways") {
  const Matrix c = cosines(centred(random_matrix(2, 30, 2)));
  CHECK(c(0, 1) == Approx(-1));
}

TEST_CASE("PCA by hand: points on a line, and on a cross") {
  const Pca line = pca(matrix({{1, 1}, {2, 2}, {6, 6}}), 2);
  CHECK(line.explained[0] == Approx(1));
  CHECK(line.explained[1] == 0);
  CHECK(line.mean(0) == 3);
  const double root = std::sqrt(2.0);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(line.coordinates(i, 0) == Approx((i == 0 ? -2 : i == 1 ? -1 : 3) * root));
    CHECK(line.coordinates(i, 1) == 0);
  }
  CHECK(line.axes(1, 0) == 0);

  // Along the first direction 2·9, along the second 2·1: shares 0.9 and 0.1.
  const Pca cross = pca(matrix({{0, 3, 5}, {0, -3, 5}, {1, 0, 5}, {-1, 0, 5}}), 3);
  CHECK(cross.explained[0] == Approx(0.9));
  CHECK(cross.explained[1] == Approx(0.1));
  CHECK(cross.explained[2] == 0);
  CHECK(cross.axes(0, 1) == 1);
  CHECK(cross.axes(1, 0) == 1);
  CHECK(cross.coordinates(1, 0) == -3);
}

TEST_CASE("all components of PCA together give the rows back, whether rows or columns are more") {
  for (const auto& [n, C] : {std::pair<std::size_t, std::size_t>{12, 30}, {30, 12}, {20, 20}}) {
    const Matrix x = random_matrix(n, C, 5);
    const Pca found = pca(x, C);
    check_axes(found);
    CHECK(sum_of(found.explained) == Approx(1));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t c = 0; c < C; ++c) {
        double sum = found.mean(c);
        for (std::size_t k = 0; k < C; ++k)
          sum += static_cast<double>(found.coordinates(i, k)) * found.axes(k, c);
        REQUIRE(sum == Approx(x(i, c)).margin(1e-5));
      }
    }
    // The coordinates along one axis have its share of the variance.
    const double whole = squares(centred(x));
    for (std::size_t k = 0; k < 3; ++k) {
      double own = 0;
      for (std::size_t i = 0; i < n; ++i)
        own += static_cast<double>(found.coordinates(i, k)) * found.coordinates(i, k);
      CHECK(own / whole == Approx(found.explained[k]).epsilon(1e-4));
    }
    const Pca fewer = pca(x, 2);
    for (std::size_t i = 0; i < n; ++i) CHECK(fewer.coordinates(i, 1) == found.coordinates(i, 1));
  }
}

TEST_CASE("turning, shifting and stretching all rows leaves PCA's picture as it was") {
  const std::size_t n = 15, C = 9;
  const Matrix x = random_matrix(n, C, 7);
  Matrix turned = x;
  for (std::size_t p = 0; p + 1 < C; ++p) {  // a chain of rotations by different angles
    const double angle = 0.3 + static_cast<double>(p), c = std::cos(angle), s = std::sin(angle);
    for (std::size_t i = 0; i < n; ++i) {
      const double a = turned(i, p), b = turned(i, p + 1);
      turned(i, p) = static_cast<Real>(c * a - s * b);
      turned(i, p + 1) = static_cast<Real>(s * a + c * b);
    }
  }
  for (Real& value : turned) value = 2 * value + 3;
  const Pca before = pca(x, 3), after = pca(turned, 3);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(after.explained[k] == Approx(before.explained[k]).epsilon(1e-5));
    const Real sign = before.coordinates(0, k) * after.coordinates(0, k) < 0 ? Real(-1) : Real(1);
    for (std::size_t i = 0; i < n; ++i)
      CHECK(after.coordinates(i, k) == Approx(2 * sign * before.coordinates(i, k)).margin(1e-4));
  }
}

TEST_CASE("PCA of one row, of two, of equal rows, and of rows that differ by next to nothing") {
  const Pca one = pca(random_matrix(1, 8, 1), 2);
  CHECK(squares(one.coordinates) == 0);
  CHECK(one.explained == std::vector<double>{0, 0});

  const Matrix two = random_matrix(2, 8, 2);
  const Pca line = pca(two, 2);
  check_axes(line);
  CHECK(line.explained[0] == Approx(1));
  CHECK(line.explained[1] == 0);
  double distance = 0;
  for (std::size_t c = 0; c < 8; ++c) distance += std::pow(static_cast<double>(two(0, c)) - two(1, c), 2);
  CHECK(std::abs(line.coordinates(0, 0) - line.coordinates(1, 0)) == Approx(std::sqrt(distance)));

  Matrix equal = Matrix::from_shape({7, 5});
  for (std::size_t i = 0; i < 35; ++i) equal.data()[i] = Real(0.1) * static_cast<Real>(i % 5 + 1);
  CHECK(sum_of(pca(equal, 5).explained) == 0);
  equal(3, 2) += Real(1e-4);
  const Pca nearly = pca(equal, 2);
  CHECK(nearly.explained[0] == Approx(1));
  CHECK(nearly.axes(0, 2) == Approx(1));
}

TEST_CASE("what PCA cannot do is refused") {
  const Matrix x = random_matrix(4, 3, 1);
  CHECK_THROWS_AS(pca(x, 0), Error);
  CHECK_THROWS_AS(pca(x, 4), Error);
  CHECK_THROWS_AS(pca(Matrix::from_shape({0, 3}), 1), Error);
  Matrix broken = x;
  broken(0, 0) = INFINITY;
  CHECK_THROWS_AS(pca(broken, 1), Error);
  CHECK_THROWS_AS(pca(Matrix(xt::zeros<Real>({769, 769})), 1), Error);
}

TEST_CASE("PCA as NumPy finds it, on rows of an embedding table") {
  const auto golden = [] {
    const std::string file = read_data("pca.golden.safetensors");
    std::map<std::string, Matrix> tensors;
    for (auto& [entry, data] : read_tensors(bytes_of(file))) {
      Matrix m = Matrix::from_shape({entry.shape.at(0), entry.shape.at(1)});
      std::copy(data.begin(), data.end(), m.data());
      tensors[entry.name] = m;
    }
    return tensors;
  }();
  for (const std::string name : {"few", "many", "falling"}) {
    INFO(name);
    const Matrix& x = golden.at(name + ".rows");
    const Matrix &coordinates = golden.at(name + ".coordinates"), &axes = golden.at(name + ".axes"),
                 &explained = golden.at(name + ".explained");
    const Pca found = pca(x, axes.shape(0));
    check_axes(found);
    for (std::size_t k = 0; k < axes.shape(0); ++k) {
      CHECK(found.explained[k] == Approx(explained(0, k)).epsilon(1e-5));
      for (std::size_t c = 0; c < axes.shape(1); ++c)
        REQUIRE(found.axes(k, c) == Approx(axes(k, c)).margin(2e-5));
      for (std::size_t i = 0; i < x.shape(0); ++i)
        REQUIRE(found.coordinates(i, k) == Approx(coordinates(i, k)).margin(2e-5));
    }
  }
}

TEST_CASE("neighbours are the largest cosines in the whole table, without the token itself") {
  const Gpt2 model = load_gpt2("gpt2_tied");
  const Weights weights = read_model("gpt2_tied").second;
  const std::size_t V = 61, C = 24;
  const Matrix& wte = weights.wte;
  for (TokenId id : {0, 7, 60}) {
    const auto found = neighbours(model, id, 1000);
    REQUIRE(found.size() == V - 1);
    std::vector<bool> seen(V);
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto other = static_cast<std::size_t>(found[i].id);
      CHECK(found[i].id != id);
      CHECK(!seen[other]);
      seen[other] = true;
      if (i > 0) CHECK(found[i - 1].cosine >= found[i].cosine);
      CHECK(found[i].cosine ==
            Approx(cosine_of(&wte(static_cast<std::size_t>(id), 0), &wte(other, 0), C)).margin(1e-6));
    }
    const auto first = neighbours(model, id, 3);
    REQUIRE(first.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) CHECK(first[i].id == found[i].id);
  }
  CHECK(neighbours(model, 5, 0).empty());
  CHECK_THROWS_AS(neighbours(model, 61, 1), Error);
  CHECK_THROWS_AS(neighbours(model, -1, 1), Error);
}

TEST_CASE("equal rows are nearest, the lower id first, and rows of zeros have no direction") {
  Config config;
  config.vocab_size = 600;  // more than are looked up at a time
  config.n_positions = 4;
  config.n_embd = 4;
  config.n_head = 1;
  config.n_layer = 1;
  config.n_inner = 4;
  Weights weights = make_weights(config);
  weights.wte = random_matrix(600, 4, 3);
  for (std::size_t id : {20, 300, 599})
    for (std::size_t c = 0; c < 4; ++c) weights.wte(id, c) = static_cast<Real>(c);
  for (std::size_t c = 0; c < 4; ++c) weights.wte(10, c) = 0;
  const Gpt2 model(config, std::move(weights));
  const auto found = neighbours(model, 300, 2);
  CHECK(found[0].id == 20);
  CHECK(found[1].id == 599);
  CHECK(found[1].cosine == Approx(1));
  CHECK(neighbours(model, 10, 1).front().cosine == 0);
  CHECK(neighbours(model, 10, 1).front().id == 0);
}

TEST_CASE("the position table, its cosines, and their mean by distance") {
  const Gpt2 model = load_gpt2("gpt2_untied");
  const Weights weights = read_model("gpt2_untied").second;
  const Positions found = positions(model);
  const Matrix& wpe = weights.wpe;
  REQUIRE(found.vectors == wpe);
  REQUIRE(found.by_distance.size() == 17);
  CHECK(found.by_distance[0] == 1);
  CHECK(found.cosines(2, 9) == Approx(cosine_of(&wpe(2, 0), &wpe(9, 0), 40)).margin(1e-6));
  CHECK(found.by_distance[16] == Approx(found.cosines(0, 16)));
  CHECK(found.by_distance[15] == Approx((found.cosines(0, 15) + found.cosines(1, 16)) / 2.0).margin(1e-7));
}

TEST_CASE("vectors of places are those of the trace, before and after each layer") {
  const Gpt2 model = load_gpt2("gpt2_untied");
  const Weights weights = read_model("gpt2_untied").second;
  const std::vector<TokenId> one = {3, 14, 15, 9, 26, 5}, other = {14, 9};
  const std::vector<Matrix> layers = contextual_vectors(model, {{one, 3}, {other, 1}, {one, 5}});
  REQUIRE(layers.size() == 4);
  Trace trace(model.config(), {"wte", "wpe", "h.0.resid_out", "h.2.resid_out"});
  KvCache cache(model.config(), one.size());
  model.forward(one, cache, Logits::last, &trace);
  const auto& kept = trace.activations();
  for (std::size_t c = 0; c < 40; ++c) {
    CHECK(layers[0](0, c) == kept.at("wte").data[3 * 40 + c] + kept.at("wpe").data[3 * 40 + c]);
    CHECK(layers[1](0, c) == kept.at("h.0.resid_out").data[3 * 40 + c]);
    CHECK(layers[3](2, c) == kept.at("h.2.resid_out").data[5 * 40 + c]);
    // The same token at another position: before the layers only the position differs.
    CHECK(layers[0](1, c) - layers[0](0, c) == Approx(weights.wpe(1, c) - weights.wpe(3, c)).margin(1e-6));
  }
  CHECK_THROWS_AS(contextual_vectors(model, {}), Error);
  CHECK_THROWS_AS(contextual_vectors(model, {{one, 6}}), Error);
  CHECK_THROWS_AS(contextual_vectors(model, {{{99}, 0}}), Error);
}
