package io.github.vtdiag.recording;

import io.github.vtdiag.model.Launch;
import io.github.vtdiag.model.Secrets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
        || agent.filter(ours -> !options.isEmpty() && has(ours.options(), options)).isPresent();
  }

  /**
   * Returns whether the recorded options have those that were typed: the agent records all its
   * options, the others as they are unless set, and the whole path of its file.
   */
  private static boolean has(String recorded, String typed) {
    Map<String, String> all = new HashMap<>();
    for (String option : recorded.split(",", -1)) {
      all.put(name(option), value(option));
    }
    return Arrays.stream(typed.split(",", -1))
        .allMatch(
            option ->
                all.containsKey(name(option))
                    && (!name(option).equals("output")
                        || all.get("output").endsWith(value(option))));
  }

  private static String name(String option) {
    return option.substring(0, Math.max(0, option.indexOf('=')));
  }

  private static String value(String option) {
    return option.substring(option.indexOf('=') + 1);
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
