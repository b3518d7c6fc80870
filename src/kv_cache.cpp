#include "kv_cache.hpp"

#include "simd.hpp"

namespace glassbox {

using simd::LANES;

KvCache::KvCache(const Config& config, std::size_t capacity)
    : L_(config.n_layer), H_(config.n_head), D_(config.head_size()), capacity_(capacity) {
  if (capacity == 0) fail("bad_argument", {"KvCache: expected room for at least 1 token, got 0"});
  keys_.assign(L_ * H_ * simd::padded(capacity_) * D_, 0);
  values_.assign(L_ * H_ * capacity_ * simd::padded(D_), 0);
}

std::size_t KvCache::bytes_per_token() const { return 2 * L_ * H_ * D_ * sizeof(Real); }

std::size_t KvCache::key_offset(std::size_t layer, std::size_t head) const {
  return (layer * H_ + head) * simd::padded(capacity_) * D_;
}

std::size_t KvCache::value_offset(std::size_t layer, std::size_t head) const {
  return (layer * H_ + head) * capacity_ * simd::padded(D_);
}

void KvCache::append(std::size_t layer, const Matrix& qkv) {
  const std::size_t T = qkv.shape(0), C = H_ * D_;
  expect_shape("KvCache: qkv", qkv, {T, 3 * C});
  if (size_ + T > capacity_) {
    fail("bad_argument", {"KvCache: room for ", capacity_, " tokens, asked for ", size_ + T});
  }
  for (std::size_t t = 0; t < T; ++t) {
    const Real* key = qkv.data() + t * 3 * C + C;
    const Real* value = key + C;
    const std::size_t s = size_ + t;
    for (std::size_t h = 0; h < H_; ++h) {
      Real* key_panel = keys_.data() + key_offset(layer, h) + s / LANES * D_ * LANES + s % LANES;
      Real* value_row = values_.data() + value_offset(layer, h) + s * LANES;
      for (std::size_t d = 0; d < D_; ++d) {
        key_panel[d * LANES] = key[h * D_ + d];
        value_row[d / LANES * capacity_ * LANES + d % LANES] = value[h * D_ + d];
      }
    }
  }
}

Panels KvCache::keys(std::size_t layer, std::size_t head, std::size_t S) const {
  return {keys_.data() + key_offset(layer, head), D_ * LANES, D_, S};
}

Panels KvCache::values(std::size_t layer, std::size_t head, std::size_t S) const {
  return {values_.data() + value_offset(layer, head), capacity_ * LANES, S, D_};
}

}  // namespace glassbox
