#pragma once
// The runtime around a model that was trained to call tools: it finds the calls in what the model writes,
// does them, and puts the results into the text, which the model then goes on with.
//
// A call is text like all else: `<calc>12+35</calc>`, `<clock></clock>`, `<dict>猫</dict>`, and the runtime
// answers `<result>47</result>`. What tells it from a reader's own `<calc>` is that its tags are special
// tokens.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine.hpp"

namespace glassbox {

/// A piece of what follows the question.
struct AgentStep {
  enum class Kind {
    thought,      ///< text with something after it
    call,         ///< a tag, an argument and its closing tag
    observation,  ///< `<result>…</result>`
    answer        ///< text with nothing after it
  } kind;
  std::string_view text;      ///< as it stands, tags included
  std::string_view tool;      ///< of a call: `calc`, `clock`, `dict`, or any other lower-case name
  std::string_view argument;  ///< of a call: what stands between its tags; of an observation too
  /// What is wrong with a call or an observation: `unfinished` (no closing tag), `nested` (a tag inside it),
  /// `unknown_tool`, `empty_argument`, `extra_argument` (a clock takes none). Empty when nothing is.
  std::string_view error;
};

/// `thought`, `call`, `observation` or `answer`.
const char* name_of(AgentStep::Kind kind);

/// Takes a transcript apart. The steps cover it and refer to it. A tag is `<`, a lower-case name, `>`; what
/// it opens ends at the first closing tag of the same name, and nothing inside is a tag. A closing tag that
/// closes nothing is text.
std::vector<AgentStep> parse_transcript(std::string_view transcript);

/// What the tools answer from.
struct Tools {
  std::string time;        ///< what the clock says: HH:MM
  std::string dictionary;  ///< a line for each pair: Chinese, a tab, English; looked up both ways
};

/// The lines of a `dictionary.json`: [["猫", "cat"], …]. Throws Error `bad_argument`.
std::string read_dictionary(std::string_view json);

/// What comes back from a call.
struct Observation {
  std::string result;  ///< the words that the model was trained on: the result, 没有 or 错误
  std::string error;   ///< the call's own, the calculator's code, `not_found`; empty when all went well
};

/// Does a call. English words are looked up in lower case too. Never throws Error.
Observation execute(const AgentStep& call, const Tools& tools);

/// `<result>…</result>` with a result in it. In a tag inside the result `<` becomes `＜`, so that it can't be
/// taken for one: results come from outside.
std::string observation_text(std::string_view result);

/// A question in the form that the built-in model was trained on: with 「问：」 or "Question: " in front and
/// a question mark at the end, unless they are there. Chinese, unless there are more words of Latin letters
/// in it than Chinese characters.
std::string question_form(std::string_view text);

/// What the model reads: the question, in which no tag is one; the transcript, whose tags are special tokens;
/// and tokens that follow it. Throws Error as Engine::prompt.
Prompt agent_prompt(const Engine& engine, std::string_view question, std::string_view transcript,
                    std::span<const TokenId> added);

/// What tokens that the model added write into the transcript. A tag that ordinary tokens spell is written
/// with `＜`: only special tokens are tags. Ill-formed bytes become U+FFFD.
std::string written_text(const Engine& engine, std::span<const TokenId> added);

/// Why a model that added tokens, the last of them just now, is to be stopped: `call` (a call is complete),
/// `result` (it begins to make a result up), `end` (`<|endoftext|>`), or nothing.
std::string_view stop_reason(const Engine& engine, std::string_view transcript,
                             std::span<const TokenId> added);

struct AgentOptions {
  std::size_t max_steps = 5;     ///< at most so many calls are done
  std::size_t max_tokens = 100;  ///< at most so many tokens from one call to the next
};

/// A run as it ended.
struct AgentRun {
  std::string question, transcript;
  /// `answer`, `max_steps` (one call more was asked for), `max_tokens`, `unfinished` (the model ended inside
  /// a call), `result` (it began to make a result up).
  std::string stopped;
  std::string answer;       ///< without 「答：」 or "Answer: "; empty unless stopped is `answer`
  std::size_t dropped = 0;  ///< tokens that left the context

  /// They refer to the transcript.
  std::vector<AgentStep> steps() const { return parse_transcript(transcript); }
};

/// Asks the model, and does what it calls for, until it has answered. The likeliest token is taken each time.
/// Throws Error as question_form and Engine::prompt.
AgentRun run_agent(const Engine& engine, std::string_view text, const Tools& tools,
                   const AgentOptions& options = {});

}  // namespace glassbox
