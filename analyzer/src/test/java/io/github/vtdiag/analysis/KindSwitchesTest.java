package io.github.vtdiag.analysis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.findings.MisuseKind;
import io.github.vtdiag.findings.WaitKind;
import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.testing.Jdks;
import io.github.vtdiag.waits.Awaited;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.tree.ClassNode;

/**
 * All that is said of a kind stands in its row: a switch over kinds elsewhere is one more file that
 * a new kind has to touch.
 */
class KindSwitchesTest {
  /** The kinds, and the types beside them that may switch over them. */
  private static final Map<Class<?>, Set<String>> KINDS =
      Map.of(
          PinKind.class, Set.of(),
          MisuseKind.class, Set.of(),
          WaitKind.class, Set.of(),
          DiagnosisKind.class, Set.of(),
          HangKind.class, Set.of(),
          // The finding that a crowd of such waits is.
          Awaited.Kind.class, Set.of(WaitKind.class.getName()));

  @Test
  void nobodySwitchesOverKindsOutsideTheirRows() throws IOException {
    Set<String> found = new TreeSet<>();
    for (String module : Set.of("agent/core", "agent", "analyzer")) {
      found.addAll(switches(module, "classes"));
    }
    assertEquals(Set.of(), found);
  }

  /** The tests that compare each kind with what is expected of it do switch. */
  @Test
  void aSwitchElsewhereIsFound() throws IOException {
    Set<String> found = switches("analyzer", "test-classes");
    assertTrue(
        found.contains("io.github.vtdiag.report.json.HangJsonTest over DiagnosisKind"),
        found::toString);
  }

  /** javac keeps the constants of a switch in a field that is named after the enum. */
  private static Set<String> switches(String module, String folder) throws IOException {
    Set<String> found = new TreeSet<>();
    Path top = Jdks.projectFolder().resolve(module).resolve("target").resolve(folder);
    try (Stream<Path> files = Files.walk(top)) {
      for (Path file :
          (Iterable<Path>)
              files.filter(each -> each.toString().matches(".*\\$\\d+\\.class"))::iterator) {
        ClassNode type = new ClassNode();
        new ClassReader(Files.readAllBytes(file)).accept(type, ClassReader.SKIP_CODE);
        String user = type.name.replace('/', '.').replaceFirst("\\$.*", "");
        KINDS.forEach(
            (kind, others) -> {
              String map = "$SwitchMap$" + kind.getName().replace('.', '$');
              if (!user.equals(kind.getName())
                  && !others.contains(user)
                  && type.fields.stream().anyMatch(field -> field.name.equals(map))) {
                found.add(user + " over " + kind.getSimpleName());
              }
            });
      }
    }
    return found;
  }
}
