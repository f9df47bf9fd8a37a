package io.github.vtdiag.agent.options;

import java.util.OptionalInt;

/**
 * The agent's reaction to a hang, besides reporting it.
 *
 * @param look whether it watches for hangs at all
 * @param dump whether it writes all threads beside the recording
 * @param halt the exit code with which it ends the JVM; empty if it does not
 */
public record OnHang(boolean look, boolean dump, OptionalInt halt) {
  private static final int MAX_CODE = 255;

  static OnHang parse(String text) throws AgentOptions.OptionException {
    return switch (text) {
      case "off" -> new OnHang(false, false, OptionalInt.empty());
      case "warn" -> new OnHang(true, false, OptionalInt.empty());
      case "dump" -> new OnHang(true, true, OptionalInt.empty());
      default -> {
        String prefix = "halt:";
        try {
          int code =
              text.startsWith(prefix) ? Integer.parseInt(text.substring(prefix.length())) : 0;
          if (code > 0 && code <= MAX_CODE) {
            yield new OnHang(true, true, OptionalInt.of(code));
          }
        } catch (NumberFormatException e) {
          // Reported below, with what is allowed.
        }
        throw new AgentOptions.OptionException(
            "onhang takes warn, dump, off or halt:CODE with a code from 1 to 255, not '"
                + text
                + "'");
      }
    };
  }

  String text() {
    if (halt.isPresent()) {
      return "halt:" + halt.getAsInt();
    }
    return dump ? "dump" : look ? "warn" : "off";
  }
}
