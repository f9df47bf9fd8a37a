package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.harrel.jsonschema.providers.JacksonNode;
import io.github.vtdiag.report.ci.BuildReports;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Javac;
import io.github.vtdiag.testing.Jdk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From a recording to a patch that is applied, compiled and run; and what is not patched. */
@Order(1)
final class PatchIT {
  private static final String ASSUMED =
      """
      Assumed: no code outside the class path uses these classes.
      Assumed: of a library, frameworks call by reflection only what is annotated, a setter, or named in code.
      """;

  private static final String AGENT =
      Path.of("..", "agent", "target", "vtdiag.jar").toAbsolutePath().toString();

  private static final String STOCK =
      """
      package shop;

      /** Goods, of which no more are taken than there are. */
      final class Stock {
        private int goods;

        /** Pins on Java 21. */
        synchronized int count() throws InterruptedException {
          Thread.sleep(40);
          return goods;
        }

        synchronized void put() {
          goods++;
          notifyAll();
        }

        synchronized void take() throws InterruptedException {
          while (goods == 0) {
            wait();
          }
          goods--;
        }

        void putUnlocked() {
          goods++;
          notifyAll();
        }
      }
      """;

  private static final String SHOP =
      """
      package shop;

      import java.util.ArrayList;
      import java.util.List;

      final class Shop {
        private static final Stock STOCK = new Stock();

        public static void main(String[] args) throws Exception {
          List<Thread> threads = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            threads.add(Thread.startVirtualThread(Shop::count));
            threads.add(Thread.startVirtualThread(Shop::take));
            threads.add(Thread.startVirtualThread(Shop::restock));
          }
          for (Thread thread : threads) {
            thread.join();
          }
          System.out.println("left " + STOCK.count());
        }

        private static void count() {
          try {
            STOCK.count();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        }

        private static void take() {
          try {
            STOCK.take();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        }

        private static void restock() {
          STOCK.put();
          synchronized (STOCK) {
            STOCK.putUnlocked();
          }
        }
      }
      """;

  @TempDir private Path temporary;

  private Path folder() throws IOException {
    return temporary.toRealPath();
  }

  private Path write(String file, String text) throws IOException {
    Path path = folder().resolve(file);
    Files.createDirectories(path.getParent());
    return Files.writeString(path, text);
  }

  private void shop() throws IOException {
    write("src/shop/Stock.java", STOCK);
    write("src/shop/Shop.java", SHOP);
    compile(folder());
  }

  /** Compiles {@code src} to {@code classes}, both in a folder, for Java 21. */
  private static void compile(Path in) throws IOException {
    try (Stream<Path> files = Files.walk(in.resolve("src"))) {
      Javac.compile(
          in.resolve("classes"), files.filter(file -> file.toString().endsWith(".java")).toList());
    }
  }

  private static Forked java(Jdk jdk, Path in, String... arguments) throws Exception {
    Forked ran = Forked.java(jdk, in, arguments);
    assertEquals(0, ran.exitCode(), ran.out() + ran.err());
    return ran;
  }

  private static Forked record(Path in, String mainClass) throws Exception {
    Files.deleteIfExists(in.resolve("app.jfr"));
    return java(
        Jdk.JAVA_21,
        in,
        Forked.QUICK,
        "-javaagent:" + AGENT + "=output=app.jfr",
        "-cp",
        "classes",
        mainClass);
  }

  private Forked patch(String... arguments) throws Exception {
    List<String> all =
        new ArrayList<>(List.of("patch", "--classpath", "classes", "--sources", "src"));
    all.addAll(List.of(arguments));
    return CliJar.run(folder(), all.toArray(String[]::new));
  }

  /** The sources with a patch applied, compiled. */
  private Path patched(String patchFile) throws Exception {
    Path copy = Files.createDirectory(folder().resolve("patched"));
    try (Stream<Path> files = Files.walk(folder().resolve("src"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path to = copy.resolve(folder().relativize(file));
        Files.createDirectories(to.getParent());
        Files.copy(file, to);
      }
    }
    Forked applied =
        Forked.run(copy, Map.of(), List.of("git", "apply", folder().resolve(patchFile).toString()));
    assertEquals("", applied.err());
    assertEquals(0, applied.exitCode());
    compile(copy);
    return copy;
  }

  private static JsonNode json(Forked ran) throws IOException {
    assertEquals("", ran.err());
    return new ObjectMapper().readTree(ran.out());
  }

  private JsonNode patchJson(String... arguments) throws Exception {
    Forked ran = patch(arguments);
    Validator.Result result =
        new ValidatorFactory()
            .withJsonNodeFactory(new JacksonNode.Factory())
            .validate(Files.readString(Path.of("..", "docs", "patch.schema.json")), ran.out());
    assertTrue(result.isValid(), () -> result.getErrors() + "\n" + ran.out());
    return json(ran);
  }

  private static List<String> titles(Path in) throws Exception {
    Forked ran = CliJar.run(in, "analyze", "--json", "-q", "app.jfr", "--classpath", "classes");
    return json(ran).path("findings").findValuesAsText("title").stream()
        .filter(title -> title.startsWith("shop."))
        .toList();
  }

  /** The text with the replacements of SARIF, which are all told by the old text. */
  private static String replaced(String text, JsonNode replacements) {
    List<String> lines = new ArrayList<>(List.of(text.split("(?<=\n)", -1)));
    StringBuilder result = new StringBuilder(text);
    for (int i = replacements.size() - 1; i >= 0; i--) {
      JsonNode region = replacements.path(i).path("deletedRegion");
      result.replace(
          offset(lines, region.path("startLine"), region.path("startColumn")),
          offset(lines, region.path("endLine"), region.path("endColumn")),
          replacements.path(i).at("/insertedContent/text").asText());
    }
    return result.toString();
  }

  private static int offset(List<String> lines, JsonNode line, JsonNode column) {
    return lines.subList(0, line.asInt() - 1).stream().mapToInt(String::length).sum()
        + column.asInt()
        - 1;
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n"})
  void theFixesInSarifAreThePatch(String lineEnd) throws Exception {
    write("src/shop/Stock.java", STOCK.replace("\n", lineEnd).stripTrailing());
    write("src/shop/Shop.java", SHOP.replace("\n", lineEnd));
    compile(folder());
    String output = record(folder(), "shop.Shop").out();
    Forked gate =
        CliJar.run(
            folder(),
            "gate",
            "app.jfr",
            "--max-pin",
            "10ms",
            "--classpath",
            "classes",
            "--sources",
            "src",
            "--sarif",
            "vtdiag.sarif");
    assertEquals(1, gate.exitCode(), gate.out() + gate.err());
    JsonNode run = BuildReports.sarif(Files.readString(folder().resolve("vtdiag.sarif")));
    List<JsonNode> fixes = new ArrayList<>();
    for (JsonNode result : run.path("results")) {
      assertTrue(result.path("fixes").size() <= 1, "what goes together is no choice");
      result.path("fixes").forEach(fixes::add);
    }
    assertFalse(fixes.isEmpty(), run::toPrettyString);
    assertEquals(
        0, patch("app.jfr", "--verify", "-o", "locks.patch").exitCode(), "no patch to compare");
    Path patched = patched("locks.patch");
    Path fixed = Files.createDirectory(folder().resolve("fixed"));
    for (JsonNode change : fixes.getFirst().path("artifactChanges")) {
      String file = change.at("/artifactLocation/uri").asText();
      String text = Files.readString(folder().resolve(file));
      Path to = fixed.resolve(file);
      Files.createDirectories(to.getParent());
      Files.writeString(to, replaced(text, change.path("replacements")));
      assertEquals(Files.readString(patched.resolve(file)), Files.readString(to));
    }
    assertEquals(2, fixes.getFirst().path("artifactChanges").size());
    compile(fixed);
    assertEquals(output, record(fixed, "shop.Shop").out());
    assertEquals(List.of(), titles(fixed));
  }

  @Test
  void whatPinsOnJava21DoesNotWhereThePatchIsApplied() throws Exception {
    shop();
    String output = record(folder(), "shop.Shop").out();
    assertEquals("left 4\n", output);
    assertTrue(titles(folder()).contains("shop.Stock.count"), titles(folder())::toString);

    Forked advice =
        CliJar.run(
            folder(), "advise", "app.jfr", "--classpath", "classes", "--sources", "src", "--json");
    JsonNode recommended = json(advice).at("/findings/0/advice/recommendation");
    assertEquals("REWRITE", recommended.path("kind").asText(), advice.out());
    assertEquals("shop.Stock", "shop." + recommended.at("/locks/0/name").asText());
    // The class that locks it from outside moves too.
    assertTrue(
        recommended.at("/locks/0/sites").findValuesAsText("class").contains("shop.Shop"),
        recommended::toString);

    byte[] before = Files.readAllBytes(folder().resolve("src/shop/Stock.java"));
    Forked written = patch("app.jfr", "--verify", "-o", "locks.patch");
    assertEquals("", written.out());
    assertEquals(
        "vtdiag: patched 1 lock (4 sites in 2 files)\n"
            + "The patched files were compiled, without errors.\n"
            + ASSUMED
            + "Next: git apply locks.patch\n",
        written.err());
    assertEquals(0, written.exitCode());
    assertArrayEquals(before, Files.readAllBytes(folder().resolve("src/shop/Stock.java")));

    Path copy = patched("locks.patch");
    assertEquals(output, record(copy, "shop.Shop").out());
    assertEquals(List.of(), titles(copy));
    assertEquals(output, java(Jdk.JAVA_25, copy, "-cp", "classes", "shop.Shop").out());
  }

  /** It may lock the same object: nothing moves, and every command names the class. */
  @Test
  void aClassThatCannotBeReadKeepsTheMonitor() throws Exception {
    shop();
    record(folder(), "shop.Shop");
    Path broken = write("classes/shop/Broken.class", "no class");
    String problem =
        "shop.Broken in classes could not be read (it is damaged or cut off), so what it locks is"
            + " not known";

    Forked advice =
        CliJar.run(
            folder(), "advise", "app.jfr", "--classpath", "classes", "--sources", "src", "--json");
    JsonNode recommended = json(advice).at("/findings/0/advice/recommendation");
    assertEquals("KEEP", recommended.path("kind").asText(), advice.out());
    assertEquals("CLASS_UNKNOWN", recommended.path("rung").asText());
    assertTrue(advice.out().contains(problem), advice.out());
    Forked analysis = CliJar.run(folder(), "analyze", "app.jfr", "--classpath", "classes");
    assertTrue(analysis.out().replaceAll("\\s+", " ").contains(problem), analysis.out());

    Forked patch = patch("app.jfr");
    assertEquals("", patch.out());
    assertTrue(patch.err().contains(problem), patch.err());
    Files.delete(broken);
    assertTrue(patch("app.jfr").err().startsWith("vtdiag: patched 1 lock"));
  }

  @Test
  void whereOneOfTwoMonitorsCannotMoveNeitherDoes() throws Exception {
    write("src/shop/Stock.java", STOCK);
    write(
        "src/shop/Shop.java",
        SHOP.replace(
            "STOCK.count();\n    }", "synchronized (\"count\") { STOCK.count(); }\n    }"));
    compile(folder());
    record(folder(), "shop.Shop");
    Forked advice =
        CliJar.run(
            folder(), "advise", "app.jfr", "--classpath", "classes", "--sources", "src", "--json");
    JsonNode count =
        json(advice)
            .path("findings")
            .valueStream()
            .filter(finding -> finding.path("title").asText().equals("shop.Stock.count"))
            .findFirst()
            .orElseThrow();
    JsonNode recommended = count.at("/advice/recommendation");
    assertEquals("KEEP", recommended.path("kind").asText(), advice.out());
    assertEquals("HELD_TOGETHER", recommended.path("why").asText());
    assertEquals("INTERNED_STRING", recommended.path("rung").asText());
  }

  @Test
  void theStressHoldsTheSameInvariantsBeforeAndAfter() throws Exception {
    Path stress = Path.of("src", "test", "resources", "stress");
    Files.createDirectories(folder().resolve("src/stress"));
    for (String name : List.of("Stress.java", "Account.java", "Buffer.java")) {
      Files.copy(stress.resolve(name), folder().resolve("src/stress").resolve(name));
    }
    compile(folder());
    JsonNode patch = patchJson("--all", "--verify", "--json", "-q");
    // What cannot keep its meaning stays, and runs beside the rest.
    assertEquals(
        List.of("CLONEABLE", "RECURSION", "SERIALIZABLE"),
        patch.path("declined").findValuesAsText("rung").stream().sorted().toList());
    Files.writeString(folder().resolve("stress.patch"), patch.path("diff").asText());
    Path copy = patched("stress.patch");
    String invariants =
        """
        reentrancy 320000
        statics 320000 320000
        hierarchy 560000 320000
        buffer 16000 16008000 0 false
        interrupts 16 0 false
        timeouts false true waited, timeout value is negative
        nested 0
        fields 32000 32000 3200
        jumps 3200 8016 1600
        inner classes 96000
        constants 160000 320000
        clones 3200 true
        serialized 320002 -2159624197001519579
        """;
    for (Jdk jdk : Jdk.values()) {
      for (Path program : List.of(folder(), copy)) {
        assertEquals(invariants, java(jdk, program, "-cp", "classes", "stress.Stress").out());
      }
    }
    // Patching what is patched changes nothing.
    Forked again =
        CliJar.run(copy, "patch", "--all", "--classpath", "classes", "--sources", "src", "-q");
    assertEquals("", again.out());
    assertEquals("vtdiag: nothing patched: 3 locks stay monitors\n", again.err());
    assertEquals(0, again.exitCode());
  }

  @Test
  void whereNothingPinsNothingIsPatched() throws Exception {
    shop();
    java(
        Jdk.JAVA_25,
        folder(),
        Forked.QUICK,
        "-javaagent:" + AGENT + "=output=app.jfr",
        "-cp",
        "classes",
        "shop.Shop");
    Forked nothing = patch("app.jfr", "--verify", "-o", "locks.patch");
    assertEquals("", nothing.out());
    assertEquals("vtdiag: nothing to patch: no lock needs a rewrite\n", nothing.err());
    assertEquals(0, nothing.exitCode());
    assertFalse(Files.exists(folder().resolve("locks.patch")));
  }

  @Test
  void oneSiteBringsAllOfItsLock() throws Exception {
    shop();
    Forked written = patch("--site", "shop.Stock#put");
    assertEquals(0, written.exitCode(), written.err());
    assertTrue(
        written
            .out()
            .startsWith(
                """
                # Assumed: no code outside the class path uses these classes.
                # Assumed: of a library, frameworks call by reflection only what is annotated, a setter, or named in code.
                --- a/src/shop/Shop.java
                """),
        written.out());
    assertTrue(written.out().contains("\n-  synchronized int count()"), written.out());
    Forked two = patch("--site", "shop.Stock#put", "--site", "shop.Stock#count");
    assertEquals(written.out(), two.out());
    Forked oneIsNone = patch("--site", "shop.Stock#put", "--site", "shop.Shop#main");
    assertEquals(3, oneIsNone.exitCode());
    Forked none = patch("--site", "shop.Shop#main");
    assertEquals(
        "vtdiag: shop.Shop#main takes no monitor; vtdiag advise lists the methods that do\n",
        none.err());
    assertEquals(3, none.exitCode());
    Forked unknown = patch("--site", "shop.Till#open");
    assertEquals(
        "vtdiag: shop.Till is not on the class path; check --site and --classpath\n",
        unknown.err());
    assertEquals(3, unknown.exitCode());
  }

  @Test
  void sourcesOfAnotherVersionAreNotPatched() throws Exception {
    shop();
    write("src/shop/Stock.java", "\n\n\n\n\n\n\n\n\n" + STOCK);
    for (String flag : List.of("-v", "--verify")) {
      Forked declined = patch("--all", flag);
      assertEquals("", declined.out());
      assertTrue(
          declined.err().contains("Stock.java does not match the classes: "), declined.err());
      assertTrue(declined.err().contains("; build, then run again\n"), declined.err());
      assertEquals(3, declined.exitCode());
    }
  }

  private static final String ACCOUNT =
      """
      package bank;

      class Account {
        private int total;
        private int inside;

        synchronized void add() {
          inside++;
          if (inside != 1) {
            throw new AssertionError("two threads are in");
          }
          total++;
          Thread.yield();
          inside--;
        }

        int total() {
          return total;
        }
      }
      """;

  private static final String AUDIT =
      """
      package bank;

      class Audit implements Runnable {
        private final Account account = new Account();

        public void run() {
          for (int i = 0; i < 2000; i++) {
            account.add(); account.add();
          }
        }

        public static void main(String[] arguments) throws InterruptedException {
          Audit audit = new Audit();
          Thread[] threads = {new Thread(audit), new Thread(audit), new Thread(audit)};
          for (Thread thread : threads) thread.start();
          for (Thread thread : threads) thread.join();
          System.out.println(audit.account.total());
        }
      }
      """;

  /** Only the class that changes was looked at once, and two threads got in. */
  @Test
  void aFileThatNothingChangesInMustBeWhatWasCompiledToo() throws Exception {
    write("src/bank/Account.java", ACCOUNT);
    write("src/bank/Audit.java", AUDIT);
    compile(folder());
    write(
        "src/bank/Audit.java",
        AUDIT.replace(
            "account.add(); account.add();", "synchronized (account) { account.add(); }"));
    Forked stale = patch("--all", "--verify", "-o", "locks.patch");
    assertTrue(
        stale
            .err()
            .startsWith(
                "vtdiag: 1 file is left out, with all locks taken there: Audit.java does not match"
                    + " the classes: no class has the synchronized on line 8\n"
                    + "vtdiag: Audit.java may take locks that its classes do not"),
        stale.err());
    assertEquals(3, stale.exitCode());
    assertFalse(Files.exists(folder().resolve("locks.patch")));

    compile(folder());
    Forked built = patch("--all", "--verify", "-o", "locks.patch");
    assertEquals(0, built.exitCode(), built.err());
    Path copy = patched("locks.patch");
    for (Jdk jdk : Jdk.values()) {
      for (Path program : List.of(folder(), copy)) {
        assertEquals("6000\n", java(jdk, program, "-cp", "classes", "bank.Audit").out());
      }
    }
  }

  /** A lock that nobody else can name moves whatever the other file does. */
  @Test
  void aFileThatWasNotCompiledKeepsOnlyWhatItMayLock() throws Exception {
    write("src/bank/Account.java", ACCOUNT);
    write("src/bank/Audit.java", AUDIT);
    write(
        "src/bank/Vault.java",
        """
        package bank;

        class Vault {
          private final Object door = new Object();

          void open() {
            synchronized (door) {
              System.out.println("open");
            }
          }
        }
        """);
    compile(folder());
    write("src/bank/New.java", "package bank; class New { synchronized void add() {} }");
    Forked partly = patch("--all", "--verify", "-o", "locks.patch");
    assertEquals(0, partly.exitCode(), partly.err());
    assertTrue(
        partly
            .err()
            .startsWith(
                "vtdiag: 1 file is left out, with all locks taken there: New.java has no classes on"
                    + " the class path\n"),
        partly.err());
    assertTrue(partly.err().contains("patched 1 lock (1 site in 1 file)"), partly.err());
    assertTrue(
        partly.err().contains("Account: New.java takes a lock that its classes do not"),
        partly.err());
  }

  @Test
  void aCompactSourceFileIsLeftOutByItsName() throws Exception {
    write("src/Hello.java", "int n;\nsynchronized void add() { n++; }\nvoid main() { add(); }\n");
    Forked compiled =
        Forked.run(
            folder(),
            Map.of(),
            List.of(
                Jdk.JAVA_25.home().resolve("bin/javac").toString(),
                "-g",
                "-d",
                "classes",
                "src/Hello.java"));
    assertEquals(0, compiled.exitCode(), compiled.err());
    Forked declined = patch("--all");
    assertEquals("", declined.out());
    assertTrue(
        declined
            .err()
            .contains(
                "Hello.java is a compact source file (JEP 512), and such files are not patched"),
        declined.err());
    assertEquals(0, declined.exitCode(), declined.err());
  }

  @Test
  void whereTheSourceIsMissingNothingWasDone() throws Exception {
    shop();
    Files.delete(folder().resolve("src/shop/Stock.java"));
    Forked missing = patch("--site", "shop.Stock#put");
    assertTrue(
        missing.err().contains("the source of shop.Stock is not in the given folders"),
        missing.err());
    assertEquals(3, missing.exitCode());
  }

  @Test
  void sourcesThatDoNotParseAreNotPatched() throws Exception {
    shop();
    write("src/shop/Shop.java", SHOP.replace("void main(", "void main"));
    Forked declined = patch("--all");
    assertEquals("", declined.out());
    assertTrue(
        declined
            .err()
            .contains("Shop.java cannot be parsed at line 9, column 22: \"[\" is not expected"),
        declined.err());
    assertEquals(3, declined.exitCode());
  }

  @Test
  void aPatchThatDoesNotCompileIsNotWritten() throws Exception {
    shop();
    // It fits the classes line by line, but no compiler takes it.
    write("src/shop/Stock.java", STOCK.replace("return goods;", "return nothing;"));
    write("locks.patch", "an older patch");
    Forked refused = patch("--all", "--verify", "-o", "locks.patch");
    assertEquals("", refused.out());
    assertTrue(
        refused.err().contains("Stock.java does not compile even without the patch, so it cannot"),
        refused.err());
    assertTrue(refused.err().contains("error: cannot find symbol"), refused.err());
    assertEquals(3, refused.exitCode());
    assertEquals("an older patch", Files.readString(folder().resolve("locks.patch")));
  }

  @Test
  void sourcesAreOnlyRead() throws Exception {
    shop();
    try (Stream<Path> files = Files.walk(folder().resolve("src"))) {
      for (Path file : files.toList()) {
        boolean directory = Files.isDirectory(file);
        Files.setPosixFilePermissions(
            file, PosixFilePermissions.fromString(directory ? "r-xr-xr-x" : "r--r--r--"));
      }
    }
    assertEquals(0, patch("--all", "--verify", "-o", "locks.patch").exitCode());
    Forked into = patch("--all", "-o", "src/shop/Stock.java");
    assertEquals(
        "vtdiag: src/shop/Stock.java is in a source folder; name another file for the patch\n",
        into.err());
    assertEquals(3, into.exitCode());
    assertEquals(STOCK, Files.readString(folder().resolve("src/shop/Stock.java")));
  }

  @Test
  void filesBehindALinkAreNotPatched() throws Exception {
    shop();
    Path outside = Files.createDirectory(folder().resolve("outside")).resolve("Stock.java");
    Files.move(folder().resolve("src/shop/Stock.java"), outside);
    Files.createSymbolicLink(folder().resolve("src/shop/Stock.java"), outside);
    Forked declined = patch("--all");
    assertEquals("", declined.out());
    assertTrue(declined.err().contains("is behind a symbolic link"), declined.err());
    assertEquals(3, declined.exitCode());
  }

  @Test
  void pathsAreFromTheSourceFolderWhereThatIsElsewhere() throws Exception {
    shop();
    Path elsewhere = Files.createDirectory(folder().resolve("elsewhere"));
    Forked written =
        CliJar.run(elsewhere, "patch", "--all", "--classpath", "../classes", "--sources", "../src");
    assertEquals(0, written.exitCode(), written.err());
    assertTrue(written.out().contains("\n--- a/shop/Shop.java\n"), written.out());
    assertTrue(
        written
            .err()
            .endsWith("Next: cd " + folder().resolve("src") + " && git apply locks.patch\n"),
        written.err());
  }

  @Test
  void filesKeepTheirEncoding() throws Exception {
    shop();
    byte[] latin =
        STOCK
            .replace("/** Pins on Java 21. */", "/** Zählt. */")
            .getBytes(StandardCharsets.ISO_8859_1);
    Files.write(folder().resolve("src/shop/Stock.java"), latin);
    Forked written = patch("--all", "-o", "locks.patch");
    assertEquals(0, written.exitCode(), written.err());
    String diff = Files.readString(folder().resolve("locks.patch"), StandardCharsets.ISO_8859_1);
    assertTrue(diff.contains("\n   /** Zählt. */\n"), diff);
    JsonNode asJson = patchJson("--all", "--json", "-q");
    assertTrue(asJson.path("diff").isNull(), asJson::toString);
    assertArrayEquals(
        diff.getBytes(StandardCharsets.ISO_8859_1),
        Base64.getDecoder().decode(asJson.path("diffBase64").asText()));
    assertTrue(asJson.path("verified").asBoolean());
  }
}
