package io.github.vtdiag.recording;

import io.github.vtdiag.model.Launch;
import io.github.vtdiag.model.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The command that started a JVM, as HotSpot keeps it: words with a space between any two, so that
 * a word with a space in it is several.
 *
 * @param options the JVM's options; empty if they are unknown
 * @param program the jar or class, and the program's arguments; empty if they are unknown
 */
public record StartCommand(String options, String program) {
  static final StartCommand UNKNOWN = new StartCommand("", "");

  /** The options of a recorder or a debugger, which are not the program's own. */
  private static final Pattern OF_TOOLS =
      Pattern.compile("-XX:(?:StartFlightRecording|FlightRecorderOptions)\\b.*|.*jdwp.*|-Xdebug");

  private static final Pattern AGENT = Pattern.compile("-javaagent:([^=]*)(?:=(.*))?");

  /** Returns the JVM's options without those of tools and of vtdiag's agent. */
  public List<String> ownOptions(Optional<RecordingFacts.Agent> agent) {
    return words(options).stream()
        .filter(option -> !OF_TOOLS.matcher(option).matches())
        .filter(option -> !isAgent(option, agent))
        .toList();
  }

  /** Returns the program's arguments, without the jar or class. */
  public List<String> arguments(Launch launch) {
    String rest = program.strip();
    if (!launch.jar().isEmpty() && rest.startsWith(launch.jar())) {
      return words(rest.substring(launch.jar().length()));
    }
    List<String> words = words(rest);
    return words.isEmpty() ? words : words.subList(1, words.size());
  }

  private static boolean isAgent(String option, Optional<RecordingFacts.Agent> agent) {
    Matcher found = AGENT.matcher(option);
    if (!found.matches()) {
      return false;
    }
    String jar = found.group(1);
    String options = Optional.ofNullable(found.group(2)).orElse("");
    return jar.substring(jar.lastIndexOf('/') + 1).contains("vtdiag")
        || agent.filter(ours -> !options.isEmpty() && ours.options().equals(options)).isPresent();
  }

  /** Returns the words without the values of secrets, because a report may be given to others. */
  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    boolean secret = false;
    for (String word : text.strip().split(" +", -1)) {
      if (!word.isEmpty() && !secret) {
        words.add(word.indexOf('=') < 0 ? word : Secrets.without(word));
      }
      secret = word.startsWith("-") && word.indexOf('=') < 0 && Secrets.areNamed(word);
    }
    return words;
  }
}
