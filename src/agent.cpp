#include "agent.hpp"

#include <utility>

#include "calculator.hpp"
#include "error.hpp"
#include "json.hpp"
#include "unicode.hpp"

namespace glassbox {

namespace {

constexpr std::string_view unfinished = "unfinished";

/// The name in a tag that begins at `at`, `/` in front of it in a closing one; empty where there is none.
std::string_view tag_at(std::string_view text, std::size_t at) {
  const std::size_t end =
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyz", text.compare(at, 2, "</") == 0 ? at + 2 : at + 1);
  if (text[at] != '<' || end == text.npos || text[end] != '>') return {};
  const std::string_view name = text.substr(at + 1, end - at - 1);
  return name == "/" ? std::string_view() : name;
}

/// Where the first tag stands, or the text's size.
std::size_t find_tag(std::string_view text, bool closing_too) {
  for (std::size_t at = 0; (at = text.find('<', at)) != text.npos; ++at) {
    const std::string_view name = tag_at(text, at);
    if (!name.empty() && (closing_too || name[0] != '/')) return at;
  }
  return text.size();
}

/// A copy whose tags are none any more.
std::string without_tags(std::string_view text) {
  std::string copy;
  for (;;) {
    const std::size_t at = find_tag(text, true);
    copy += text.substr(0, at);
    if (at == text.size()) return copy;
    copy += "＜";
    text.remove_prefix(at + 1);
  }
}

std::string_view error_of(const AgentStep& step) {
  if (find_tag(step.argument, true) < step.argument.size()) return "nested";
  if (step.tool == "result") return {};
  if (step.tool == "clock") return step.argument.empty() ? "" : "extra_argument";
  if (step.tool != "calc" && step.tool != "dict") return "unknown_tool";
  return step.argument.empty() ? "empty_argument" : "";
}

/// The other word of a pair, or nothing.
std::string look_up(const std::string& dictionary, std::string_view word) {
  if (word.find_first_of("\t\n") != word.npos) return {};
  const std::string lines = join({"\n", dictionary});
  std::size_t begin = lines.find(join({"\n", word, "\t"}));
  if (begin != lines.npos) {
    begin += word.size() + 2;
  } else {
    begin = lines.find(join({"\t", word, "\n"}));
    if (begin == lines.npos) return {};
    begin = lines.rfind('\n', begin) + 1;
  }
  return lines.substr(begin, lines.find_first_of("\t\n", begin) - begin);
}

bool is_special(const Engine& engine, TokenId id) {
  return engine.tokenizer().special(engine.token_bytes(id).value_or("")) == id;
}

}  // namespace

const char* name_of(AgentStep::Kind kind) {
  constexpr const char* names[] = {"thought", "call", "observation", "answer"};
  return names[static_cast<std::size_t>(kind)];
}

std::vector<AgentStep> parse_transcript(std::string_view transcript) {
  using Kind = AgentStep::Kind;
  std::vector<AgentStep> steps;
  while (!transcript.empty()) {
    const std::size_t text = find_tag(transcript, false);
    AgentStep step{Kind::answer, transcript.substr(0, text), {}, {}, {}};
    if (text == 0) {
      step.tool = tag_at(transcript, 0);
      step.kind = step.tool == "result" ? Kind::observation : Kind::call;
      const std::size_t begin = step.tool.size() + 2;
      const std::string closing = join({"</", step.tool, ">"});
      const std::size_t end = transcript.find(closing, begin);
      step.argument = transcript.substr(begin, end - begin);
      step.text = transcript.substr(0, end == transcript.npos ? end : end + closing.size());
      step.error = end == transcript.npos ? unfinished : error_of(step);
      if (step.kind == Kind::observation) step.tool = {};
    } else if (text < transcript.size()) {
      step.kind = Kind::thought;
    }
    transcript.remove_prefix(step.text.size());
    steps.push_back(step);
  }
  return steps;
}

std::string read_dictionary(std::string_view json) {
  std::string lines;
  const Json list = parse_json(json, "dictionary.json", "bad_argument");
  for (const Json& pair : list) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_string())
      fail("bad_argument", {"dictionary.json: expected a list of pairs of words"});
    lines += join({pair[0].get_ref<const std::string&>(), "\t", pair[1].get_ref<const std::string&>(), "\n"});
  }
  return lines;
}

Observation execute(const AgentStep& call, const Tools& tools) {
  Observation observation{"错误", std::string(call.error)};
  if (!call.error.empty()) return observation;
  if (call.tool == "clock") {
    observation.result = tools.time;
  } else if (call.tool == "calc") {
    try {
      observation.result = calculate(call.argument);
    } catch (const Error& error) {
      observation.error = error.code();
    }
  } else {
    std::string word(call.argument);
    observation.result = look_up(tools.dictionary, word);
    for (char& letter : word)
      letter = static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter + 32 : letter);
    if (observation.result.empty()) observation.result = look_up(tools.dictionary, word);
    if (observation.result.empty()) observation = {"没有", "not_found"};
  }
  return observation;
}

std::string observation_text(std::string_view result) {
  return join({"<result>", without_tags(result), "</result>"});
}

std::string question_form(std::string_view text) {
  if (text.find_first_not_of(" \n") == text.npos) fail("empty_text", {"the question is empty"});
  std::size_t words = 0, characters = 0;
  bool in_word = false;
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Unit unit = decode_utf8(text, at);
    at += unit.length;
    const bool letter = classify(unit.code_point) == CharacterClass::letter,
               latin = letter && unit.code_point < 0x250;
    words += latin && !in_word;
    characters += letter && !latin;
    in_word = latin;
  }
  const bool english = words > characters;
  const std::string_view begin = english ? "Question: " : "问：", mark = english ? "?" : "？";
  const bool begun = text.starts_with("Question: ") || text.starts_with("问：");
  const bool ended = text.ends_with("?") || text.ends_with("？");
  return join({begun ? "" : begin, text, ended ? "" : mark});
}

Prompt agent_prompt(const Engine& engine, std::string_view question, std::string_view transcript,
                    std::span<const TokenId> added) {
  const Bpe& bpe = engine.tokenizer();
  std::vector<TokenId> ids;
  const auto append = [&](std::string_view text, bool special) {
    const std::vector<TokenId> more = special ? bpe.encode_with_special(text) : bpe.encode(text);
    ids.insert(ids.end(), more.begin(), more.end());
  };
  append(question, false);
  for (const AgentStep& step : parse_transcript(transcript)) {
    const bool tagged = step.kind == AgentStep::Kind::call || step.kind == AgentStep::Kind::observation;
    // What stands between two tags is none.
    const std::string_view inside = tagged ? step.argument : step.text.substr(step.text.size());
    const auto begin = static_cast<std::size_t>(inside.data() - step.text.data());
    append(step.text.substr(0, begin), true);
    append(inside, false);
    append(step.text.substr(begin + inside.size()), true);
  }
  return engine.continued(engine.prompt(std::move(ids)), added);
}

std::string written_text(const Engine& engine, std::span<const TokenId> added) {
  std::string text;
  for (std::size_t i = 0; i < added.size();) {
    std::string plain;
    for (; i < added.size() && !is_special(engine, added[i]); ++i)
      plain += engine.token_bytes(added[i]).value_or("");
    text += without_tags(to_valid_utf8(plain));
    for (; i < added.size() && is_special(engine, added[i]); ++i)
      if (added[i] != engine.end()) text += engine.tokenizer().bytes(added[i]);
  }
  return text;
}

std::string_view stop_reason(const Engine& engine, std::string_view transcript,
                             std::span<const TokenId> added) {
  const TokenId last = added.back();
  if (last == engine.end()) return "end";
  if (!is_special(engine, last)) return {};
  const std::string text = join({transcript, written_text(engine, added)});
  const AgentStep step = parse_transcript(text).back();
  if (step.kind == AgentStep::Kind::observation) return "result";
  return step.kind == AgentStep::Kind::call && step.error != unfinished ? "call" : "";
}

AgentRun run_agent(const Engine& engine, std::string_view text, const Tools& tools,
                   const AgentOptions& options) {
  AgentRun run;
  run.question = question_form(text);
  for (std::size_t done = 0;; ++done) {
    const Prompt prompt = agent_prompt(engine, run.question, run.transcript, {});
    GenerateOptions turn;
    turn.max_tokens = options.max_tokens;
    Generation generation = engine.generate(prompt, turn);
    std::string_view stop;
    while (stop.empty() && generation.step()) stop = stop_reason(engine, run.transcript, generation.ids());
    run.transcript += written_text(engine, generation.ids());
    run.dropped = generation.dropped();
    const std::vector<AgentStep> steps = run.steps();
    const AgentStep last = steps.empty() ? AgentStep{} : steps.back();
    if (stop.empty()) {
      run.stopped = generation.ids().size() == options.max_tokens ? "max_tokens"
                    : last.error == unfinished                    ? unfinished
                                                                  : "answer";
    } else if (stop != "call") {
      run.stopped = stop;
    } else if (done == options.max_steps) {
      run.stopped = "max_steps";
    }
    if (run.stopped == "answer" && last.kind == AgentStep::Kind::answer) {
      run.answer = last.text;
      for (const std::string_view begin : {"答：", "Answer: "})
        if (run.answer.starts_with(begin)) run.answer.erase(0, begin.size());
    }
    if (!run.stopped.empty()) return run;
    run.transcript += observation_text(execute(last, tools).result);
  }
}

}  // namespace glassbox
