package io.github.vtdiag;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What production code must look like, read off its sources. */
final class Sources {
  private static final String ONE_FILE = "One file because";

  private Sources() {}

  /** One source file. */
  record Source(String packageName, String name, String text, JavaText java) {
    static Source of(String packageName, String name, String text) {
      return new Source(packageName, name, text, JavaText.of(text));
    }

    /** The same file with other text before its own. */
    Source after(String before) {
      return of(packageName, name, before + text);
    }

    @Override
    public String toString() {
      return packageName + "." + name;
    }
  }

  /**
   * A rule.
   *
   * @param broken the files that break it, each as {@code package.Name}
   * @param homes packages and files that may
   * @param offenders files that do
   * @param harmless files that look like it and do not
   */
  record Rule(
      String why,
      Broken broken,
      List<String> homes,
      List<Source> offenders,
      List<Source> harmless) {}

  /** Finds the files that break a rule. */
  interface Broken {
    Stream<Source> among(List<Source> sources);
  }

  /** No file over so many lines, unless its first comment says "One file because ...". */
  static Rule length(int lines) {
    String tooLong = "class Tape {" + "\n".repeat(lines) + "}";
    return new Rule(
        "over %d lines, and no \"%s\" in the first comment".formatted(lines, ONE_FILE),
        sources ->
            sources.stream()
                .filter(source -> source.text().lines().count() > lines)
                .filter(source -> !source.java().firstComment().contains(ONE_FILE)),
        List.of(),
        Stream.of(
                tooLong,
                "/** Long. */\n" + tooLong,
                "/** Long. */\n/* %s */\n".formatted(ONE_FILE) + tooLong,
                "@Name(\"/* %s */\")\n".formatted(ONE_FILE) + tooLong)
            .map(text -> Source.of("io.github.vtdiag.jfr", "Tape", text))
            .toList(),
        Stream.of(
                "/** Short. */\nclass Tape {" + "\n".repeat(lines - 2) + "}",
                "/**\n * Long. %s it is. */\n".formatted(ONE_FILE) + tooLong,
                "// %s it is.\n".formatted(ONE_FILE) + tooLong,
                "@Name(\"// no comment\")\n/* %s it is. */\n".formatted(ONE_FILE) + tooLong)
            .map(text -> Source.of("io.github.vtdiag.jfr", "Tape", text))
            .toList());
  }

  /** No two files of one name. */
  static Rule ownName() {
    return new Rule(
        "two classes of one name",
        sources -> {
          Map<String, List<Source>> named =
              sources.stream()
                  .collect(Collectors.groupingBy(Source::name, TreeMap::new, Collectors.toList()));
          return named.values().stream().filter(same -> same.size() > 1).flatMap(List::stream);
        },
        List.of(),
        List.of(
            Source.of("vtdiag.gate", "Verdict", "class Verdict {}"),
            Source.of("io.github.vtdiag.compare", "Verdict", "class Verdict {}")),
        List.of(
            Source.of("vtdiag.gate", "Verdict", "class Verdict {}"),
            Source.of(
                "io.github.vtdiag.compare",
                "Verdicts",
                "/** class Verdict {} */ class Verdicts {}")));
  }

  /** No comment that begins with a clause instead of with what the thing is or does. */
  static Rule saysWhatThingsAre() {
    Pattern clause =
        Pattern.compile("[/*\\s]*(Who|What|Of|Those|Whether|So many|How)\\b", Pattern.DOTALL);
    return new Rule(
        "a comment that begins with Who, What, Of, Those, Whether, So many or How",
        sources ->
            sources.stream()
                .filter(
                    source ->
                        source.java().comments().stream()
                            .anyMatch(comment -> clause.matcher(comment).lookingAt())),
        List.of(),
        Stream.of(
                "/** Whether it ends. */ boolean ends;",
                "/**\n * Those that wait.\n */\nint waiting;",
                "void end() { // So many are enough.\n}",
                "/* What it has. */ int has;",
                "// The first.\n int a;\n// Who waits.\nint b;")
            .map(Sources::offender)
            .toList(),
        Stream.of(
                "/** Returns whether it ends. */ boolean ends() { return true; }",
                "// The threads.\n// Who waits is one of them.\nint a;",
                "/**\n * The thread.\n * Who waits\n */\nint a;",
                "/** Often. Whoever waits. */ int a;",
                "String a = \"/** Whether */\";")
            .map(Sources::offender)
            .toList());
  }

  /** No class, nested ones among them, that hides one which every reader knows. */
  static Rule hidesNothing() {
    return new Rule(
        "hides a class of java.lang or java.util",
        sources ->
            sources.stream()
                .filter(source -> source.java().types().stream().anyMatch(Sources::isWellKnown)),
        List.of(),
        Stream.of(
                "class Gate {\n  private record Map(int size) {}\n}",
                "final class Thread {}",
                "class Gate {\n  class /* nested */ Inner {\n    enum\n List {}\n  }\n}",
                "class Gate {\n  @interface Override {}\n}",
                "class Gate {\n  void open() {\n    interface Queue {}\n  }\n}")
            .map(text -> Source.of("vtdiag.gate", "Gate", text))
            .toList(),
        Stream.of("record Map(int size) {}", "class Thread {}")
            .flatMap(Sources::asNoCode)
            .toList());
  }

  /** Only these packages and files have this in their code or strings. */
  static Rule only(String why, List<String> homes, Predicate<JavaText> found, String... offenders) {
    return new Rule(
        why,
        sources ->
            sources.stream()
                .filter(source -> !homes.contains(source.packageName()))
                .filter(source -> !homes.contains(source.toString()))
                .filter(source -> found.test(source.java())),
        homes,
        Stream.of(offenders).map(Sources::offender).toList(),
        Stream.of(offenders).flatMap(Sources::asNoCode).toList());
  }

  /** Code in which this is found. What strings say is no code. */
  static Predicate<JavaText> code(String pattern) {
    Predicate<String> found = Pattern.compile(pattern).asPredicate();
    return text -> found.test(text.code());
  }

  /** A string that is this from its first character to its last. */
  static Predicate<JavaText> string(String pattern) {
    Predicate<String> found = Pattern.compile(pattern).asMatchPredicate();
    return text -> text.strings().stream().map(String::strip).anyMatch(found);
  }

  private static Source offender(String members) {
    return Source.of("io.github.vtdiag.advice", "Offender", "class Offender {\n" + members + "\n}");
  }

  /** Files that only talk of some code: in comments and in longer strings. */
  private static Stream<Source> asNoCode(String offender) {
    String code = offender.replace('\n', ' ');
    String escaped = code.replace("\\", "\\\\").replace("\"", "\\\"");
    return Stream.of(
            "// " + code,
            "int a; // " + code,
            "/* " + code + " */",
            "/** {@code " + code + "} */ int a;",
            "/* // */ int a; /* \" " + code + " */",
            "String a = \"" + escaped + "\";",
            "String a = \"\\\\\" + \"\\\"" + escaped + "\";",
            "String a =\n\"\"\"\n" + escaped + "\n// \"\" \\\"\"\"\n\"\"\";")
        .map(Sources::offender);
  }

  private static boolean isWellKnown(String name) {
    return Stream.of("java.lang.", "java.util.")
        .anyMatch(
            start -> {
              try {
                Class<?> known = Class.forName(start + name, false, null);
                return Modifier.isPublic(known.getModifiers());
              } catch (ClassNotFoundException e) {
                return false;
              }
            });
  }

  /** All below these folders, but for what only describes a package. */
  static List<Source> below(Path... folders) {
    return Stream.of(folders).flatMap(Sources::below).toList();
  }

  private static Stream<Source> below(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> !file.endsWith("package-info.java"))
          .map(file -> read(folder.relativize(file), file))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Source read(Path place, Path file) {
    try {
      String name = place.getFileName().toString().replace(".java", "");
      String packageName =
          IntStream.range(0, place.getNameCount() - 1)
              .mapToObj(i -> place.getName(i).toString())
              .collect(Collectors.joining("."));
      return Source.of(packageName, name, Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(file + " cannot be read", e);
    }
  }
}
