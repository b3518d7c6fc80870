#include "cli_writing.hpp"

#include <algorithm>
#include <ctime>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>

#include "cli_json.hpp"
#include "engine.hpp"
#include "files.hpp"
#include "unicode.hpp"

namespace glassbox {

void GenerateCall::add_to(CLI::App& app, bool& json, std::function<void()>& chosen) {
  CLI::App* call = app.add_subcommand("generate", "continue a text");
  input.add_to(*call);
  call->add_option("--max-tokens", options.max_tokens, "at most so many new tokens")->capture_default_str();
  call->add_option("--temperature", options.sampler.temperature, "0 always takes the likeliest")
      ->capture_default_str();
  call->add_option("--top-k", options.sampler.top_k, "draw among the k likeliest; 0 = all")
      ->capture_default_str();
  call->add_option("--top-p", options.sampler.top_p, "draw among the fewest that reach this probability")
      ->capture_default_str();
  call->add_option("--seed", options.sampler.seed, "the same seed draws the same text")
      ->capture_default_str();
  call->add_flag("--no-cache{false}", options.cache,
                 "keep no keys and values: every step reads the whole context anew");
  run_when_chosen(*call, *this, json, chosen);
}

void GenerateCall::run(bool json) const {
  Engine engine;
  input.load(engine);
  const Prompt prompt = input.prompt(engine);
  warn_of_dropped(engine, prompt);
  Generation generation = engine.generate(prompt, options);
  while (const auto id = generation.step()) {
    if (json) continue;
    // Bytes go out as they come: a terminal joins the parts of a character itself.
    std::cout << (engine.has_tokenizer() ? engine.token_bytes(*id).value_or("") : std::to_string(*id) + " ")
              << std::flush;
  }
  if (!json) {
    std::cout << "\n";
    return;
  }
  Output out;
  std::string text;
  for (TokenId id : generation.ids()) text += engine.token_bytes(id).value_or("");
  out["text"] = engine.has_tokenizer() ? Output(to_valid_utf8(text)) : Output(nullptr);
  out["ids"] = generation.ids();
  out["dropped"] = generation.dropped();
  out["prefill_ms"] = generation.prefill_ms();
  out["decode_ms"] = generation.decode_ms();
  out["steps"] = Output::array();
  for (const GenerationStep& step : generation.steps()) {
    Output item;
    item["kind"] = name_of(step.kind);
    item["tokens"] = step.tokens;
    item["start_ms"] = step.start_ms;
    item["ms"] = step.ms;
    item["multiply_adds"] = step.work.multiply_adds;
    item["weight_bytes"] = step.work.weight_bytes;
    item["cache_written"] = step.work.cache_written;
    item["cache_read"] = step.work.cache_read;
    item["cache_bytes"] = step.cache_bytes;
    out["steps"].push_back(std::move(item));
  }
  print_json(out);
}

namespace {

/// By this machine's clock, as HH:MM.
std::string time_now() {
  const std::time_t now = std::time(nullptr);
  char text[6];
  std::strftime(text, sizeof text, "%H:%M", std::localtime(&now));
  return text;
}

}  // namespace

void AgentCall::add_to(CLI::App& app, bool& json, std::function<void()>& chosen) {
  CLI::App* call = app.add_subcommand(
      "agent",
      "answer a question with tools: calculator, clock, dictionary (dictionary.json beside the model)");
  input.add_to(*call);
  call->add_option("--max-steps", options.max_steps, "at most so many calls of tools are done")
      ->capture_default_str();
  call->add_option("--max-tokens", options.max_tokens, "at most so many tokens from one call to the next")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  call->add_option("--clock", clock, "what the clock says, such as 14:05; without it the time now")
      ->type_name("HH:MM");
  run_when_chosen(*call, *this, json, chosen);
}

void AgentCall::require() const {
  input.require();
  const auto digits = [&](std::size_t begin, std::size_t end) {
    return std::all_of(clock.begin() + static_cast<std::ptrdiff_t>(begin),
                       clock.begin() + static_cast<std::ptrdiff_t>(end),
                       [](char c) { return c >= '0' && c <= '9'; });
  };
  if (!clock.empty() && !(clock.size() == 5 && clock[2] == ':' && digits(0, 2) && digits(3, 5) &&
                          clock.substr(0, 2) < "24" && clock[3] < '6')) {
    throw CLI::ValidationError("--clock", "expected HH:MM, got \"" + clock + "\"");
  }
}

void AgentCall::run(bool json) const {
  Engine engine;
  input.load(engine);
  Tools tools{clock.empty() ? time_now() : clock, {}};
  const auto dictionary = read_file_if_there(input.model_file().parent_path() / "dictionary.json");
  if (dictionary) tools.dictionary = read_dictionary(*dictionary);
  const std::string text = input.ids_option->count() == 0
                               ? input.read_text()
                               : engine.tokenizer().decode(input.prompt(engine).ids);
  const AgentRun run = run_agent(engine, text, tools, options);
  if (!json) {
    const auto print = [](std::string name, std::string_view line) {
      name.resize(std::max(name.size(), std::string_view("observation  ").size()), ' ');
      std::cout << name << line << "\n";
    };
    print("question", run.question);
    for (const AgentStep& step : run.steps()) print(name_of(step.kind), step.text);
    if (run.stopped != "answer") print("stopped", run.stopped);
    return;
  }
  const auto text_or_null = [](std::string_view part) {
    return part.empty() ? Output(nullptr) : Output(std::string(part));
  };
  Output out;
  out["question"] = run.question;
  out["steps"] = Output::array();
  for (const AgentStep& step : run.steps()) {
    Output item;
    item["kind"] = name_of(step.kind);
    item["text"] = std::string(step.text);
    item["tool"] = text_or_null(step.tool);
    // A clock's is empty; a text has none.
    item["argument"] = step.argument.data() == nullptr ? Output(nullptr) : Output(std::string(step.argument));
    item["error"] = text_or_null(step.error);
    out["steps"].push_back(std::move(item));
  }
  out["answer"] = run.stopped == "answer" ? Output(run.answer) : Output(nullptr);
  out["stopped"] = run.stopped;
  out["transcript"] = run.transcript;
  out["dropped"] = run.dropped;
  print_json(out);
}

}  // namespace glassbox
