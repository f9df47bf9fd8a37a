package io.github.vtdiag.agent.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentOptionsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "colour=red        | unknown option 'colour'; known options: output, threshold,",
        "'output=a.jfr,,'  | unknown option ''",
        "threshold         | option 'threshold' needs a value: threshold=...",
        "threshold=20      | threshold takes a time with its unit, such as 20ms or 1.5s, not '20'",
        "threshold=-1ms    | threshold takes a time with its unit, such as 20ms or 1.5s, not"
            + " '-1ms'",
        "warn=never        | warn takes a time with its unit",
        "watch=never       | watch takes a time with its unit",
        "watch=99ms        | watch takes a time of 100ms or more",
        "wait=long         | wait takes a time with its unit, such as 20ms or 1.5s, not 'long'",
        "depth=0           | depth takes a whole number from 1 to 2048, not '0'",
        "depth=3000        | depth takes a whole number from 1 to 2048, not '3000'",
        "samples=many      | samples takes a whole number from 0 to 1000000, not 'many'",
        "maxsize=0         | maxsize takes a whole number from 1",
        "metrics=99999     | metrics takes a port such as 9464, HOST:PORT, jmx or off, not '99999'",
        "metrics=          | metrics takes a port such as 9464, HOST:PORT, jmx or off, not ''",
        "summary=yes       | summary takes on or off, not 'yes'",
        "onerror=stop      | onerror takes fail or continue, not 'stop'",
        "rewrite=          | rewrite takes auto, class names such as com.example.*, or @FILE, not"
            + " ''",
        "rewrite=a b       | rewrite takes auto, class names such as com.example.*, or @FILE, not"
            + " 'a b'",
        "rewrite=!com.Foo  | rewrite names no class to rewrite; use auto",
        "rewrite=@no/file  | rewrite: 'no/file' cannot be read",
        "'count=,count-output=c'      | count takes CLASS#METHOD without parameters, such as",
        "'count=a.B,count-output=c'   | count takes CLASS#METHOD",
        "'count=a.B#,count-output=c'  | count takes CLASS#METHOD",
        "'count=#m,count-output=c'    | count takes CLASS#METHOD",
        "'count=a/B#m,count-output=c' | count takes CLASS#METHOD",
        "'count=a.B#m(),count-output=c'     | count takes CLASS#METHOD",
        "'count=a.B#m:,count-output=c'      | count takes CLASS#METHOD",
        "'count=a.B#m#n,count-output=c'     | count takes CLASS#METHOD",
        "'count=a.B#m:a.B#m,count-output=c' | count names a method twice: 'a.B#m:a.B#m'",
        "count=a.B#m       | count needs a file for the counts: add count-output=counts.txt",
        "count-output=c    | count-output needs methods to count: add count=CLASS#METHOD",
        "'count=a.B#m,count-output=' | count-output needs a file name, such as",
        "output=           | output needs a file name, such as output=app.jfr",
      })
  void whatCannotBeUsedIsNamed(String arguments, String start) {
    String message =
        assertThrows(AgentOptions.OptionException.class, () -> AgentOptions.parse(null, arguments))
            .getMessage();
    assertTrue(message.startsWith(start), message);
  }

  @Test
  void aBadOptionInTheEnvironmentIsNoBetter() {
    assertThrows(AgentOptions.OptionException.class, () -> AgentOptions.parse("x=1", "depth=64"));
  }

  @Test
  void nothingGivenIsTheDefaults() throws AgentOptions.OptionException {
    AgentOptions options = AgentOptions.parse(null, null);
    assertEquals("vtdiag-%p.jfr", options.output());
    assertEquals(Duration.ofMillis(1), options.threshold());
    assertEquals(Optional.of(Duration.ofMillis(100)), options.warn());
    assertTrue(options.summary());
    assertFalse(options.failOnError());
  }

  @Test
  void argumentsWinOverTheEnvironment() throws AgentOptions.OptionException {
    AgentOptions options =
        AgentOptions.parse(
            "depth=64,warn=1s", "warn=off, include=com.a:org.b ,threshold=500us,samples=0");
    assertEquals(64, options.depth());
    assertEquals(Optional.empty(), options.warn());
    assertEquals(List.of("com.a", "org.b"), options.include());
    assertEquals(Duration.ofNanos(500_000), options.threshold());
    assertEquals(0, options.samples());
  }

  /** What the command line takes, the agent takes. */
  @ParameterizedTest
  @CsvSource({
    "0,0",
    "1.5s,1500000000",
    "2h,7200000000000",
    "1d,86400000000000",
    "PT0.2S,200000000",
    "'20  ms',20000000",
    "999999999999h,9223372036854775807"
  })
  void aTimeIsReadAsEverywhere(String text, long nanos) throws AgentOptions.OptionException {
    AgentOptions options = AgentOptions.parse(null, "threshold=" + text + ",warn=" + text);
    assertEquals(Duration.ofNanos(nanos), options.threshold());
    assertEquals(Optional.of(Duration.ofNanos(nanos)), options.warn());
    assertEquals(options, AgentOptions.parse(null, options.text()));
  }

  @Test
  void theTextOfOptionsReadsAsThemselves() throws AgentOptions.OptionException {
    AgentOptions options = AgentOptions.parse(null, "exclude=com.a,warn=2s,depth=7,onerror=fail");
    assertEquals(options, AgentOptions.parse(null, options.text()));
  }

  @Test
  void methodsAreCountedInTheOrderGiven() throws AgentOptions.OptionException {
    AgentOptions options =
        AgentOptions.parse(null, "count=a.B$C#<init>: Top#m-x,count-output=some file");
    assertEquals(
        List.of(new CountedMethod("a.B$C", "<init>"), new CountedMethod("Top", "m-x")),
        options.count());
    assertEquals(Optional.of("some file"), options.countOutput());
    assertEquals(options, AgentOptions.parse(null, options.text()));
  }

  @Test
  void theWhatIfIsAmongTheRecordedOptions() throws AgentOptions.OptionException {
    assertTrue(AgentOptions.parse(null, "rewrite=auto").text().contains(",rewrite=auto"));
    assertFalse(AgentOptions.parse(null, null).text().contains("rewrite"));
  }

  @Test
  void theHelpNamesEveryOption() {
    for (var component : AgentOptions.class.getRecordComponents()) {
      String key =
          switch (component.getName()) {
            case "maxSizeMegabytes" -> "maxsize";
            case "failOnError" -> "onerror";
            case "onHang" -> "onhang";
            case "countOutput" -> "count-output";
            case "longestWait" -> "wait";
            case String name -> name;
          };
      assertTrue(AgentOptions.HELP.contains("\n  " + key), key);
    }
  }
}
