package io.github.vtdiag.compare;

import io.github.vtdiag.model.DataException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * The change as the user asks for it: at least one of these.
 *
 * @param whatIf {@code auto}, classes as the agent takes them, or a file
 * @param jdk another Java home
 * @param classPath instead of the command's
 * @param javaOptions more options of {@code java}, with blanks between
 */
public record RequestedChange(
    Optional<String> whatIf,
    Optional<Path> jdk,
    Optional<String> classPath,
    Optional<String> javaOptions) {

  /** Keywords and patterns of class names, as the agent reads them. */
  private static final Pattern CLASSES =
      Pattern.compile("!?[\\p{javaJavaIdentifierPart}.*]+(:!?[\\p{javaJavaIdentifierPart}.*]+)*");

  /** Returns the change as the user wrote it. */
  List<String> words() {
    List<String> words = new ArrayList<>();
    whatIf.ifPresent(value -> words.add("--what-if " + value));
    jdk.ifPresent(value -> words.add("--jdk-after " + value));
    classPath.ifPresent(value -> words.add("--classpath-after " + value));
    javaOptions.ifPresent(value -> words.add("--java-options-after " + value));
    return words;
  }

  /** Returns the command with the change, except for what the agent does. */
  JavaCommand of(JavaCommand before) throws WrongPlanException {
    JavaCommand command =
        new JavaCommand(
            jdk.map(home -> JavaCommand.launcher(Optional.of(home))).orElse(before.java()),
            javaOptions
                .filter(options -> !options.isBlank())
                .map(options -> List.of(options.strip().split("\\s+")))
                .orElse(List.of()),
            before.arguments());
    if (classPath.isEmpty()) {
      return command;
    }
    return command
        .withClassPath(classPath.get())
        .orElseThrow(
            () ->
                new WrongPlanException(
                    "-jar takes the class path from the jar, so --classpath-after would change"
                        + " nothing; use -cp app.jar and the main class"));
  }

  /**
   * Returns the value of the agent's option {@code rewrite}.
   *
   * @param after the command with the change
   * @param notes is told what is rewritten beside what was asked for
   */
  Optional<String> rewrite(JavaCommand after, Consumer<String> notes)
      throws WrongPlanException, DataException {
    if (whatIf.isEmpty() || isForAgent(whatIf.get())) {
      return whatIf;
    }
    Path list = WhatIfFile.check(whatIf.get(), after, notes);
    if (list.toString().contains(",")) {
      throw new WrongPlanException(
          "the name of the folder for temporary files has a comma, which would end the agent's"
              + " option; set -Djava.io.tmpdir");
    }
    return Optional.of("@" + list);
  }

  /** Returns whether the what-if is in the agent's own syntax, and not a file. */
  private static boolean isForAgent(String whatIf) {
    return CLASSES.matcher(whatIf).matches()
        && !whatIf.matches(".*\\.(json|txt)")
        && !Files.exists(Path.of(whatIf));
  }
}
