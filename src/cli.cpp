// The native command `glassbox`: the engine's façade for the terminal and for scripts. Text to standard
// output, one line on standard error and exit code 1 for bad input or a bad file, 2 for bad usage.

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "agent.hpp"
#include "attention.hpp"
#include "cli_loss.hpp"
#include "cli_train.hpp"
#include "documents.hpp"
#include "engine.hpp"
#include "files.hpp"
#include "json.hpp"
#include "lens.hpp"
#include "ops.hpp"
#include "safetensors.hpp"
#include "sampler.hpp"
#include "terminal.hpp"
#include "unicode.hpp"
#include "vectors.hpp"

namespace glassbox {
namespace {

/// Objects keep their order, and numbers print as the shortest text that reads back as the same float32.
using Output = nlohmann::basic_json<nlohmann::ordered_map, std::vector, std::string, bool, std::int64_t,
                                    std::uint64_t, float>;

// ── files
// ─────────────────────────────────────────────────────────────────────────────────────────────────────────

std::optional<std::string> read_file_if_there(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  return read_file(path);
}

/// The folder with `builtin` and `gpt2`: GLASSBOX_MODELS, or `models` beside the folder of this program.
std::filesystem::path models_folder() {
  if (const char* folder = std::getenv("GLASSBOX_MODELS"); folder != nullptr && *folder != '\0')
    return folder;
  return std::filesystem::canonical("/proc/self/exe").parent_path().parent_path() / "models";
}

/// Loads tokenizer.json, or vocab.json with merges.txt, if the folder has them.
void load_tokenizer(Engine& engine, const std::filesystem::path& folder) {
  const auto vocab = read_file_if_there(folder / "vocab.json");
  const auto merges = read_file_if_there(folder / "merges.txt");
  if (vocab && merges) {
    engine.load_tokenizer(*vocab, *merges);
  } else if (const auto tokenizer = read_file_if_there(folder / "tokenizer.json")) {
    engine.load_tokenizer_json(*tokenizer);
  }
}

/// Loads a checkpoint piece by piece, and what stands beside it.
void load_model(Engine& engine, const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) throw Error("no_file", "can't read " + path.string());
  const auto config = read_file_if_there(path.parent_path() / "config.json");
  engine.begin_model(std::filesystem::file_size(path),
                     config ? std::optional<std::string_view>(*config) : std::nullopt);
  std::vector<char> piece(1 << 20);
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
    engine.feed_model(std::as_bytes(std::span(piece.data(), static_cast<std::size_t>(file.gcount()))));
  }
  engine.finish_model();
  load_tokenizer(engine, path.parent_path());
}

// ── what the user gave
// ────────────────────────────────────────────────────────────────────────────────────────────

/// The text, the ids and the model that most calls take.
struct Input {
  std::string text, ids, model;
  CLI::Option* text_option = nullptr;
  CLI::Option* ids_option = nullptr;

  void add_to(CLI::App& call, bool with_model = true) {
    text_option =
        call.add_option("text", text, "the text; - reads standard input, byte by byte")->type_name("TEXT");
    if (!with_model) return;
    ids_option = call.add_option("--ids", ids, "token ids instead of a text, such as \"10449 345 845\"")
                     ->type_name("IDS");
    call.add_option("--model", model, "a GPT-2 checkpoint, model.safetensors; without it the built-in model")
        ->type_name("FILE");
  }

  /// Refuses a call without anything to read, before a model is loaded.
  void require() const {
    if (text_option->count() == 0 && (ids_option == nullptr || ids_option->count() == 0)) {
      throw CLI::RequiredError(ids_option == nullptr ? "TEXT" : "TEXT or --ids");
    }
  }

  std::string read_text() const {
    if (text != "-") return text;
    return {std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
  }

  std::filesystem::path model_file() const {
    return model.empty() ? models_folder() / "builtin" / "model.safetensors" : std::filesystem::path(model);
  }

  void load(Engine& engine) const { load_model(engine, model_file()); }

  Prompt prompt(const Engine& engine) const {
    if (ids_option->count() == 0) return engine.prompt(read_text());
    std::vector<TokenId> list;
    for (const std::string& word : CLI::detail::split_up(ids)) {
      char* end = nullptr;
      const long long id = std::strtoll(word.c_str(), &end, 10);
      if (*end != '\0' || id < 0 || id > std::numeric_limits<TokenId>::max()) {
        throw Error("bad_token", "--ids: expected whole numbers from 0 up, got \"" + word + "\"");
      }
      list.push_back(static_cast<TokenId>(id));
    }
    return engine.prompt(std::move(list));
  }
};

/// Tells on standard error what a context that is too small for the text leaves out.
void warn_of_dropped(const Engine& engine, const Prompt& prompt) {
  if (prompt.dropped == 0) return;
  std::cerr << "glassbox: this model reads " << engine.model().config().n_positions << " tokens; the oldest "
            << prompt.dropped << " were left out\n";
}

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

// ── JSON
// ──────────────────────────────────────────────────────────────────────────────────────────────────────────

Output token_json(const std::optional<std::string>& bytes) {
  return bytes ? Output(to_valid_utf8(*bytes)) : Output(nullptr);
}

Output bytes_json(const std::optional<std::string>& bytes) {
  if (!bytes) return nullptr;
  Output list = Output::array();
  for (char byte : *bytes) list.push_back(static_cast<std::uint64_t>(static_cast<unsigned char>(byte)));
  return list;
}

Output tokens_json(const Engine& engine, const std::vector<TokenId>& ids) {
  Output list = Output::array();
  for (TokenId id : ids) list.push_back(token_json(engine.token_bytes(id)));
  return list;
}

Output rows_json(const Real* data, std::size_t rows, std::size_t columns) {
  Output list = Output::array();
  for (std::size_t r = 0; r < rows; ++r)
    list.push_back(std::vector<Real>(data + r * columns, data + (r + 1) * columns));
  return list;
}

Output rows_json(const Matrix& matrix) { return rows_json(matrix.data(), matrix.shape(0), matrix.shape(1)); }

void print_json(const Output& json) { std::cout << json.dump() << "\n"; }

// ── the calls
// ─────────────────────────────────────────────────────────────────────────────────────────────────────

/// What the calls have in common: --json, and that there is something to read before anything is loaded.
template <class Call>
void run_when_chosen(CLI::App& app, const Call& call, bool& json, std::function<void()>& chosen) {
  app.add_flag("--json", json, "print one JSON object");
  app.callback([&] {
    call.require();
    chosen = [&] { call.run(json); };
  });
}

struct Tokenize {
  Input input;
  std::string tokenizer = "builtin";
  bool steps = false;

  void add_to(CLI::App& app, bool& json, std::function<void()>& chosen) {
    CLI::App* call = app.add_subcommand("tokenize", "cut a text into tokens");
    input.add_to(*call, false);
    call->add_option("--tokenizer", tokenizer, "whose vocabulary: builtin or gpt2")
        ->check(CLI::IsMember({"builtin", "gpt2"}))
        ->capture_default_str();
    call->add_flag("--steps", steps, "show every merge");
    run_when_chosen(*call, *this, json, chosen);
  }

  void require() const { input.require(); }

  void run(bool json) const {
    Engine engine;
    load_tokenizer(engine, models_folder() / tokenizer);
    if (!engine.has_tokenizer()) {
      throw Error("no_file", "no tokenizer in " + (models_folder() / tokenizer).string());
    }
    const std::string text = input.read_text();
    const Bpe::Encoded encoded = steps ? engine.tokenizer().encode_with_steps(text)
                                       : Bpe::Encoded{engine.tokenizer().encode(text), {}};
    json ? print_as_json(engine, encoded) : print_as_text(engine, encoded);
  }

  void print_as_json(const Engine& engine, const Bpe::Encoded& encoded) const {
    Output out;
    out["ids"] = encoded.ids;
    out["tokens"] = tokens_json(engine, encoded.ids);
    out["bytes"] = Output::array();
    for (TokenId id : encoded.ids) out["bytes"].push_back(bytes_json(engine.token_bytes(id)));
    if (steps) {
      out["steps"] = Output::array();
      for (const MergeStep& step : encoded.steps) {
        Output item;
        item["rank"] = step.rank;
        item["pair"] = tokens_json(engine, {step.pair.first, step.pair.second});
        item["pieces"] = tokens_json(engine, step.pieces);
        item["pair_ids"] = {step.pair.first, step.pair.second};
        item["piece_ids"] = step.pieces;
        out["steps"].push_back(std::move(item));
      }
    }
    print_json(out);
  }

  void print_as_text(const Engine& engine, const Bpe::Encoded& encoded) const {
    for (const MergeStep& step : encoded.steps) {
      std::cout << "#" << step.rank << "  "
                << token_label(engine.token_bytes(step.pair.first), step.pair.first) << " + "
                << token_label(engine.token_bytes(step.pair.second), step.pair.second) << "  →";
      for (TokenId id : step.pieces) std::cout << " " << token_label(engine.token_bytes(id), id);
      std::cout << "\n";
    }
    for (TokenId id : encoded.ids)
      std::cout << pad_left(std::to_string(id), 6) << "  " << token_label(engine.token_bytes(id), id) << "\n";
  }
};

struct Attention {
  Input input;
  std::string q, k, v;
  std::int64_t layer = 0, head = 0;
  bool causal = false, no_scale = false;

  void add_to(CLI::App& app, bool& json, std::function<void()>& chosen) {
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

  void require() const {
    if (q.empty()) input.require();
  }

  void run(bool json) const { q.empty() ? run_text(json) : run_matrices(json); }

  void run_matrices(bool json) const {
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

  void run_text(bool json) const {
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
};

void add_knockout(CLI::App& call, std::string& words) {
  call.add_option("--knockout", words,
                  "what to leave out: h.2.1 a head, h.2.attn, mlp.3, no-positions, no-mask, no-scale");
}

struct Next {
  Input input;
  std::size_t top = 10;
  std::string knockout;

  void add_to(CLI::App& app, bool& json, std::function<void()>& chosen) {
    CLI::App* call =
        app.add_subcommand("next", "the likeliest next tokens, with probabilities over the whole vocabulary");
    input.add_to(*call);
    call->add_option("--top", top, "how many")->check(CLI::PositiveNumber)->capture_default_str();
    add_knockout(*call, knockout);
    run_when_chosen(*call, *this, json, chosen);
  }

  void require() const { input.require(); }

  void run(bool json) const {
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
};

struct LensCall {
  Input input;
  std::size_t top = 3;
  std::string knockout;

  void add_to(CLI::App& app, bool& json, std::function<void()>& chosen) {
    CLI::App* call = app.add_subcommand("lens", "the guess read off before the first layer and after each");
    input.add_to(*call);
    call->add_option("--top", top, "how many")->check(CLI::PositiveNumber)->capture_default_str();
    add_knockout(*call, knockout);
    run_when_chosen(*call, *this, json, chosen);
  }

  void require() const { input.require(); }

  void run(bool json) const {
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
};

struct Generate {
  Input input;
  GenerateOptions options;

  void add_to(CLI::App& app, bool& json, std::function<void()>& chosen) {
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

  void require() const { input.require(); }

  void run(bool json) const {
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
};

struct AgentCall {
  Input input;
  AgentOptions options;
  std::string clock;

  void add_to(CLI::App& app, bool& json, std::function<void()>& chosen) {
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

  void require() const {
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

  static std::string time_now() {
    const std::time_t now = std::time(nullptr);
    char text[6];
    std::strftime(text, sizeof text, "%H:%M", std::localtime(&now));
    return text;
  }

  void run(bool json) const {
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
      item["argument"] =
          step.argument.data() == nullptr ? Output(nullptr) : Output(std::string(step.argument));
      item["error"] = text_or_null(step.error);
      out["steps"].push_back(std::move(item));
    }
    out["answer"] = run.stopped == "answer" ? Output(run.answer) : Output(nullptr);
    out["stopped"] = run.stopped;
    out["transcript"] = run.transcript;
    out["dropped"] = run.dropped;
    print_json(out);
  }
};

struct TraceCall {
  Input input;
  std::string names;

  void add_to(CLI::App& app, bool& json, std::function<void()>& chosen) {
    CLI::App* call = app.add_subcommand("trace", "the activations of a forward pass");
    input.add_to(*call);
    call->add_option("--names", names, "which, such as wte,h.0.attn.weights; without it all")
        ->type_name("A,B");
    run_when_chosen(*call, *this, json, chosen);
  }

  void require() const { input.require(); }

  void run(bool json) const {
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
        std::cout << name << "  " << shape_text(activation.shape) << "  " << number_text("%.4g", *low)
                  << " … " << number_text("%.4g", *high) << "\n";
      }
    }
    if (json) std::cout << "}\n";
  }
};

struct NeighboursCall {
  Input input;
  std::size_t count = 8;

  void add_to(CLI::App& app, bool& json, std::function<void()>& chosen) {
    CLI::App* call = app.add_subcommand(
        "neighbours", "the tokens whose rows of the embedding table point most nearly as those of the text");
    input.add_to(*call);
    call->add_option("--count", count, "how many")->check(CLI::PositiveNumber)->capture_default_str();
    run_when_chosen(*call, *this, json, chosen);
  }

  void require() const { input.require(); }

  void run(bool json) const {
    Engine engine;
    input.load(engine);
    Output list = Output::array();
    for (const TokenId own : input.prompt(engine).ids) {
      if (!json) std::cout << token_label(engine.token_bytes(own), own) << "  " << own << "\n";
      Output item;
      item["id"] = own;
      item["token"] = token_json(engine.token_bytes(own));
      item["neighbours"] = Output::array();
      for (const auto& [id, cosine] : neighbours(engine.model(), own, count)) {
        if (!json)
          std::cout << number_text("%8.3f", cosine) << "  " << token_label(engine.token_bytes(id), id)
                    << "\n";
        Output neighbour;
        neighbour["id"] = id;
        neighbour["token"] = token_json(engine.token_bytes(id));
        neighbour["bytes"] = bytes_json(engine.token_bytes(id));
        neighbour["cosine"] = cosine;
        item["neighbours"].push_back(neighbour);
      }
      list.push_back(item);
    }
    if (json) print_json(Output{{"tokens", list}});
  }
};

struct QuantizeCall {
  std::filesystem::path in, out;

  void add_to(CLI::App& app, std::function<void()>& chosen) {
    CLI::App* call =
        app.add_subcommand("quantize", "write a GPT-2 checkpoint in int8, about a quarter of its size");
    call->add_option("in", in, "a checkpoint; config.json beside it is read if it is there")
        ->type_name("IN")
        ->required();
    call->add_option("out", out, "the int8 file; replaced whole")->type_name("OUT")->required();
    call->callback([&] { chosen = [&] { run(); }; });
  }

  void run() const {
    const std::string file = read_file(in);
    const std::span<const std::byte> bytes = std::as_bytes(std::span(file));
    // The number of heads has no place in a checkpoint, so that any will do where no config.json states it.
    const std::string config_json =
        read_file_if_there(in.parent_path() / "config.json").value_or(R"({"n_head": 1})");
    const auto [config, weights] = read_checkpoint(bytes, config_json);
    const SafetensorsHeader header = parse_safetensors_header(file, file.size());
    const std::vector<std::byte> int8 = write_int8_checkpoint(config, weights, header.metadata);
    replace_file(out, int8);
    std::cout << out.string() << ": " << int8.size() << " bytes of " << file.size() << "\n";
  }
};

struct BigramsCall {
  std::filesystem::path corpus, model, out;
  std::size_t most_bytes = 250'000;

  void add_to(CLI::App& app, std::function<void()>& chosen) {
    CLI::App* call = app.add_subcommand(
        "bigrams",
        "count which token follows which in a corpus; as bigrams.bin beside a model the page finds it");
    call->add_option("--corpus", corpus, "the texts, as for train")->type_name("FILE")->required();
    call->add_option("--model", model, "the folder with the tokenizer")->type_name("DIR")->required();
    call->add_option("--out", out, "the file; replaced whole")->type_name("FILE")->required();
    call->add_option("--most-bytes", most_bytes, "rare followers are left out until the file fits")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    call->callback([&] { chosen = [&] { run(); }; });
  }

  void run() const {
    Engine engine;
    load_tokenizer(engine, model);
    const Bpe& tokenizer = engine.tokenizer();
    const std::string file = read_file(corpus);
    const PackedDocuments packed =
        pack_documents(corpus.extension() == ".jsonl" ? read_jsonl_corpus(file) : read_plain_corpus(file),
                       tokenizer, std::numeric_limits<std::size_t>::max());
    const Bigrams counted = Bigrams::count(packed.ids, tokenizer.size());
    const std::vector<std::byte> bytes = counted.write_within(most_bytes);
    replace_file(out, bytes);
    const Bigrams kept = Bigrams::read(bytes, tokenizer.size());
    std::size_t pairs = 0, kept_pairs = 0;
    std::uint64_t total = 0, kept_total = 0;
    for (std::size_t i = 0; i < tokenizer.size(); ++i) {
      const auto id = static_cast<TokenId>(i);
      pairs += counted.row(id).followers.size();
      kept_pairs += kept.row(id).followers.size();
      total += counted.row(id).total;
      for (const Bigrams::Follower& follower : kept.row(id).followers) kept_total += follower.count;
    }
    std::cout << out.string() << ": " << bytes.size() << " bytes, " << kept_pairs << " of " << pairs
              << " different pairs, " << kept_total << " of " << total << " in all\n";
  }
};

int run_command(int argc, char** argv) {
  CLI::App app(
      "Glassbox: the numbers inside a GPT-2. Layers, heads and positions count from 0; -- ends the options.",
      "glassbox");
  app.require_subcommand(1, 1);
  bool json = false;
  std::function<void()> chosen;
  Tokenize tokenize;
  Attention attention;
  Next next;
  LensCall lens;
  Generate generate;
  AgentCall agent;
  TraceCall trace;
  NeighboursCall neighbours;
  TrainCall train;
  LossCall loss;
  QuantizeCall quantize;
  BigramsCall bigrams;
  tokenize.add_to(app, json, chosen);
  attention.add_to(app, json, chosen);
  next.add_to(app, json, chosen);
  lens.add_to(app, json, chosen);
  generate.add_to(app, json, chosen);
  agent.add_to(app, json, chosen);
  trace.add_to(app, json, chosen);
  neighbours.add_to(app, json, chosen);
  train.add_to(app, chosen);
  loss.add_to(app, json, chosen);
  quantize.add_to(app, chosen);
  bigrams.add_to(app, chosen);
  try {
    app.parse(argc, argv);
    chosen();
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help
    std::cerr << "glassbox: " << error.what() << " (see --help)\n";
    return 2;
  } catch (const std::bad_alloc&) {
    std::cerr << "glassbox: not enough memory\n";
    return 1;
  } catch (const std::exception& error) {
    std::cerr << "glassbox: " << error.what() << "\n";
    return 1;
  }
}

}  // namespace
}  // namespace glassbox

int main(int argc, char** argv) { return glassbox::run_command(argc, argv); }
