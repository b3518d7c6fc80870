// The native command `glassbox`: the engine's façade for the terminal and for scripts. Text to standard
// output, one line on standard error and exit code 1 for bad input or a bad file, 2 for bad usage.

#include <exception>
#include <functional>
#include <iostream>
#include <new>

#include <CLI/CLI.hpp>

#include "cli_files.hpp"
#include "cli_inside.hpp"
#include "cli_loss.hpp"
#include "cli_tokens.hpp"
#include "cli_train.hpp"
#include "cli_writing.hpp"

namespace glassbox {
namespace {

int run_command(int argc, char** argv) {
  CLI::App app(
      "Glassbox: the numbers inside a GPT-2. Layers, heads and positions count from 0; -- ends the options.",
      "glassbox");
  app.require_subcommand(1, 1);
  bool json = false;
  std::function<void()> chosen;
  TokenizeCall tokenize;
  AttentionCall attention;
  NextCall next;
  LensCall lens;
  GenerateCall generate;
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
