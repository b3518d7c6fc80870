#include "train_settings.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "documents.hpp"
#include "error.hpp"
#include "json.hpp"

namespace glassbox {

namespace {

/// Reads the fields of one object and, at the end, refuses those that no one asked for.
class Fields {
 public:
  Fields(const Json& object, std::string place) : object_(object), place_(std::move(place)) {
    if (!object.is_object()) refuse("", "an object");
  }

  /// The value, or null where the object has none.
  const Json* find(const char* name) {
    known_.insert(name);
    const auto it = object_.find(name);
    return it == object_.end() ? nullptr : &*it;
  }

  const Json& require(const char* name) {
    const Json* value = find(name);
    if (value == nullptr) throw Error("bad_argument", place_ + name + ": missing");
    return *value;
  }

  std::uint64_t size(const char* name, const Json& value) const {
    constexpr std::uint64_t largest = 0x7fffffff;  // keeps products of sizes free of overflow
    const bool whole = value.is_number_unsigned() && value.get<std::uint64_t>() <= largest;
    if (!whole) refuse(name, "a whole number from 0 to " + std::to_string(largest));
    return value.get<std::uint64_t>();
  }

  void read(const char* name, std::size_t& to) {
    if (const Json* value = find(name)) to = static_cast<std::size_t>(size(name, *value));
  }

  void read_required(const char* name, std::size_t& to) {
    to = static_cast<std::size_t>(size(name, require(name)));
    if (to == 0) refuse(name, "a whole number from 1 up");
  }

  void read(const char* name, double& to) {
    const Json* value = find(name);
    if (value == nullptr) return;
    if (!value->is_number()) refuse(name, "a number");
    to = value->get<double>();
  }

  void read(const char* name, std::vector<std::string>& to) {
    const Json* value = find(name);
    if (value == nullptr) return;
    const bool strings = value->is_array() && std::all_of(value->begin(), value->end(),
                                                          [](const Json& item) { return item.is_string(); });
    if (!strings) refuse(name, "a list of strings");
    to = value->get<std::vector<std::string>>();
  }

  void read(const char* name, std::map<std::string, double>& to) {
    const Json* value = find(name);
    if (value == nullptr) return;
    if (!value->is_object()) refuse(name, "an object of shares");
    for (const auto& [key, share] : value->items()) {
      if (!share.is_number()) refuse(name, "an object of shares");
      to[key] = share.get<double>();
    }
  }

  [[noreturn]] void refuse(const char* name, const std::string& expected) const {
    throw Error("bad_argument", place_ + name + ": expected " + expected);
  }

  void refuse_unknown() const {
    for (const auto& [key, value] : object_.items()) {
      if (known_.count(key) != 0) continue;
      std::string list;
      for (const std::string& name : known_) list += (list.empty() ? "" : ", ") + name;
      throw Error("bad_argument", place_ + key + ": unknown; known are " + list);
    }
  }

 private:
  const Json& object_;
  std::string place_;
  std::set<std::string> known_;
};

TrainStage read_stage(const Json& json, const std::string& place,
                      const std::vector<std::string>& usual_no_start) {
  Fields fields(json, place + ".");
  TrainStage stage;
  fields.read_required("steps", stage.steps);
  fields.read_required("row_tokens", stage.row_tokens);
  fields.read("repeated_rows", stage.repeated_rows);
  fields.read("two_key_rows", stage.two_key_rows);
  fields.read("starts", stage.starts);
  stage.no_start = usual_no_start;
  fields.read("no_start", stage.no_start);
  fields.refuse_unknown();
  return stage;
}

}  // namespace

TrainRecipe parse_train_settings(std::string_view text) {
  const Json json = parse_json(text, "settings", "bad_argument");
  Fields fields(json, "settings: ");
  TrainRecipe recipe;
  Config& config = recipe.config;
  TrainSettings& training = recipe.training;
  fields.read_required("vocab_size", config.vocab_size);
  fields.read_required("n_positions", config.n_positions);
  fields.read_required("n_embd", config.n_embd);
  fields.read_required("n_head", config.n_head);
  fields.read_required("n_layer", config.n_layer);
  config.n_inner = 4 * config.n_embd;
  recipe.special_tokens = {std::string(end_of_text)};
  fields.read("special_tokens", recipe.special_tokens);
  if (recipe.special_tokens.empty() || recipe.special_tokens.front() != end_of_text) {
    fields.refuse("special_tokens", "<|endoftext|> as the first");
  }
  fields.read("tokens_per_step", training.tokens_per_step);
  fields.read("learning_rate", training.learning_rate);
  fields.read("beta1", training.beta1);
  fields.read("beta2", training.beta2);
  fields.read("epsilon", training.epsilon);
  fields.read("weight_decay", training.weight_decay);
  fields.read("clip_norm", training.clip_norm);
  fields.read("warm_up_steps", training.warm_up_steps);
  fields.read("final_rate", training.final_rate);
  fields.read("held_out", training.held_out);
  if (const Json* seed = fields.find("seed")) training.seed = fields.size("seed", *seed);
  if (const Json* start = fields.find("start")) {
    if (*start != "copying" && *start != "gpt2") fields.refuse("start", "\"copying\" or \"gpt2\"");
    training.start = *start == "gpt2" ? Start::gpt2 : Start::copying;
  }
  std::vector<std::string> no_start;
  fields.read("no_start", no_start);
  const Json& stages = fields.require("stages");
  if (!stages.is_array() || stages.empty()) fields.refuse("stages", "a list of at least one stage");
  for (std::size_t s = 0; s < stages.size(); ++s) {
    training.stages.push_back(read_stage(stages[s], "settings: stages[" + std::to_string(s) + "]", no_start));
  }
  fields.refuse_unknown();
  check_config(config);
  check_settings(training, config);
  return recipe;
}

}  // namespace glassbox
