package vtdiag.advice;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vtdiag.recording.Coordinates;

final class KnownFixesTest {
  private static final String EXECUTOR = "org.postgresql.core.v3.QueryExecutorImpl";
  private final KnownFixes fixes = KnownFixes.load();

  private Optional<String> fixedIn(String group, String artifact, String version, String type) {
    return fixes.fixedIn(new Coordinates(group, artifact, version), type);
  }

  @ParameterizedTest
  @CsvSource({
    "org.postgresql,postgresql,42.6.0",
    "org.postgresql,postgresql,42.7.4",
    "org.postgresql,postgresql,''",
    "com.example,postgresql,42.5.4",
    "org.postgresql,pgjdbc,42.5.4",
    "com.zaxxer,HikariCP,5.0.0",
    "com.example,unheard-of,1.0"
  })
  void nothingIsSaidWhereNoFixIsKnown(String group, String artifact, String version) {
    assertEquals(Optional.empty(), fixedIn(group, artifact, version, EXECUTOR));
  }

  @Test
  void anUnknownGroupNeedsAClassOfTheLibrary() {
    assertEquals(Optional.empty(), fixedIn("", "postgresql", "42.5.4", "com.example.Db"));
    assertEquals(Optional.of("42.6.0"), fixedIn("", "postgresql", "42.5.4", EXECUTOR));
  }

  @Test
  void olderVersionsAreMendedInALaterOne() {
    assertEquals(
        Optional.of("42.6.0"), fixedIn("org.postgresql", "postgresql", "42.5.4", EXECUTOR));
    assertEquals(
        Optional.of("12.2.0.jre11"),
        fixedIn("com.microsoft.sqlserver", "mssql-jdbc", "11.2.3.jre11", "x.Y"));
  }

  @ParameterizedTest
  @CsvSource({
    "42.5.4,42.6.0,-1",
    "42.10.0,42.6.0,1",
    "1.0,1.0.0,0",
    "1.0-rc1,1.0,-1",
    "1.0-alpha1,1.0-beta1,-1",
    "1.0-SNAPSHOT,1.0,-1",
    "1.0.Final,1.0,0",
    "33.4.8-jre,33.4.8,1",
    "1.0-rc2,1.0-rc10,-1",
    "1.0-rc1,1.0.1,-1",
    "12.2.0.jre8,12.2.0.jre11,-1"
  })
  void versionsAreOrderedAsMavenDoes(String left, String right, int order) {
    assertEquals(order, Integer.signum(MavenVersion.compare(left, right)));
    assertEquals(-order, Integer.signum(MavenVersion.compare(right, left)));
  }
}
