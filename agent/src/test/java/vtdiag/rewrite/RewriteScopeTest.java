package vtdiag.rewrite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RewriteScopeTest {
  @TempDir Path folder;

  private RewriteScope file(String content) throws IOException {
    return RewriteScope.parse("@" + Files.writeString(folder.resolve("sites"), content));
  }

  @Test
  void aFileThatNamesNoClassIsRefused() {
    for (String content : new String[] {"", "# nothing\n", "{\"findings\":[]}"}) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> file(content)).getMessage();
      assertTrue(message.startsWith("rewrite finds no class in '"), message);
    }
    assertThrows(IllegalArgumentException.class, () -> file("com.example.Foo bar\n"));
  }

  @Test
  void aPatternMeansItsClassesAndTheirNestedOnes() {
    RewriteScope scope = RewriteScope.parse("com.example.*:org.acme.Db");
    assertTrue(scope.has("com.example.Foo"));
    assertTrue(scope.has("org.acme.Db$Statement"));
    assertFalse(scope.has("org.acme.DbPool"));
    assertFalse(scope.has("com.exampleXFoo"));
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
  void aListNamesMethodsOrClassesAndAReportNamesClasses() throws IOException {
    RewriteScope list = file("# chosen\ncom.example.Foo#bar\n\n  org.acme.Db  \n");
    assertTrue(list.has("com.example.Foo"));
    assertTrue(list.has("org.acme.Db"));
    RewriteScope report =
        file("{\"findings\":[{\"site\":{\"class\" : \"com.example.Foo$In\",\"method\":\"m\"}}]}");
    assertTrue(report.has("com.example.Foo$In"));
    assertFalse(report.has("com.example.Foo"));
    assertEquals(1, report.chosen().size());
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
