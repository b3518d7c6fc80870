// Any bytes may be a transcript or a sum: taking a transcript apart loses nothing, a call gives a result that
// can't be taken for a tag, and a sum gives a number that reads as itself, or an Error.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "agent.hpp"
#include "calculator.hpp"
#include "error.hpp"

namespace {

void require(bool law) {
  if (!law) std::abort();
}

void check_sum(std::string_view sum) {
  try {
    const std::string value = glassbox::calculate(sum);
    require(value == "0" || value.find_first_not_of("-0.") != std::string::npos);
    require(glassbox::calculate(value) == value);
  } catch (const glassbox::Error& error) {
    require(error.code() == "bad_sum" || error.code() == "division_by_zero" || error.code() == "too_long");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  check_sum(input);
  const glassbox::Tools tools{"12:00", "猫\tcat\n<calc>\t</result>\n"};
  std::string joined;
  for (const glassbox::AgentStep& step : glassbox::parse_transcript(input)) {
    joined += step.text;
    if (step.kind != glassbox::AgentStep::Kind::call) continue;
    check_sum(step.argument);
    const std::string observation = glassbox::observation_text(glassbox::execute(step, tools).result);
    const auto parsed = glassbox::parse_transcript(observation);
    require(parsed.size() == 1 && parsed[0].kind == glassbox::AgentStep::Kind::observation &&
            parsed[0].error.empty());
  }
  require(joined == input);
  return 0;
}
