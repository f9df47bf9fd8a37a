package io.github.vtdiag.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.compare.CountedCalls.Line;
import io.github.vtdiag.compare.Plan.Source.Counted.Method;
import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CountedCallsTest {
  private static final Method GET = new Method("get", "com.example.Pool#get");
  private static final Method PUT = new Method("put", "com.example.Pool#put");

  @TempDir private Path folder;
  private Path path;
  private CountedCalls file;

  @BeforeEach
  void open() {
    path = folder.resolve("run.counts");
    file = new CountedCalls(path, List.of(GET, PUT));
  }

  private static Line line(long nanos, long gets, long puts) {
    return new Line(nanos, Map.of(GET, gets, PUT, puts));
  }

  private void append(String text) throws IOException {
    Files.writeString(path, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "1 2", "1 2 3 4", "one 2 3", "", "1 2 99999999999999999999"})
  void anotherFileIsRefused(String line) throws IOException {
    append(line + "\n");
    DataException refused = assertThrows(DataException.class, () -> file.lines());
    assertTrue(refused.getMessage().contains('"' + line + '"'), refused::getMessage);
  }

  @Test
  void thereIsNothingBeforeTheAgentStarts() throws Exception {
    assertEquals(List.of(), file.lines());
  }

  @Test
  void aLineThatIsBeingWrittenIsNoneYet() throws Exception {
    append("100 0 0\n200 1");
    assertEquals(List.of(line(100, 0, 0)), file.lines());
    append("2 5");
    assertEquals(1, file.lines().size());
    append("\n300 13 5\n");
    assertEquals(List.of(line(100, 0, 0), line(200, 12, 5), line(300, 13, 5)), file.lines());
  }

  @Test
  void theNearestLineIsTakenAndNotTheNext() throws Exception {
    append("100 0 0\n200 0 1\n300 2 2\n");
    assertEquals(100, CountedCalls.nearest(file.lines(), -7).nanos());
    assertEquals(200, CountedCalls.nearest(file.lines(), 160).nanos());
    assertEquals(200, CountedCalls.nearest(file.lines(), 240).nanos());
    assertEquals(300, CountedCalls.nearest(file.lines(), 999).nanos());
  }
}
