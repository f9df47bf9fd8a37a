package io.github.vtdiag;

import static io.github.vtdiag.Sources.code;
import static io.github.vtdiag.Sources.string;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.github.vtdiag.testing.Jdks;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the sources must look like. Each rule is also shown to fail, wherever in a file its offender
 * stands, and to leave comments and strings alone. It stands in the module that is built last.
 */
class SourceRulesTest {
  /** Text that a name follows, and not another string on the next line. */
  private static final Pattern ARTICLE = Pattern.compile("(?s).*\\S an? ");

  private static final List<Sources.Rule> RULES =
      List.of(
          Sources.length(400),
          Sources.ownName(),
          Sources.hidesNothing(),
          Sources.saysWhatThingsAre(),
          Sources.only(
              "only the command line and the job for Spark print to standard output",
              List.of("io.github.vtdiag.cli", "io.github.vtdiag.spark.FleetJob"),
              code("System\\.out\\b"),
              "void say() { System.out.println(); }",
              "void say() { System\n.out.println(); }",
              "void say() { System.\\u006fut.println(); }"),
          Sources.only(
              "only the command line and the job for Spark set an exit code, and the agent where it"
                  + " is told",
              List.of(
                  "io.github.vtdiag.cli",
                  "io.github.vtdiag.agent.lifecycle",
                  "io.github.vtdiag.agent.tell",
                  "io.github.vtdiag.entry",
                  "io.github.vtdiag.spark.FleetJob"),
              code("System(\\.|::)exit\\b|\\.halt\\(|Runtime::halt\\b"),
              "void end() { System.exit(1); }",
              "IntConsumer end = System::exit;",
              "void end() { Runtime.getRuntime()\n.halt(1); }",
              "BiConsumer<Runtime, Integer> end = Runtime::halt;"),
          Sources.only(
              "only what starts a process prints to standard error by Java's own stream",
              List.of(
                  "io.github.vtdiag.cli",
                  "io.github.vtdiag.entry",
                  "io.github.vtdiag.spark.FleetJob"),
              code("System\\.err\\b|printStackTrace"),
              "void say() { System.err.println(); }",
              "void say(Exception e) { e.printStackTrace(); }"),
          Sources.only(
              "one package names events and their fields",
              List.of("io.github.vtdiag.pin"),
              string("(jdk|vtdiag)\\.[A-Z]\\w+|pinnedReason|blockingOperation|monitorClass"),
              "String type = \"jdk.VirtualThreadPinned\";",
              "String type = \"vtdiag\\u002eWatch\";",
              "String type = \"\"\"\n  jdk.DataLoss\n  \"\"\";",
              "String field = \"monitorClass\";"),
          Sources.only(
              "only what runs or records looks at the clock",
              List.of(
                  "io.github.vtdiag.agent.lifecycle",
                  "io.github.vtdiag.agent.jvm",
                  "io.github.vtdiag.agent.metrics",
                  "io.github.vtdiag.agent.probe",
                  "io.github.vtdiag.agent.recording",
                  "io.github.vtdiag.agent.tell",
                  "io.github.vtdiag.agent.threads",
                  "io.github.vtdiag.agent.waits",
                  "io.github.vtdiag.agent.ends",
                  "io.github.vtdiag.agent.servers",
                  "io.github.vtdiag.boot",
                  "io.github.vtdiag.cli",
                  "io.github.vtdiag.compare",
                  "io.github.vtdiag.experiment",
                  "io.github.vtdiag.junit.inside",
                  "io.github.vtdiag.live",
                  "io.github.vtdiag.spark.GateJob",
                  "io.github.vtdiag.watch"),
              code(
                  "System(\\.|::)(nanoTime|currentTimeMillis)|(Instant|LocalDate|LocalTime)(\\.|::)now"),
              "long now = System.nanoTime();",
              "LongSupplier clock = System::currentTimeMillis;",
              "Instant now = Instant.now();",
              "Supplier<LocalDate> today = LocalDate::now;"),
          // Each of these can crash a JVM whose virtual threads run: JDK-8392031, JDK-8364343.
          Sources.only(
              "threads are asked for through management only while they are stopped",
              List.of(
                  "io.github.vtdiag.agent.threads.Management",
                  "io.github.vtdiag.agent.threads.StoppedThreads",
                  "io.github.vtdiag.junit.inside.KeptCarriers"),
              code("\\bgetThreadInfo\\b|\\bdumpAllThreads\\b"),
              "ThreadInfo info = bean.getThreadInfo(id);",
              "LongFunction<ThreadInfo> ask = bean::getThreadInfo;"),
          Sources.only(
              "the JDK's exact snapshot is taken in one place",
              List.of("io.github.vtdiag.agent.threads.ExactSnapshots"),
              string("jdk\\.internal\\.vm\\.ThreadSnapshot"),
              "Class<?> type = Class.forName(\"jdk.internal.vm.ThreadSnapshot\");"),
          Sources.only(
              "a JVM is asked for a dump where the risk was looked at",
              List.of(
                  "io.github.vtdiag.dump.DumpRisk", "io.github.vtdiag.junit.inside.StalledThreads"),
              code("(\\.|::)dumpThreads\\b"),
              "void ask() { jvm.dumpThreads(file); }",
              "Consumer<Path> dump = jvm::dumpThreads;"),
          // What docs/contributing.md says of how big a change is.
          Sources.only(
              "a format is known by its list",
              List.of("io.github.vtdiag.report.format.Formats"),
              code("\\bnew \\w+Format\\(|\\w+Format::new\\b"),
              "Format format = new DocumentFormat();",
              "Supplier<Format> format = JsonFormat::new;"),
          Sources.only(
              "a pin cause is told from the others by its row",
              List.of("io.github.vtdiag.analysis.PinKind"),
              code(
                  "\\bcase PinCause\\."
                      + "(ClassInitializer|AwaitedInitialization|ClassLoading|HiddenVmFrame|Unexplained)\\b"),
              "int of(PinCause cause) { return switch (cause) { case PinCause.Unexplained u -> 1;"
                  + " }; }",
              "int of(PinCause cause) { return switch (cause) { case PinCause.ClassLoading l -> 1;"
                  + " }; }"),
          Sources.only(
              "a diagnosis has its own words",
              List.of("io.github.vtdiag.hang"),
              code("\\bcase (Diagnosis|CarriersKept)\\.\\w+"),
              "int of(Diagnosis of) { return switch (of) { case Diagnosis.Idle i -> 1; }; }",
              "int of(Diagnosis of) { return switch (of) { case CarriersKept.Starved s -> 1; }; }"),
          Sources.only(
              "an event that tells a fact is known by its reader",
              List.of(
                  "io.github.vtdiag.recording.Facts",
                  "io.github.vtdiag.pin.LiveEvents",
                  "io.github.vtdiag.junit.inside.Journal"),
              code("\\bEvents\\.(DATA_LOSS|CONTAINER|HEAP_AT_GC)\\b"),
              "boolean lost = type.equals(Events.DATA_LOSS);"),
          Sources.only(
              "a gate's measure is known by its list",
              List.of("io.github.vtdiag.gate.Measures"),
              code("\\bMeasures\\.(?!ALL\\b)\\w|\\b(LONGEST_PIN|CAPACITY_LOST)\\b")
                  .or(string("LONGEST_PIN|CAPACITY_LOST")),
              "boolean longest = measure == Measures.LONGEST_PIN;",
              "boolean longest = measure.id().equals(\"LONGEST_PIN\");"),
          Sources.only(
              "a safety rule is known by its list",
              List.of("io.github.vtdiag.safety.Rules"),
              code("\\bRules::|\\bnew InitializationOrder\\(|\\bSerialization::"),
              "Rule rule = Rules::noClone;",
              "Rule rule = new InitializationOrder();",
              "Rule rule = Serialization::fieldOfSerializable;"),
          Sources.only(
              "the article before a name follows its sound",
              List.of(),
              text -> text.strings().stream().anyMatch(ARTICLE.asMatchPredicate()),
              "String text = \"locks a \" + name;",
              "String text = \"initializes an \" + name;"),
          Sources.only(
              "a change of design is known by its list",
              List.of("io.github.vtdiag.advice.DesignPatterns"),
              code("\\b(FUTURE_IN_MAP|ASYNC_CACHE|WARM_UP_CLASS)\\b")
                  .or(string("FUTURE_IN_MAP|ASYNC_CACHE|WARM_UP_CLASS")),
              "DesignPattern pattern = DesignPatterns.ASYNC_CACHE;",
              "boolean cache = pattern.id().equals(\"ASYNC_CACHE\");"));

  private static List<Sources.Source> sources;

  @BeforeAll
  static void read() {
    sources =
        Stream.of(
                "agent/core",
                "agent",
                "analyzer",
                "analyzer/fleet",
                "analyzer/junit",
                "analyzer/maven-plugin",
                "analyzer/openrewrite",
                "analyzer/gradle-plugin",
                "sample-apps/experiments")
            .map(module -> Jdks.projectFolder().resolve(module).resolve("src/main/java"))
            .flatMap(
                folder -> {
                  List<Sources.Source> found = Sources.below(folder);
                  assertTrue(!found.isEmpty(), () -> "nothing in " + folder);
                  return found.stream();
                })
            .toList();
  }

  @TestFactory
  Stream<DynamicTest> rulesHold() {
    return RULES.stream()
        .map(
            rule ->
                dynamicTest(
                    rule.why(),
                    () -> assertEquals(List.of(), rule.broken().among(sources).toList())));
  }

  /** A permission for what does not exist would be one for whatever gets that name. */
  @Test
  void everyHomeExists() {
    Set<String> homes = new TreeSet<>();
    RULES.forEach(rule -> homes.addAll(rule.homes()));
    sources.forEach(source -> homes.removeAll(List.of(source.packageName(), source.toString())));
    assertEquals(Set.of(), homes);
  }

  /** The code that rules see ends with the file's, and to javac it is the file's. */
  @Test
  void rulesSeeAllCode() {
    Map<String, String> different = new TreeMap<>();
    List<JavacOutline> whole = JavacOutline.of(sources.stream().map(Sources.Source::text).toList());
    List<JavacOutline> seen =
        JavacOutline.of(sources.stream().map(source -> source.java().code()).toList());
    for (int i = 0; i < sources.size(); i++) {
      Sources.Source source = sources.get(i);
      if (!whole.get(i).nodes().equals(seen.get(i).nodes())) {
        different.put(source.toString(), "code");
      } else if (!whole.get(i).strings().equals(String.join("", source.java().strings()))) {
        different.put(source.toString(), "strings");
      } else if (!source.java().code().endsWith("}")) {
        different.put(source.toString(), "end");
      }
    }
    assertEquals(Map.of(), different);
  }

  @TestFactory
  Stream<DynamicTest> everyRuleFailsWhenBroken() {
    return each(rule -> assertEachIsFound(rule, rule.offenders()));
  }

  /** Nothing that stands before an offender hides it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "// a comment",
        "// it's a \"comment /* with \"\"\" quotes",
        "int a; // it's \"behind code",
        "/* a comment */",
        "/* it's // a \"comment\n * with \"\"\" quotes */",
        "/**\n   * It's {@code \"Javadoc\"} // with /* signs\n   */\n  int a;",
        "/**/ int a; /***/",
        "String a = \"// not a comment\";",
        "String a = \"/* not a comment\";",
        "String a = \"\\\"// \\\\\", b = \"\\\\\";",
        "String a = \"it's\" + \"\";",
        "char a = '\"';",
        "char a = '\\'', b = '\\\\';",
        "char a = '/', b = '*';",
        "int a = 6 / 2 * 3 /-1;",
        "String a =\n\"\"\"\n// not a comment\n\"\"\";",
        "String a =\n\"\"\"\n/* it's \"not\" a \"\"comment\n\"\"\";",
        "String a =\n\"\"\"\nThree: \\\"\"\" // \\\\\"\"\";",
        "String a = \"\\u0022;",
        "char a = '\\u005c''; // \\u0022",
        "/\\u002a a comment *\\u002f",
        "@Deprecated(since = \"/*\")\n  int a;",
        "String a = (\"*/\"); /* \"/*\" */"
      })
  void everyRuleFailsWhenBrokenBehind(String member) {
    String before = "class Before {\n  " + member + "\n}\n";
    JavacOutline.of(before);
    for (Sources.Rule rule : RULES) {
      assertEachIsFound(
          rule, rule.offenders().stream().map(offender -> offender.after(before)).toList());
    }
  }

  /** Files that break a rule only together are found together. */
  private static void assertEachIsFound(Sources.Rule rule, List<Sources.Source> offenders) {
    assertTrue(!offenders.isEmpty(), rule.why());
    assertEquals(texts(offenders.stream()), texts(rule.broken().among(offenders)), rule.why());
  }

  private static List<String> texts(Stream<Sources.Source> sources) {
    return sources.map(Sources.Source::text).toList();
  }

  @TestFactory
  Stream<DynamicTest> everyRuleLeavesAloneWhatOnlyLooksLikeIt() {
    return each(
        rule -> {
          assertTrue(!rule.harmless().isEmpty(), "nothing to leave alone");
          assertEquals(List.of(), texts(rule.broken().among(rule.harmless())));
        });
  }

  private static Stream<DynamicTest> each(Consumer<Sources.Rule> check) {
    return RULES.stream().map(rule -> dynamicTest(rule.why(), () -> check.accept(rule)));
  }

  @Test
  void whatIsNotJavaIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> JavaText.of("class A { /* no end }"));
    assertThrows(IllegalArgumentException.class, () -> JavaText.of("class A { String a = \"b; }"));
    assertThrows(IllegalArgumentException.class, () -> JavaText.of("class A {"));
  }

  @Test
  void codeHasNeitherCommentsNorTheTextOfLiterals() {
    JavaText text =
        JavaText.of(
            """
            // First.
            package a; /** Second. */ final
            class A { /* "x" */
              String a = "// \\"b\\" \\u0063", b = \"""
                  /* 'd' */
                    // e\\n\""";
              char c = '"', d = '\\'';
              int e = 1 - -1 / /**/ 2;
              record Nested(int f) { enum /* of */ Deep { ONE } @interface Name {} }
              void f() { interface Local {} System // in between
                  . out.println(); }
            }
            // Last.
            """);
    assertEquals(
        "package a;final class A{String a=\"\",b=\"\";char c=' ',d=' ';int e=1- -1/2;"
            + "record Nested(int f){enum Deep{ONE}@interface Name{}}"
            + "void f(){interface Local{}System.out.println();}}",
        text.code());
    assertEquals(List.of("// \"b\" c", "/* 'd' */\n  // e\n"), text.strings());
    assertEquals(List.of("A", "Nested", "Deep", "Name", "Local"), text.types());
    assertEquals("// First.", text.firstComment().strip());
  }

  @Test
  void aLineEndsWhereJavaSaysSo() {
    assertEquals("class A{int a;}", JavaText.of("// \\u000a class A { int a; }").code());
    assertEquals("class A{int a;}", JavaText.of("//\rclass A { //\r\n int a; }").code());
  }

  @Test
  void aFileWithoutACommentHasNoFirstOne() {
    assertEquals("", JavaText.of("class A { String a = \"// b\"; }").firstComment());
  }
}
