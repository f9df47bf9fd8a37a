package io.github.vtdiag.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.vtdiag.model.DataException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CrawlerRunsTest {
  private static Optional<String> problem(String... changed) throws DataException {
    Map<String, String> values = new HashMap<>();
    values.put("errors", "0");
    values.put("serverErrors", "0");
    values.put("tasks", "10");
    values.put("pages", "30");
    values.put("served", "30");
    values.put("links", "3000");
    for (int i = 0; i < changed.length; i += 2) {
      values.put(changed[i], changed[i + 1]);
    }
    return CrawlerRuns.problem(new Printed("samples.Crawler", values, Optional.empty()), 10);
  }

  @Test
  void aFailedTaskIsSaid() throws DataException {
    assertEquals(
        Optional.of("2 tasks failed, and 0 requests in the server"),
        problem("errors", "2", "tasks", "8", "pages", "25", "served", "27", "links", "2500"));
  }

  @Test
  void aRequestThatFailedInTheServerIsSaid() throws DataException {
    assertEquals(
        Optional.of("0 tasks failed, and 1 requests in the server"), problem("serverErrors", "1"));
  }

  @Test
  void aTaskThatWasNotDoneIsSaid() throws DataException {
    assertEquals(Optional.of("1 of 10 tasks are missing"), problem("tasks", "9"));
  }

  @Test
  void aPageThatDidNotComeIsSaid() throws DataException {
    assertEquals(Optional.of("29 pages came and 30 were served, not 30"), problem("pages", "29"));
  }

  /** One that was sent again, for example. */
  @Test
  void aPageThatWasServedTwiceIsSaid() throws DataException {
    assertEquals(Optional.of("30 pages came and 31 were served, not 30"), problem("served", "31"));
  }

  @Test
  void aLinkThatIsMissingIsSaid() throws DataException {
    assertEquals(Optional.of("2,999 links on 30 pages, not 100 on each"), problem("links", "2999"));
  }

  @Test
  void aFigureThatIsMissingIsNoGoodOne() {
    assertThrows(DataException.class, () -> problem("links", "many"));
  }

  @Test
  void allDoneIsNoProblem() throws DataException {
    assertEquals(Optional.empty(), problem());
  }
}
