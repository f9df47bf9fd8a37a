package io.github.vtdiag.openrewrite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.openrewrite.java.Assertions.java;
import static org.openrewrite.java.Assertions.srcTestJava;
import static org.openrewrite.test.SourceSpecs.text;

import io.github.vtdiag.MonitorToLock;
import io.github.vtdiag.testing.Javac;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openrewrite.ExecutionContext;
import org.openrewrite.InMemoryExecutionContext;
import org.openrewrite.Recipe;
import org.openrewrite.SourceFile;
import org.openrewrite.config.CompositeRecipe;
import org.openrewrite.internal.InMemoryLargeSourceSet;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.JavaParser;
import org.openrewrite.java.tree.J;
import org.openrewrite.test.RecipeSpec;
import org.openrewrite.test.RewriteTest;
import org.openrewrite.test.SourceSpecs;

/** What the recipe must leave alone, and what it changes, with the command line that is inside. */
final class MonitorToLockIT implements RewriteTest {
  private static final String ORDERS =
      """
      package shop;

      class Orders {
        private int count;

        synchronized void add() throws InterruptedException {
          Thread.sleep(10);
          count++;
        }
      }
      """;

  private static final String ORDERS_WITH_LOCK =
      """
      package shop;

      import java.util.concurrent.locks.ReentrantLock;

      class Orders {
        private final transient ReentrantLock lock = new ReentrantLock();
        private int count;

        void add() throws InterruptedException {
          lock.lock();
          try {
            Thread.sleep(10);
            count++;
          } finally {
            lock.unlock();
          }
        }
      }
      """;

  @TempDir private Path folder;

  /** The recipe with class path and sites, as OpenRewrite makes it of options. */
  private MonitorToLock recipe(String... sites) {
    return recipe(null, List.of(sites), List.of(classes().toString()));
  }

  private static MonitorToLock recipe(
      String recording, List<String> sites, List<String> classPath) {
    return new MonitorToLock(recording, sites, classPath, null, null, null, null, null, null, null);
  }

  private Path classes() {
    return folder.resolve("classes");
  }

  private void compile(Map<String, String> sources) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Map.Entry<String, String> source : sources.entrySet()) {
      Path file = folder.resolve("compiled").resolve(source.getKey());
      Files.createDirectories(file.getParent());
      files.add(Files.writeString(file, source.getValue()));
    }
    Javac.compile(Files.createDirectories(classes()), files);
  }

  private static SourceSpecs unchanged(String path, String text) {
    return java(text, spec -> spec.path(path).noTrim());
  }

  private static SourceSpecs changed(String path, String before, String after) {
    return java(before, after, spec -> spec.path(path).noTrim());
  }

  /** Expects one lock that stays, for a reason. */
  private static void stays(RecipeSpec spec, String rule, String reason) {
    spec.dataTable(
        LockOutcomes.Row.class,
        rows -> {
          List<LockOutcomes.Row> stay =
              rows.stream().filter(row -> row.getOutcome().equals("STAYS")).toList();
          assertEquals(1, stay.size(), () -> said(rows));
          assertEquals(rule, stay.getFirst().getRule(), () -> said(rows));
          assertTrue(stay.getFirst().getReason().contains(reason), () -> said(rows));
        });
  }

  private static void notes(RecipeSpec spec, String note) {
    spec.dataTable(
        LockOutcomes.Row.class,
        rows ->
            assertTrue(
                rows.stream().anyMatch(row -> row.getReason().contains(note)), () -> said(rows)));
  }

  private static String said(List<LockOutcomes.Row> rows) {
    return String.join(
        "\n", rows.stream().map(row -> row.getOutcome() + " " + row.getReason()).toList());
  }

  @Test
  void locksMustBeNamedInOneWay() {
    assertFalse(recipe(null, null, null).validate().isValid());
    assertFalse(recipe("app.jfr", List.of("shop.Orders#add"), null).validate().isValid());
    assertTrue(recipe("app.jfr", List.of(), null).validate().isValid());
    assertTrue(recipe(null, List.of("shop.Orders#add"), null).validate().isValid());
  }

  /** Expects that nothing changes, with the sentence that says why. */
  private void failure(Recipe recipe, String sentence) {
    rewriteRun(
        spec -> {
          spec.recipe(recipe);
          notes(spec, sentence + "; nothing is changed");
        },
        unchanged("shop/Orders.java", ORDERS));
  }

  @Test
  void whatIsMissingIsSaidInOneSentence() throws Exception {
    Path recording = folder.resolve("gone.jfr");
    failure(
        recipe(recording.toString(), null, List.of(classes().toString())),
        "there is no recording " + recording + "; check the recipe's option recording");
    failure(
        recipe(null, List.of("shop.Orders#add"), null),
        "the build does not tell its libraries, whose code may lock the same objects; name all"
            + " classes of the program with the recipe's option classPath");
    failure(
        recipe("shop.Orders.add"),
        "--site shop.Orders.add is not a method; write com.example.Cache#load; see vtdiag patch"
            + " --help");
  }

  @Test
  void aFileThatIsNoRecordingIsSaidSo() throws Exception {
    Path file = Files.writeString(folder.resolve("app.jfr"), "no recording");
    Files.createDirectories(classes());
    failure(
        recipe(file.toString(), null, List.of(classes().toString())),
        file + ": is no recording; it looks like text");
  }

  @Test
  void aRecordKeepsItsMonitor() throws Exception {
    String source =
        """
        package shop;

        record Order(int number) {
          synchronized void send() throws InterruptedException {
            Thread.sleep(number);
          }
        }
        """;
    compile(Map.of("shop/Order.java", source));
    rewriteRun(
        spec -> {
          spec.recipe(recipe("shop.Order#send"));
          stays(spec, "RECORD", "record");
        },
        unchanged("shop/Order.java", source));
  }

  @Test
  void aFileWithoutItsClassesStays() throws Exception {
    compile(Map.of("shop/Orders.java", ORDERS));
    String late =
        "package shop;\n\nclass Late {\n  synchronized void add() {\n    notify();\n  }\n}\n";
    rewriteRun(
        spec -> {
          spec.recipe(recipe("shop.Late#add"));
          notes(spec, "Late.java has no classes on the class path");
        },
        unchanged("shop/Orders.java", ORDERS),
        unchanged("shop/Late.java", late));
  }

  @Test
  void sourcesThatAreNotThoseOfTheirClassesStay() throws Exception {
    compile(Map.of("shop/Orders.java", ORDERS));
    String edited = ORDERS.replace("count++;", "synchronized (Orders.class) { count++; }");
    rewriteRun(
        spec -> {
          spec.recipe(recipe("shop.Orders#add"));
          notes(spec, "Orders.java");
        },
        unchanged("shop/Orders.java", edited));
  }

  @Test
  void aSecondRunHasNothingToDo() throws Exception {
    compile(Map.of("shop/Orders.java", ORDERS_WITH_LOCK));
    rewriteRun(
        spec -> {
          spec.recipe(recipe("shop.Orders#add"));
          notes(spec, "shop.Orders#add takes no monitor");
        },
        unchanged("src/main/java/shop/Orders.java", ORDERS_WITH_LOCK));
  }

  @Test
  void testsDoNotChange() throws Exception {
    String till = ORDERS.replace("class Orders", "class Till");
    compile(Map.of("shop/Orders.java", ORDERS, "shop/Till.java", till));
    rewriteRun(
        spec -> {
          spec.recipe(recipe("shop.Till#add"));
          stays(spec, "SOURCES", "the source of shop.Till is not in the given folders");
        },
        unchanged("src/main/java/shop/Orders.java", ORDERS),
        srcTestJava(java(till, spec -> spec.path("java/shop/Till.java").noTrim())));
  }

  @Test
  void aMethodLocksAsItDid() throws Exception {
    compile(Map.of("shop/Orders.java", ORDERS));
    rewriteRun(
        spec -> {
          spec.recipe(recipe("shop.Orders#add"));
          spec.dataTable(
              LockOutcomes.Row.class,
              rows -> {
                assertEquals("MOVED", rows.getLast().getOutcome(), () -> said(rows));
                assertTrue(
                    rows.stream().anyMatch(row -> row.getReason().startsWith("patched 1 lock")),
                    () -> said(rows));
              });
        },
        changed("src/main/java/shop/Orders.java", ORDERS, ORDERS_WITH_LOCK));
  }

  @Test
  void lineEndsStay() throws Exception {
    compile(Map.of("shop/Orders.java", ORDERS));
    rewriteRun(
        spec -> spec.recipe(recipe("shop.Orders#add")),
        changed(
            "shop/Orders.java",
            ORDERS.replace("\n", "\r\n"),
            ORDERS_WITH_LOCK.replace("\n", "\r\n")));
  }

  @Test
  void anEnumGetsItsLock() throws Exception {
    String source =
        """
        package shop;

        enum Till {
          LEFT,
          RIGHT;

          private int count;

          synchronized void add() throws InterruptedException {
            Thread.sleep(10);
            count++;
          }
        }
        """;
    compile(Map.of("shop/Till.java", source));
    rewriteRun(
        spec -> spec.recipe(recipe("shop.Till#add")),
        java(
            source,
            spec ->
                spec.path("shop/Till.java")
                    .noTrim()
                    .after(
                        after -> {
                          assertTrue(
                              after.contains("private final transient ReentrantLock lock"), after);
                          assertFalse(after.contains("synchronized"), after);
                          return after;
                        })));
  }

  private static final String SHOP =
      """
      package shop;

      class Shop {
        private final Orders orders = new Orders();

        void open() throws InterruptedException {
          orders.add();
        }

        void close() {
          synchronized (orders) {
            orders.toString();
          }
        }
      }
      """;

  private static final String SHOP_WITH_LOCK =
      SHOP.replace("synchronized (orders) {", "orders.lock.lock();\n    try {")
          .replace("    }\n  }\n}", "    } finally {\n      orders.lock.unlock();\n    }\n  }\n}");

  @Test
  void allFilesOfALockMoveTogetherInModulesOfOneBuild() throws Exception {
    compile(Map.of("shop/Orders.java", ORDERS, "shop/Shop.java", SHOP));
    rewriteRun(
        spec -> spec.recipe(recipe("shop.Orders#add")),
        changed(
            "orders/src/main/java/shop/Orders.java",
            ORDERS,
            ORDERS_WITH_LOCK.replace("private final transient", "final transient")),
        changed("desk/src/main/java/shop/Shop.java", SHOP, SHOP_WITH_LOCK));
  }

  /** A recipe that adds a comment to a file. */
  private static Recipe comment(String file) {
    return RewriteTest.toRecipe(
        () ->
            new JavaIsoVisitor<ExecutionContext>() {
              @Override
              public J.CompilationUnit visitCompilationUnit(
                  J.CompilationUnit unit, ExecutionContext ctx) {
                boolean wanted =
                    unit.getSourcePath().endsWith(file)
                        && unit.getEof().getWhitespace().equals("\n");
                return wanted ? unit.withEof(unit.getEof().withWhitespace("\n\n")) : unit;
              }
            });
  }

  @Test
  void aFileThatAnEarlierRecipeChangedStaysWithAllOfItsLock() throws Exception {
    compile(Map.of("shop/Orders.java", ORDERS));
    rewriteRun(
        spec -> {
          spec.recipes(comment("Orders.java"), recipe("shop.Orders#add"));
          spec.expectedCyclesThatMakeChanges(1);
          notes(spec, "shop/Orders.java was changed by an earlier recipe of this run");
        },
        changed("shop/Orders.java", ORDERS, ORDERS + "\n"));
  }

  /** Runs an earlier recipe and the recipe on two files of one lock; returns the errors. */
  private List<String> runAfterChangeOf(String file, List<String> changed) throws IOException {
    compile(Map.of("shop/Orders.java", ORDERS, "shop/Shop.java", SHOP));
    List<SourceFile> files = JavaParser.fromJavaVersion().build().parse(ORDERS, SHOP).toList();
    List<String> errors = new ArrayList<>();
    new CompositeRecipe(List.of(comment(file), recipe("shop.Orders#add")))
        .run(
            new InMemoryLargeSourceSet(files),
            new InMemoryExecutionContext(error -> errors.add(error.toString())))
        .getChangeset()
        .getAllResults()
        .forEach(result -> changed.add(result.getAfter().printAll()));
    return errors;
  }

  @Test
  void noFileOfALockMovesIfTheFirstWasChanged() throws Exception {
    List<String> changed = new ArrayList<>();
    assertEquals(List.of(), runAfterChangeOf("Orders.java", changed));
    assertEquals(List.of(ORDERS + "\n"), changed);
  }

  /** Builds write nothing where a recipe had an error. */
  @Test
  void itIsAnErrorIfALaterFileOfALockWasChanged() throws Exception {
    List<String> errors = runAfterChangeOf("Shop.java", new ArrayList<>());
    assertEquals(1, errors.size(), errors::toString);
    assertTrue(
        errors
            .getFirst()
            .contains(
                "shop/Shop.java was changed by an earlier recipe of this run, and"
                    + " shop/Orders.java moves the same lock"),
        errors::toString);
  }

  @Test
  void aRecipeThatFollowsSeesJavaWithTypes() throws Exception {
    compile(Map.of("shop/Orders.java", ORDERS));
    List<String> types = new ArrayList<>();
    Recipe follows =
        RewriteTest.toRecipe(
            () ->
                new JavaIsoVisitor<ExecutionContext>() {
                  @Override
                  public J.MethodInvocation visitMethodInvocation(
                      J.MethodInvocation call, ExecutionContext ctx) {
                    types.add(String.valueOf(call.getMethodType()));
                    return super.visitMethodInvocation(call, ctx);
                  }
                });
    rewriteRun(
        spec -> spec.recipes(recipe("shop.Orders#add"), follows),
        changed("shop/Orders.java", ORDERS, ORDERS_WITH_LOCK));
    assertTrue(
        types.stream().anyMatch(type -> type.contains("ReentrantLock{name=lock")), types::toString);
  }

  /** What OpenRewrite has not parsed as Java, it gives as text. */
  @Test
  void aFileThatIsTextIsPatchedToo() throws Exception {
    compile(Map.of("shop/Orders.java", ORDERS));
    rewriteRun(
        spec -> spec.recipe(recipe("shop.Orders#add")),
        text(ORDERS, ORDERS_WITH_LOCK, spec -> spec.path("shop/Orders.java").noTrim()));
  }
}
