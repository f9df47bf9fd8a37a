package io.github.vtdiag.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.report.Style;
import io.github.vtdiag.testing.Javac;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The methods of a class that take one lock are one entry of a scan. */
class ScanEntriesTest {
  private static final String SOURCE =
      """
      public class Orders {
        private final Object other = new Object();
        public synchronized void place() throws Exception { Thread.sleep(9); }
        public synchronized void cancel() throws Exception { place(); }
        public synchronized void list() throws Exception { cancel(); }
        public void audit() throws Exception { synchronized (other) { Thread.sleep(9); } }
        public static synchronized void count() throws Exception { Thread.sleep(9); }
      }
      """;

  @TempDir private Path folder;

  @Test
  void aLockIsAnEntryAndItsMethodsAreNamed() throws Exception {
    String text = scan();
    assertTrue(text.contains("holds 5 of 5 monitors in 1 class."), text);
    assertEquals(3, text.lines().filter(line -> line.matches(" +\\d+  Orders\\..*")).count(), text);
    assertTrue(text.contains("1  Orders.place "), text);
    assertTrue(text.contains("\n       and in cancel, list\n"), text);
    assertTrue(text.contains("--all lists each method."), text);
  }

  @Test
  void allListsEachMethod() throws Exception {
    String text = scan("--all");
    assertEquals(5, text.lines().filter(line -> line.matches(" +\\d+  Orders\\..*")).count(), text);
    assertFalse(text.contains("and in "), text);
    assertFalse(text.contains("--all"), text);
  }

  @Test
  void ofManyFoldersTheFirstAreNamed() throws Exception {
    String[] more = new String[4];
    for (int i = 0; i < more.length; i++) {
      more[i] = Files.createDirectories(folder.resolve("more" + i)).toString();
    }
    String text = scan(more);
    assertTrue(text.contains(more[0] + " " + more[1] + " and 2 more  1 class"), text);
    assertFalse(text.contains(more[3] + " "), text);
  }

  /** Only of a jar that can be started it is known how. */
  @Test
  void theCommandsThatFollowRunAsPrinted() throws Exception {
    String folders = scan();
    assertTrue(folders.contains("Next: vtdiag run --help\n"), folders);
    assertFalse(folders.contains("app.jfr"), folders);
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    Path library = folder.resolve("library.jar");
    new JarOutputStream(Files.newOutputStream(library), manifest).close();
    String unstarted = scan(library.toString());
    assertTrue(unstarted.contains("Next: vtdiag run --help\n"), unstarted);
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "shop.Main");
    Path jar = folder.resolve("shop.jar");
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    String started = scan(jar.toString());
    assertTrue(
        started.contains("Next: vtdiag run --agent output=app.jfr -- -jar " + jar + "\n"), started);
    assertTrue(started.contains(" --recording app.jfr\n"), started);
  }

  private String scan(String... options) throws Exception {
    Path source = Files.writeString(folder.resolve("Orders.java"), SOURCE);
    Path classes = Files.createDirectories(folder.resolve("classes"));
    Javac.compile(classes, List.of(source));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, UTF_8);
    String[] arguments = new String[options.length + 2];
    arguments[0] = "scan";
    arguments[1] = classes.toString();
    System.arraycopy(options, 0, arguments, 2, options.length);
    assertEquals(0, Main.run(new Console(out, out, Style.PLAIN), arguments), bytes.toString(UTF_8));
    return bytes.toString(UTF_8);
  }
}
