package io.github.vtdiag.rewrite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RewriteScopeTest {
  @TempDir Path folder;

  private RewriteScope file(String content) throws IOException {
    return RewriteScope.parse("@" + Files.writeString(folder.resolve("sites"), content));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "!a.B", "com..Foo", "com.example.Foo bar", "a.B#c", "a.B:", "auto:@sites"})
  void whatChoosesNothingIsRefused(String text) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> RewriteScope.parse(text)).getMessage();
    assertTrue(message.startsWith("rewrite ") && message.contains("@FILE"), message);
  }

  @Test
  void aFileThatCannotBeUsedIsNamed() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> RewriteScope.parse("@no/such"))
            .getMessage();
    assertTrue(message.startsWith("rewrite: 'no/such' cannot be read (NoSuch"), message);
  }

  @Test
  void aPatternMeansItsClassesAndTheirNestedOnes() {
    RewriteScope scope = RewriteScope.parse("com.example.*:org.acme.Db:*.Pool");
    assertTrue(scope.has("com.example.Foo"));
    assertTrue(scope.has("com.example.in.Foo$Bar"));
    assertTrue(scope.has("org.acme.Db$Statement"));
    assertTrue(scope.has("org.acme.Pool$1"));
    assertFalse(scope.has("org.acme.DbPool"));
    assertFalse(scope.has("com.exampleXFoo"));
    assertFalse(scope.has("Pool"));
    assertFalse(scope.all());
  }

  @Test
  void autoIsAllAndWhatIsLeftOutMakesItTheUsersPromise() {
    assertTrue(RewriteScope.parse("auto").all());
    assertTrue(RewriteScope.parse("auto").has("any.Thing"));
    RewriteScope most = RewriteScope.parse("auto:!org.acme.*");
    assertFalse(most.all());
    assertFalse(most.has("org.acme.Db"));
    assertTrue(most.has("any.Thing"));
  }

  @Test
  void aListNamesMethodsOrClasses() throws IOException {
    RewriteScope list = file("# chosen\ncom.example.Foo#bar\n\n  org.acme.Db  \n");
    assertTrue(list.has("com.example.Foo"));
    assertTrue(list.has("org.acme.Db"));
    assertFalse(list.has("org.acme.Other"));
    assertEquals(
        List.of("org.acme.Db"), list.notAmong(Set.of("com.example.Foo$1", "org.acme.Other")));
  }

  @Test
  void aLoaderTellsAllThatIsWrongAtOnce() throws IOException {
    String here = getClass().getName();
    RewriteScope scope =
        file(
            here
                + "#gone\n"
                + here
                + "#file\n"
                + getClass().getPackageName()
                + ".Gone\n"
                + "vtdiag.Gone\n"
                + "of.another.Loader\n"
                + "java.util.Vector#add\n"
                + "java.util.ArrayList#add\n");
    String mismatch = scope.mismatch(getClass().getClassLoader()).orElseThrow();
    assertEquals(
        "'%s' describes another version of the program: %s has no method gone, %s.file locks nothing, io.github.vtdiag.rewrite.Gone is not on the class path, java.util.ArrayList.add locks nothing; make a new report of this version"
            .formatted(folder.resolve("sites"), here, here),
        mismatch);
    Path archive = folder.resolve("archive.jar");
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(archive))) {
      for (String entry : List.of("any/", "any/launcher/", "any/launcher/Main.class")) {
        jar.putNextEntry(new JarEntry(entry));
      }
    }
    try (URLClassLoader launcher = new URLClassLoader(new URL[] {archive.toUri().toURL()}, null)) {
      assertTrue(file("any.Thing#m\n").mismatch(launcher).isEmpty(), "only its folder is here");
      assertTrue(file("any.launcher.Thing#m\n").mismatch(launcher).isPresent());
    }
    try (URLClassLoader empty = new URLClassLoader(new URL[0], null)) {
      assertTrue(file("any.Thing#m\n").mismatch(empty).isEmpty(), "it may be another loader's");
    }
  }

  @Test
  void theBinsAreMeantByTheirKeywordOnly() {
    RewriteScope alone = RewriteScope.parse("concurrenthashmap");
    assertTrue(alone.bins() && alone.onlyBins() && !alone.all());
    assertFalse(alone.has("com.example.A"));
    RewriteScope with = RewriteScope.parse("auto:concurrenthashmap");
    assertTrue(with.bins() && !with.onlyBins() && with.all());
    assertTrue(with.has("com.example.A"));
    RewriteScope named = RewriteScope.parse("com.example.*:concurrenthashmap");
    assertTrue(named.bins() && !named.onlyBins());
    assertFalse(named.has("org.acme.A"));
    assertFalse(RewriteScope.parse("auto").bins());
  }
}
