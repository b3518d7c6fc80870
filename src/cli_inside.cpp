#include "cli_inside.hpp"

#include <algorithm>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "attention.hpp"
#include "cli_json.hpp"
#include "engine.hpp"
#include "error.hpp"
#include "json.hpp"
#include "lens.hpp"
#include "ops.hpp"
#include "sampler.hpp"
#include "tensor.hpp"
#include "terminal.hpp"
#include "trace.hpp"

namespace glassbox {

namespace {

/// A JSON matrix such as [[1,0],[0,1]].
Matrix parse_matrix(const char* name, const std::string& text) {
  const Json rows = parse_json(text, name, "bad_argument");
  const auto refuse = [&] {
    return Error(
        "bad_argument",
        std::string(name) + ": expected a JSON matrix such as [[1,0],[0,1]] with rows of equal length");
  };
  if (!rows.is_array() || rows.empty() || !rows[0].is_array() || rows[0].empty()) throw refuse();
  Matrix matrix = Matrix::from_shape({rows.size(), rows[0].size()});
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (!rows[r].is_array() || rows[r].size() != rows[0].size()) throw refuse();
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      if (!rows[r][c].is_number()) throw refuse();
      matrix(r, c) = rows[r][c].get<Real>();
    }
  }
  return matrix;
}

/// The option of the calls that make a guess.
void add_knockout(CLI::App& call, std::string& words) {
  call.add_option("--knockout", words,
                  "what to leave out: h.2.1 a head, h.2.attn, mlp.3, no-positions, no-mask, no-scale");
}

}  // namespace

void AttentionCall::add_to(CLI::App& app, bool& json, std::function<void()>& chosen) {
  CLI::App* call =
      app.add_subcommand("attention", "attention weights of one head for a text, or of given matrices");
  input.add_to(*call);
  call->add_option("--layer", layer, "which layer, from 0")->capture_default_str();
  call->add_option("--head", head, "which head, from 0")->capture_default_str();
  CLI::Option* q_option = call->add_option("--q", q, "queries, a JSON matrix")->type_name("MATRIX");
  CLI::Option* k_option = call->add_option("--k", k, "keys, a JSON matrix")->type_name("MATRIX");
  CLI::Option* v_option = call->add_option("--v", v, "values, a JSON matrix")->type_name("MATRIX");
  q_option->needs(k_option)->needs(v_option);
  k_option->needs(q_option);
  v_option->needs(q_option);
  call->add_flag("--causal", causal, "each query sees only keys up to its own position")->needs(q_option);
  call->add_flag("--no-scale", no_scale, "do not divide by √d")->needs(q_option);
  run_when_chosen(*call, *this, json, chosen);
}

void AttentionCall::require() const {
  if (q.empty()) input.require();
}

void AttentionCall::run(bool json) const { q.empty() ? run_text(json) : run_matrices(json); }

void AttentionCall::run_matrices(bool json) const {
  const AttentionSteps steps =
      attention_steps(parse_matrix("--q", q), parse_matrix("--k", k), parse_matrix("--v", v),
                      {.causal = causal, .scale = !no_scale});
  const std::pair<const char*, const Matrix*> parts[] = {{"scores", &steps.scores},
                                                         {"scaled", &steps.scaled},
                                                         {"masked", &steps.masked},
                                                         {"weights", &steps.weights},
                                                         {"output", &steps.output}};
  Output out;
  for (const auto& [name, matrix] : parts) {
    if (json) {
      out[name] = rows_json(*matrix);
    } else {
      const bool over_keys = matrix != &steps.output;
      std::cout << name << "\n";
      std::cout << table_text(counted_names("q", matrix->shape(0)),
                              counted_names(over_keys ? "k" : "v.", matrix->shape(1)), matrix->data(),
                              causal && matrix == &steps.weights);
      std::cout << (over_keys ? "\n" : "");
    }
  }
  if (json) print_json(out);
}

void AttentionCall::run_text(bool json) const {
  Engine engine;
  input.load(engine);
  const Config& config = engine.model().config();
  const auto check = [](const char* name, std::int64_t value, std::size_t count) {
    if (value < 0 || static_cast<std::size_t>(value) >= count) {
      throw Error("bad_argument", std::string(name) + ": expected 0 to " + std::to_string(count - 1) +
                                      ", got " + std::to_string(value));
    }
  };
  check("--layer", layer, config.n_layer);
  check("--head", head, config.n_head);
  const Prompt prompt = input.prompt(engine);
  warn_of_dropped(engine, prompt);
  const std::string name = "h." + std::to_string(layer) + ".attn.weights";
  const std::size_t T = prompt.ids.size();
  const Activation weights = engine.trace(prompt, {name}).at(name);
  const Real* grid = weights.data.data() + static_cast<std::size_t>(head) * T * T;
  if (json) {
    Output out;
    out["tokens"] = tokens_json(engine, prompt.ids);
    out["layer"] = layer;
    out["head"] = head;
    out["weights"] = rows_json(grid, T, T);
    print_json(out);
  } else {
    std::vector<std::string> names;
    for (TokenId id : prompt.ids) names.push_back(token_label(engine.token_bytes(id), id));
    std::cout << table_text(names, names, grid, true);
  }
}

void NextCall::add_to(CLI::App& app, bool& json, std::function<void()>& chosen) {
  CLI::App* call =
      app.add_subcommand("next", "the likeliest next tokens, with probabilities over the whole vocabulary");
  input.add_to(*call);
  call->add_option("--top", top, "how many")->check(CLI::PositiveNumber)->capture_default_str();
  add_knockout(*call, knockout);
  run_when_chosen(*call, *this, json, chosen);
}

void NextCall::run(bool json) const {
  Engine engine;
  input.load(engine);
  const Prompt prompt = input.prompt(engine);
  warn_of_dropped(engine, prompt);
  Output list = Output::array();
  for (const Candidate& candidate : engine.next(prompt, top, engine.knockouts(knockout))) {
    const auto bytes = engine.token_bytes(candidate.id);
    if (!json) {
      std::cout << pad_left(number_text("%.2f", 100.0 * candidate.p), 6) << " %  "
                << token_label(bytes, candidate.id) << "\n";
      continue;
    }
    Output item;
    item["id"] = candidate.id;
    item["token"] = token_json(bytes);
    item["bytes"] = bytes_json(bytes);
    item["p"] = candidate.p;
    item["logit"] = candidate.logit;
    list.push_back(std::move(item));
  }
  if (json) print_json(Output{{"candidates", std::move(list)}});
}

void LensCall::add_to(CLI::App& app, bool& json, std::function<void()>& chosen) {
  CLI::App* call = app.add_subcommand("lens", "the guess read off before the first layer and after each");
  input.add_to(*call);
  call->add_option("--top", top, "how many")->check(CLI::PositiveNumber)->capture_default_str();
  add_knockout(*call, knockout);
  run_when_chosen(*call, *this, json, chosen);
}

void LensCall::run(bool json) const {
  Engine engine;
  input.load(engine);
  const Prompt prompt = input.prompt(engine);
  warn_of_dropped(engine, prompt);
  const LogitLens lens =
      logit_lens(engine.model(), prompt.ids, prompt.ids.size() - 1, engine.knockouts(knockout));
  Output layers = Output::array();
  for (std::size_t i = 0; i < lens.names.size(); ++i) {
    Vector logits = Vector::from_shape({lens.logits.shape(1)});
    std::copy_n(lens.logits.data() + i * logits.size(), logits.size(), logits.data());
    const Vector p = softmax(logits);
    Output list = Output::array();
    std::string line = lens.names[i];
    for (TokenId id : top_ids(logits, top)) {
      const auto bytes = engine.token_bytes(id);
      const double share = p(static_cast<std::size_t>(id));
      line += "  " + token_label(bytes, id) + " " + number_text("%.2f", 100.0 * share) + " %";
      Output item;
      item["id"] = id;
      item["token"] = token_json(bytes);
      item["p"] = share;
      list.push_back(std::move(item));
    }
    if (!json) std::cout << line << "\n";
    Output layer;
    layer["name"] = lens.names[i];
    layer["candidates"] = std::move(list);
    layers.push_back(std::move(layer));
  }
  if (json) print_json(Output{{"layers", std::move(layers)}});
}

void TraceCall::add_to(CLI::App& app, bool& json, std::function<void()>& chosen) {
  CLI::App* call = app.add_subcommand("trace", "the activations of a forward pass");
  input.add_to(*call);
  call->add_option("--names", names, "which, such as wte,h.0.attn.weights; without it all")->type_name("A,B");
  run_when_chosen(*call, *this, json, chosen);
}

void TraceCall::run(bool json) const {
  Engine engine;
  input.load(engine);
  const std::vector<std::string> wanted =
      names.empty() ? activation_names(engine.model().config()) : CLI::detail::split(names, ',');
  const Prompt prompt = input.prompt(engine);
  warn_of_dropped(engine, prompt);
  const auto activations = engine.trace(prompt, wanted);
  // One activation at a time: a whole trace of GPT-2 as one JSON value would take gigabytes.
  const char* separator = "{";
  for (const std::string& name : wanted) {
    const Activation& activation = activations.at(name);
    if (json) {
      std::cout << separator << Output(name).dump() << ":"
                << Output{{"shape", activation.shape}, {"data", activation.data}}.dump();
      separator = ",";
    } else {
      const auto [low, high] = std::minmax_element(activation.data.begin(), activation.data.end());
      std::cout << name << "  " << shape_text(activation.shape) << "  " << number_text("%.4g", *low) << " … "
                << number_text("%.4g", *high) << "\n";
    }
  }
  if (json) std::cout << "}\n";
}

}  // namespace glassbox
