package io.github.vtdiag.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.hang.WakeUpFaults;
import io.github.vtdiag.model.DataException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class JdkFaultsTest {
  private static final String LINE =
      "JDK-1\t25\t25.0.3, 27\t-\tPARKED\tnobody holds the lock\tpublic trackers";

  private final JdkFaults faults = JdkFaults.load();

  private static JdkFaults parse(String... lines) throws DataException {
    return JdkFaults.parse("faults.tsv", JdkFaults.HEADER + "\n" + String.join("\n", lines));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "unknown",
        "1.8.0_402",
        "17.0.12+7",
        "21.0.2+13-LTS",
        "21.0.8+9-LTS",
        "24.0.2+12",
        "25.0.4+7-LTS",
        "25.0.4.0.101",
        "25.0.10+7",
        "26.0.2+9",
        "26.0.2.1+1",
        "27+35",
        "27.0.1+8",
        "28-ea+3"
      })
  void nothingIsSaidOfAVersionWithoutAFault(String version) {
    assertEquals(List.of(), faults.of(version).stream().filter(JdkFault::confirmed).toList());
  }

  /** Where threads stand still it may be that; but a Java is not warned of for one report. */
  @Test
  void whatOneReportSaysIsNamedAsThat() {
    JdkFault reported = faults.of("21.0.8+9-LTS").getFirst();
    assertEquals("JDK-8346175", reported.id());
    assertFalse(reported.confirmed());
    assertEquals(List.of(), faults.of("22"));
  }

  /** The agent knows less of them, but nothing else. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "21.0.8+9",
        "24.0.2+12",
        "25",
        "25.0.1+8",
        "25.0.2+10",
        "25.0.3+9",
        "25.0.4+7",
        "26",
        "26.0.1+8",
        "26.0.2+9",
        "27",
        "28"
      })
  void theAgentWarnsOfTheSame(String version) {
    assertEquals(
        faults.of(version).stream().filter(JdkFault::confirmed).map(JdkFault::id).toList(),
        WakeUpFaults.faults(Runtime.Version.parse(version)));
  }

  @ParameterizedTest
  @CsvSource({
    "25, JDK-8369227 JDK-8373120",
    "25-ea+5, JDK-8369227 JDK-8373120",
    "25+36-LTS, JDK-8369227 JDK-8373120",
    "25.0.2+10-LTS, JDK-8369227 JDK-8373120",
    "25.0.3+9-LTS, JDK-8373120",
    "26+30, JDK-8369227 JDK-8373120",
    "26.0.1+8, JDK-8373120"
  })
  void aVersionHasTheFaultsThatItsUpdateDoesNotFix(String version, String expected) {
    assertEquals(
        List.of(expected.split(" ", -1)), faults.of(version).stream().map(JdkFault::id).toList());
  }

  /** It needs an option, so a version alone does not tell. */
  @Test
  void aFaultThatNeedsAnOptionIsNotSaidOfAVersion() throws DataException {
    assertEquals(1, parse(LINE).of("25.0.2").size());
    assertEquals(
        List.of(), parse(LINE.replace("\t-\t", "\t-Djdk.tracePinnedThreads\t")).of("25.0.2"));
    assertFalse(
        faults.of("21.0.2+13").stream().anyMatch(fault -> fault.id().equals("JDK-8322846")));
  }

  @Test
  void adviceNamesTheFirstUpdateWithoutAKnownFault() throws DataException {
    assertEquals("Java 25.0.4 or later", faults.laterJava());
    assertEquals(List.of(), faults.of(faults.laterVersion()));
    assertEquals("Java 25 or later", parse("").laterJava());
    assertEquals("", parse("").whyNotEarlier());
    assertEquals("Java 25.0.10 or later", parse(LINE.replace("25.0.3", "25.0.10")).laterJava());
  }

  @Test
  void adviceSaysWhichLaterVersionsAreNoBetter() throws DataException {
    assertEquals(
        "Java 25 or 26 without the fix of JDK-8369227 and JDK-8373120 can hang.",
        faults.whyNotEarlier());
    assertEquals(
        "Java 25 without the fix of JDK-1 can hang.",
        parse(LINE.replace("27", "26")).whyNotEarlier());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "JDK-1\t25\t25.0.3\t-\tPARKED\ttold",
        "JDK-1\t25\t\t-\tPARKED\ttold\tevidence",
        "8369227\t25\t25.0.3\t-\tPARKED\ttold\tevidence",
        "JDK-1\ttwenty\t25.0.3\t-\tPARKED\ttold\tevidence",
        "JDK-1\t25\t25.0.3;27\t-\tPARKED\ttold\tevidence",
        "JDK-1\t25\t25.0.3\t-\tASLEEP\ttold\tevidence",
        LINE + "\n" + LINE
      })
  void aLineThatCannotBeReadIsRefusedWithItsPlace(String lines) {
    String message = assertThrows(DataException.class, () -> parse(lines)).getMessage();
    assertTrue(message.matches("(?s)faults.tsv line [23].*"), message);
  }

  @Test
  void aFileOfAnotherFormatIsRefused() {
    assertThrows(DataException.class, () -> JdkFaults.parse("faults.tsv", LINE));
  }
}
