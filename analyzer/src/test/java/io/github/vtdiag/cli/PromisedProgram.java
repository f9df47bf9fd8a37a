package io.github.vtdiag.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A small program, and what a patch of it must be: a text with blocks like
 *
 * <pre>
 * == name
 * moves 1
 * stays REFLECTION Main.main
 * libs gson
 * -- Main.java
 * class Main { ... }
 * </pre>
 *
 * @param moves how many locks move
 * @param stays for each lock that stays its rule, and words of the reason
 * @param libs the libraries that it is compiled and runs with
 * @param says what the command says on standard error, in part; may be empty
 * @param files the sources by path
 */
record PromisedProgram(
    String name,
    int moves,
    List<String> stays,
    List<String> libs,
    List<String> says,
    Map<String, String> files) {

  static List<PromisedProgram> read(String topic, String text) {
    List<PromisedProgram> programs = new ArrayList<>();
    for (String block : text.split("(?m)^== ", -1)) {
      if (!block.isBlank()) {
        programs.add(block(topic, block));
      }
    }
    return programs;
  }

  private static PromisedProgram block(String topic, String block) {
    String[] parts = block.split("(?m)^-- ", -1);
    List<String> head = parts[0].strip().lines().toList();
    int moves = 0;
    List<String> stays = new ArrayList<>();
    List<String> libs = new ArrayList<>();
    List<String> says = new ArrayList<>();
    for (String line : head.subList(1, head.size())) {
      String word = line.substring(0, line.indexOf(' '));
      String rest = line.substring(word.length() + 1);
      switch (word) {
        case "moves" -> moves = Integer.parseInt(rest);
        case "stays" -> stays.add(rest);
        case "libs" -> libs.addAll(List.of(rest.split(" ")));
        case "says" -> says.add(rest);
        default -> throw new IllegalArgumentException(head.getFirst() + ": " + line);
      }
    }
    Map<String, String> files = new LinkedHashMap<>();
    for (int i = 1; i < parts.length; i++) {
      int end = parts[i].indexOf('\n');
      files.put(parts[i].substring(0, end), parts[i].substring(end + 1));
    }
    return new PromisedProgram(topic + "/" + head.getFirst(), moves, stays, libs, says, files);
  }
}
