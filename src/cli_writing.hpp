#pragma once
// The calls `glassbox generate` and `glassbox agent`: the model writes, alone or with tools.

#include <functional>
#include <string>

#include "agent.hpp"
#include "cli_input.hpp"
#include "engine.hpp"

namespace glassbox {

struct GenerateCall {
  Input input;
  GenerateOptions options;

  void add_to(CLI::App& app, bool& json, std::function<void()>& chosen);
  void require() const { input.require(); }

  /// Prints the continuation, as text token by token, as JSON with what each step cost.
  void run(bool json) const;
};

struct AgentCall {
  Input input;
  AgentOptions options;
  std::string clock;  ///< HH:MM; empty: the time now

  void add_to(CLI::App& app, bool& json, std::function<void()>& chosen);

  /// As Input::require; throws CLI::ValidationError for a clock that is no time of day.
  void require() const;

  /// Prints the question, each call of a tool with what it gave, and the answer.
  void run(bool json) const;
};

}  // namespace glassbox
