package vtdiag;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What production code must look like, read off its sources. */
final class Sources {
  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?m)^\\s*//.*$");
  private static final Pattern TYPE =
      Pattern.compile("\\b(?:class|record|interface|enum)\\s+([A-Z]\\w*)");

  private Sources() {}

  /** One source file. */
  record Source(String packageName, String name, String text) {
    String withoutComments() {
      return COMMENT.matcher(text).replaceAll("");
    }

    String firstComment() {
      Matcher comment = COMMENT.matcher(text);
      return comment.find() ? comment.group() : "";
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
   * @param offenders files that do
   */
  record Rule(String why, Broken broken, List<Source> offenders) {}

  /** Finds the files that break a rule. */
  interface Broken {
    Stream<Source> among(List<Source> sources);
  }

  /** No file over so many lines, unless its first comment says "One file because ...". */
  static Rule length(int lines) {
    return new Rule(
        "over %d lines, and no \"One file because\" in the first comment".formatted(lines),
        sources ->
            sources.stream()
                .filter(source -> source.text().lines().count() > lines)
                .filter(source -> !source.firstComment().contains("One file because")),
        List.of(
            new Source("vtdiag.jfr", "Tape", "/** Long. */\nclass Tape {" + "\n".repeat(lines))));
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
        List.of(
            new Source("vtdiag.gate", "Verdict", "class Verdict {}"),
            new Source("vtdiag.compare", "Verdict", "class Verdict {}")));
  }

  /** No class, nested ones among them, that hides one which every reader knows. */
  static Rule hidesNothing() {
    return new Rule(
        "hides a class of java.lang or java.util",
        sources ->
            sources.stream()
                .filter(
                    source ->
                        TYPE.matcher(source.withoutComments())
                            .results()
                            .map(found -> found.group(1))
                            .anyMatch(Sources::isWellKnown)),
        List.of(
            new Source("vtdiag.gate", "Gate", "class Gate {\n  private record Map(int size) {}\n}"),
            new Source("vtdiag.pin", "Thread", "final class Thread {}")));
  }

  /** Only these packages and files have this in their code. */
  static Rule only(String why, List<String> homes, String code, String offender) {
    Predicate<String> found = Pattern.compile(code).asPredicate();
    return new Rule(
        why,
        sources ->
            sources.stream()
                .filter(source -> !homes.contains(source.packageName()))
                .filter(source -> !homes.contains(source.toString()))
                .filter(source -> found.test(source.withoutComments())),
        List.of(new Source("vtdiag.advice", "Offender", "class Offender {\n" + offender + "\n}")));
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
      return new Source(packageName, name, Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
