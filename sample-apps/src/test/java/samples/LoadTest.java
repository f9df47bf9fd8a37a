package samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--thread 5    | unknown flag --thread",
        "5             | unknown flag 5",
        "--threads     | --threads needs a number from 1 to 10000, not ''",
        "--threads 0   | --threads needs a number from 1 to 10000, not '0'",
        "--seconds two | --seconds needs a number from 0.1 to 600, not 'two'",
        "--seconds NaN | --seconds needs a number from 0.1 to 600, not 'NaN'",
        "--seconds 601 | --seconds needs a number from 0.1 to 600, not '601'",
      })
  void refusesWrongFlags(String flags, String message) {
    var e =
        assertThrows(IllegalArgumentException.class, () -> Load.parse(flags.strip().split(" +")));
    assertEquals(message, e.getMessage());
  }

  @Test
  void aFailingOperationFailsTheMeasurement() {
    var load = new Load(4, Duration.ofMillis(1));
    var e =
        assertThrows(
            IllegalStateException.class,
            () ->
                load.measure(
                    thread -> {
                      if (thread == 3) {
                        throw new java.io.IOException("no answer");
                      }
                    }));
    assertEquals("no answer", e.getCause().getMessage());
  }

  @Test
  void readsFlagsInAnyOrder() {
    assertEquals(new Load(64, Duration.ofSeconds(3)), Load.parse());
    assertEquals(
        new Load(7, Duration.ofMillis(500)), Load.parse("--seconds", "0.5", "--threads", "7"));
  }

  @Test
  void countsWhatWasDone() throws InterruptedException {
    var done = new AtomicLong();
    Load.Result result =
        new Load(5, Duration.ofMillis(20)).measure(thread -> done.incrementAndGet());
    // One more: the operation that loads the classes.
    assertEquals(done.get(), result.operations() + 1);
    assertTrue(result.operations() >= 5, "each thread does at least one");
  }

  @Test
  void printsOneLine() {
    assertEquals(
        "1234 operations in 3.0 s, 411/s", new Load.Result(1234, Duration.ofSeconds(3)).toString());
  }
}
