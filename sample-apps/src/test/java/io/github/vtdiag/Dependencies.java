package io.github.vtdiag;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Which class uses which, read off class files with {@code jdeps}. */
record Dependencies(Set<Use> uses) {
  /** One class uses another, of another package. */
  record Use(String user, String used) implements Comparable<Use> {
    private static final Comparator<Use> ORDER =
        Comparator.comparing(Use::user).thenComparing(Use::used);

    String userPackage() {
      return packageOf(user);
    }

    @Override
    public int compareTo(Use other) {
      // By the names as they are: else a nested class's use is taken for its top level class's.
      return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
      return topLevel(user) + " -> " + topLevel(used);
    }

    // A nested class of the JDK can be what a rule is about: System.Logger.
    private static String topLevel(String name) {
      return name.startsWith("io.github.vtdiag.") ? name.replaceFirst("\\$.*", "") : name;
    }
  }

  /**
   * What some packages must not use.
   *
   * @param why the rule in words
   * @param forbidden whether they must not use the class of this name
   * @param offenders packages and classes that break the rule
   */
  record Rule(String why, List<String> users, Predicate<String> forbidden, List<String> offenders) {
    @Override
    public String toString() {
      return (users.size() == 1 ? users.get(0) + ": " : "") + why;
    }

    /** None of {@code users} uses these packages, those below them, or these classes. */
    static Rule never(String why, List<String> users, List<String> forbidden) {
      return new Rule(
          why, users, used -> forbidden.stream().anyMatch(name -> isOf(used, name)), forbidden);
    }

    /** Returns whether a class is that of this name, nested in it, or in or below that package. */
    private static boolean isOf(String used, String name) {
      return used.startsWith(name)
          && (used.length() == name.length() || ".$".indexOf(used.charAt(name.length())) >= 0);
    }

    /** {@code user} uses nothing but {@code java.base} and these packages of the JDK. */
    static Rule onlyJavaBase(String why, String user, String... besides) {
      Set<String> base = new TreeSet<>(Object.class.getModule().getPackages());
      base.addAll(List.of(besides));
      return new Rule(
          why,
          List.of(user),
          used -> !base.contains(packageOf(used)),
          List.of("io.github.vtdiag.cli", "picocli", "jdk.jfr", "java.util.logging"));
    }
  }

  /** What follows an offender's name, for each class in which it breaks its rule. */
  static final List<String> PLACES = List.of("", "$Nested", "$1");

  /** A class of each package of the JDK that a rule forbids as a whole. */
  private static final Map<String, String> OF_THE_JDK =
      Map.of(
          "java.lang.instrument", "java.lang.instrument.Instrumentation",
          "java.nio.file", "java.nio.file.Files",
          "java.util.jar", "java.util.jar.JarFile",
          "java.util.logging", "java.util.logging.Logger",
          "java.util.zip", "java.util.zip.ZipFile",
          "jdk.jfr", "jdk.jfr.consumer.RecordingFile");

  static Dependencies of(Path... jarsOrFolders) {
    List<String> arguments =
        new ArrayList<>(
            List.of("--multi-release", "base", "--ignore-missing-deps", "-verbose:class"));
    arguments.add("-filter:none");
    Stream.of(jarsOrFolders).map(Path::toString).forEach(arguments::add);
    Matcher line = Pattern.compile("(?m)^ {3}(\\S+) +-> (\\S+)").matcher(run("jdeps", arguments));
    Set<Use> uses = new TreeSet<>();
    while (line.find()) {
      if (!packageOf(line.group(1)).equals(packageOf(line.group(2)))) {
        uses.add(new Use(line.group(1), line.group(2)));
      }
    }
    return new Dependencies(uses);
  }

  /** What breaks a rule. */
  List<Use> breaking(Rule rule) {
    Set<String> users = Set.copyOf(rule.users());
    return uses.stream()
        .filter(use -> users.contains(use.userPackage()))
        .filter(use -> rule.forbidden().test(use.used()))
        .toList();
  }

  Set<String> packages() {
    return uses.stream().map(Use::userPackage).collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Compiles, for each rule and each package it binds, a class {@code Breaks1}, {@code Breaks2} ...
   * that is not public and uses all that the rule forbids: in fields, in the type arguments of a
   * private nested class, and in the methods of a class without a name.
   */
  static Dependencies ofOffenders(List<Rule> rules, Path scratch) throws IOException {
    Map<String, StringBuilder> sources = new TreeMap<>();
    for (int i = 0; i < rules.size(); i++) {
      for (String user : rules.get(i).users()) {
        StringBuilder text = sources.computeIfAbsent(user, name -> new StringBuilder());
        List<String> forbidden =
            rules.get(i).offenders().stream().map(Dependencies::classOf).toList();
        text.append("class Breaks%d {\n".formatted(i));
        text.append(members("%s f%d;", forbidden));
        text.append("  private static class Nested {\n");
        text.append(members("java.util.List<%s> f%d;", forbidden));
        text.append("  }\n");
        text.append("  Object nameless = new Object() {\n");
        text.append(members("Object m%2$d() { return %1$s.class; }", forbidden));
        text.append("  };\n");
        text.append("}\n");
        for (String used : forbidden) {
          if (used.endsWith(".Any")) {
            sources.computeIfAbsent(packageOf(used), name -> new StringBuilder());
          }
        }
      }
    }
    List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", scratch + "/classes"));
    for (var source : sources.entrySet()) {
      Path folder = Files.createDirectories(scratch.resolve(source.getKey().replace('.', '/')));
      String text = "package %s;\npublic class Any {}\n".formatted(source.getKey());
      arguments.add(Files.writeString(folder.resolve("Any.java"), text + source.getValue()) + "");
    }
    run("javac", arguments);
    return of(scratch.resolve("classes"));
  }

  private static String members(String member, List<String> used) {
    return IntStream.range(0, used.size())
        .mapToObj(i -> "    " + member.formatted(used.get(i).replace('$', '.'), i) + "\n")
        .collect(Collectors.joining());
  }

  /** A class of what a rule forbids. */
  static String classOf(String forbidden) {
    try {
      return Class.forName(forbidden).getName();
    } catch (ClassNotFoundException e) {
      return OF_THE_JDK.getOrDefault(forbidden, forbidden + ".Any");
    }
  }

  private static String packageOf(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('.')));
  }

  private static String run(String tool, List<String> arguments) {
    StringWriter out = new StringWriter();
    PrintWriter printer = new PrintWriter(out);
    int status =
        ToolProvider.findFirst(tool)
            .orElseThrow()
            .run(printer, printer, arguments.toArray(String[]::new));
    if (status != 0) {
      throw new IllegalStateException(tool + " ended with " + status + ": " + out);
    }
    return out.toString();
  }
}
