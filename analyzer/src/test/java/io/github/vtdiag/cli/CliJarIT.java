package io.github.vtdiag.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.testing.EitherJdk;
import io.github.vtdiag.testing.Forked;
import io.github.vtdiag.testing.Jdk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The jar that is handed out, not the classes it is made of. */
final class CliJarIT {
  private static final Path AGENT_JAR = Path.of("..", "agent", "target", "vtdiag.jar");

  @TempDir private Path folder;

  @Test
  void nothingIsInItThatIsNotOurs() throws Exception {
    Pattern ours =
        Pattern.compile(
            "io/github/vtdiag/(account|advice|analysis|attach|baseline|cli|compare|dump|findings|fleet(/options)?|gate|hang|jfr|live|locksite|maven|model"
                + "|owner|page|patch|pin|pipeline|policy|program|recording|report(/(ci|format|json|words))?|safety|scan|source|upgrade|verdict|waits)"
                + "/[^/]+\\.class"
                + "|io/github/vtdiag/shaded/(aether|asm|commons|gson|hdrhistogram|http|inject|jackson"
                + "|javaparser|jline|maven|mcp|picocli|plexus|reactivestreams|reactor|slf4j|snakeyaml|sonatype)/.*\\.class"
                + "|io/github/vtdiag/shaded/heap/([^/]+\\.class|Bundle\\.properties)"
                // What the terminals of the world can do.
                + "|io/github/vtdiag/shaded/jline/utils/[a-z0-9-]+\\.(caps|txt)"
                // The HTTP client's name for itself, and the POM above all POMs.
                + "|io/github/vtdiag/shaded/http/(client/)?version\\.properties"
                + "|io/github/vtdiag/shaded/maven/model/pom-4\\.0\\.0\\.xml"
                + "|io/github/vtdiag/advice/(jdk-faults|known-fixes)\\.tsv|io/github/vtdiag/model/libraries\\.tsv|io/github/vtdiag/waits/(pools|servers|waits)\\.tsv|vtdiag\\.jar|io/github/vtdiag/cli/(commit|http-servers)\\.txt"
                + "|io/github/vtdiag/report/format/page\\.css|io/github/vtdiag/page/(chart|data|flames|fold|page|timeline)\\.js"
                + "|io/github/vtdiag/findings/thread-local-caches\\.tsv|io/github/vtdiag/(owner/launchers|safety/(field|transient)-readers)\\.txt"
                + "|META-INF/(MANIFEST\\.MF|NOTICE|THIRD-PARTY\\.txt|[A-Za-z-]*LICENSE)|licenses/[a-z.]+\\.TXT");
    try (JarFile jar = new JarFile(CliJar.PATH.toFile())) {
      TreeSet<String> strangers = new TreeSet<>();
      jar.stream()
          .filter(entry -> !entry.isDirectory())
          .map(JarEntry::getName)
          .filter(name -> !ours.matcher(name).matches())
          .forEach(strangers::add);
      assertEquals(new TreeSet<>(), strangers);
      for (String needed :
          List.of(
              "io/github/vtdiag/cli/Main.class",
              "io/github/vtdiag/report/format/page.css",
              "io/github/vtdiag/page/page.js",
              "io/github/vtdiag/shaded/asm/ClassReader.class",
              "io/github/vtdiag/shaded/commons/statistics/distribution/TDistribution.class",
              "io/github/vtdiag/shaded/heap/HeapFactory.class",
              "io/github/vtdiag/shaded/mcp/server/McpServer.class",
              "io/github/vtdiag/shaded/hdrhistogram/ConcurrentHistogram.class",
              "io/github/vtdiag/shaded/picocli/CommandLine.class",
              "io/github/vtdiag/shaded/jackson/core/JsonGenerator.class")) {
        assertTrue(jar.getEntry(needed) != null, needed);
      }
    }
  }

  /** Each would take its share of every command: {@code PlainCalls}. */
  @Test
  void noCallIsLeftToLinkWhereItRuns() throws Exception {
    try (JarFile jar = new JarFile(CliJar.PATH.toFile())) {
      TreeSet<String> left = new TreeSet<>();
      for (JarEntry entry : jar.stream().toList()) {
        if (entry.getName().matches("io/github/vtdiag/(?!shaded/).+\\.class")) {
          new ClassReader(jar.getInputStream(entry).readAllBytes())
              .accept(
                  new ClassVisitor(Opcodes.ASM9) {
                    @Override
                    public MethodVisitor visitMethod(
                        int access, String name, String type, String generic, String[] thrown) {
                      return new MethodVisitor(Opcodes.ASM9) {
                        @Override
                        public void visitInvokeDynamicInsn(
                            String called, String types, Handle bootstrap, Object... arguments) {
                          left.add(entry.getName() + " " + name + " " + bootstrap);
                        }
                      };
                    }
                  },
                  ClassReader.SKIP_DEBUG);
        }
      }
      assertEquals(new TreeSet<>(), left);
    }
  }

  @Test
  void theManifestStartsIt() throws Exception {
    try (JarFile jar = new JarFile(CliJar.PATH.toFile())) {
      Attributes manifest = jar.getManifest().getMainAttributes();
      assertEquals("io.github.vtdiag.cli.Main", manifest.getValue("Main-Class"));
      assertEquals("vtdiag", manifest.getValue("Implementation-Title"));
      String version = manifest.getValue("Implementation-Version");
      String printed = CliJar.run(folder, "--version").out();
      assertTrue(
          printed.matches(
              "vtdiag %1$s\n(commit [0-9a-f]{40}(-dirty)?\n)?agent %1$s\nJava \\d+.* \\(.+\\), /.*\n"
                  .formatted(version)),
          printed);
    }
  }

  @Test
  void theAgentInsideIsTheOneThatWasBuilt() throws Exception {
    Forked printed = CliJar.run(folder, "agent-jar");
    assertEquals(0, printed.exitCode(), printed.err());
    Path extracted = Path.of(printed.out().strip());
    assertTrue(extracted.startsWith(folder.resolve("cache")), extracted.toString());
    assertArrayEquals(Files.readAllBytes(AGENT_JAR), Files.readAllBytes(extracted));
    assertEquals(printed.out(), CliJar.run(folder, "agent-jar").out());
  }

  @ParameterizedTest
  @EitherJdk
  void itRunsOnEveryJdk(Jdk jdk) throws Exception {
    Forked help = CliJar.run(jdk, folder, "gate", "--help");
    assertEquals("", help.err());
    assertEquals(0, help.exitCode());
    assertTrue(help.out().startsWith("Usage: vtdiag gate"), help.out());
  }

  /** The launcher makes no archive of its classes otherwise, and every command starts slowly. */
  @ParameterizedTest
  @EitherJdk
  void itWarmsUpWithoutAWord(Jdk jdk) throws Exception {
    Forked warmed = CliJar.run(jdk, folder, "warm-up");
    assertEquals("", warmed.out() + warmed.err());
    assertEquals(0, warmed.exitCode());
  }

  @Test
  void badInputOfEveryKindIsOneSentence() throws Exception {
    Files.createFile(folder.resolve("empty.jfr"));
    Files.writeString(folder.resolve("text.jfr"), "this is not a recording".repeat(10));
    Files.createDirectory(folder.resolve("folder.jfr"));
    List<String> files = List.of("missing.jfr", "empty.jfr", "text.jfr", "folder.jfr");
    for (String file : files) {
      Forked refused = CliJar.run(folder, "analyze", file);
      assertEquals(3, refused.exitCode(), file);
      assertEquals("", refused.out(), file);
      assertTrue(refused.err().matches("vtdiag: .*" + file + ".*\\R"), refused.err());
    }
    // A build's recordings may lack one because its JVM died: that is no proof, and no mistake.
    for (String file : files) {
      Forked gated = CliJar.run(folder, "gate", file, "--max-pin", "1s");
      if (file.equals("text.jfr")) {
        assertEquals(3, gated.exitCode(), gated.err());
      } else {
        assertEquals(4, gated.exitCode(), gated.err());
        assertTrue(gated.out().startsWith("NO_DATA"), gated.out());
        assertTrue(gated.out().contains("\n  " + file + ": "), gated.out());
      }
    }
  }

  @Test
  void theCompletionScriptIsOneThatBashReads() throws Exception {
    Path script = folder.resolve("completion.sh");
    Files.writeString(script, CliJar.run(folder, "completion").out());
    Forked checked = Forked.run(folder, Map.of(), List.of("bash", "-n", script.toString()));
    assertEquals("", checked.err());
    assertEquals(0, checked.exitCode());
  }
}
