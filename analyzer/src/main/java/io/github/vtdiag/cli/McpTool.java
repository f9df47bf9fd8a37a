package io.github.vtdiag.cli;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A command that an assistant may run by {@code vtdiag mcp}: it reads files or inspects a JVM, and
 * answers in JSON.
 *
 * @param name that of the command
 * @param description of its answer
 * @param required the mandatory arguments
 * @param optional the others
 */
record McpTool(String name, String description, List<Argument> required, List<Argument> optional) {
  /**
   * An argument of a tool: one or more texts.
   *
   * @param option that of the command line; empty for a positional argument
   * @param isPath whether it names files, and nothing else
   */
  record Argument(String name, String option, boolean isPath, String description) {}

  private static final Argument RECORDINGS =
      new Argument("recordings", "", true, "JFR recordings (.jfr, .jfr.gz) of one program");
  private static final Argument CLASS_PATH =
      new Argument("classpath", "--classpath", true, "The jars and folders of classes that ran");
  private static final Argument SOURCES =
      new Argument("sources", "--sources", true, "The folders of the program's sources");

  static final List<McpTool> ALL =
      List.of(
          new McpTool(
              "analyze",
              "Says what kept the carriers of virtual threads in a recording: pins, with the frame"
                  + " that holds the monitor, and waits; the costliest first. The JSON is that of"
                  + " 'vtdiag analyze --json'.",
              List.of(RECORDINGS),
              List.of(CLASS_PATH)),
          new McpTool(
              "advise",
              "Says what to do about each finding of a recording, and why: a lock instead of a"
                  + " monitor, a library version, another pattern, a later JDK, or nothing. It"
                  + " contacts no repository.",
              List.of(RECORDINGS),
              List.of(CLASS_PATH, SOURCES)),
          new McpTool(
              "diff",
              "Says what has changed from one run to another: better or worse as a whole, and what"
                  + " is new, gone, better or worse.",
              List.of(new Argument("runs", "", true, "The recording before, and the one after it")),
              List.of()),
          new McpTool(
              "hang",
              "Says why a JVM stands still: a deadlock, pinned or busy carriers, waits that nobody"
                  + " can end, or nothing. It loads nothing into that JVM.",
              List.of(
                  new Argument(
                      "target",
                      "",
                      false,
                      "The process id of a JVM on this machine; or the path of a heap dump; or of"
                          + " one or two thread dumps in JSON, the earlier first")),
              List.of(CLASS_PATH)),
          new McpTool(
              "scan",
              "Lists the monitors of jars that a thread can hold while it waits, before anything"
                  + " runs.",
              List.of(new Argument("jars", "", true, "Jars, and folders of classes")),
              List.of(CLASS_PATH)));

  /** Returns the JSON Schema of its arguments. */
  Map<String, Object> schema() {
    Map<String, Object> properties = new LinkedHashMap<>();
    for (Argument each : arguments()) {
      properties.put(
          each.name(),
          Map.of(
              "type",
              "array",
              "items",
              Map.of("type", "string"),
              "minItems",
              1,
              "description",
              each.description()));
    }
    return Map.of(
        "type",
        "object",
        "properties",
        properties,
        "required",
        required.stream().map(Argument::name).toList(),
        "additionalProperties",
        false);
  }

  private List<Argument> arguments() {
    List<Argument> all = new ArrayList<>(required);
    all.addAll(optional);
    return all;
  }

  /**
   * Returns the command line for arguments that an assistant gives. A path becomes an absolute one,
   * so that none is read as an option, as a file of arguments, or as standard input.
   *
   * @throws IllegalArgumentException with a sentence, if they are not those of the schema
   */
  List<String> commandLine(Map<String, Object> given) {
    List<String> names = arguments().stream().map(Argument::name).toList();
    for (String name : given.keySet()) {
      if (!names.contains(name)) {
        throw new IllegalArgumentException(
            "there is no argument '%s'; use %s".formatted(name, String.join(", ", names)));
      }
    }
    List<String> line = new ArrayList<>(List.of(name, "--json"));
    List<String> files = new ArrayList<>();
    for (Argument each : arguments()) {
      if (given.get(each.name()) == null) {
        if (required.contains(each)) {
          throw new IllegalArgumentException("the argument '" + each.name() + "' is missing");
        }
        continue;
      }
      for (String text : texts(each, given.get(each.name()))) {
        String value = !each.isPath() && text.matches("\\d{1,18}") ? text : absolute(text);
        if (each.option().isEmpty()) {
          files.add(value);
        } else {
          line.add(each.option() + "=" + value);
        }
      }
    }
    line.addAll(files);
    return line;
  }

  private static List<String> texts(Argument argument, Object given) {
    List<?> values = given instanceof List<?> list ? list : List.of(given);
    if (values.isEmpty() || !values.stream().allMatch(String.class::isInstance)) {
      throw new IllegalArgumentException(
          "the argument '" + argument.name() + "' is a list of one or more texts");
    }
    return values.stream().map(String.class::cast).toList();
  }

  private static String absolute(String text) {
    try {
      return Path.of(text).toAbsolutePath().toString();
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("'" + text + "' is no path", e);
    }
  }
}
