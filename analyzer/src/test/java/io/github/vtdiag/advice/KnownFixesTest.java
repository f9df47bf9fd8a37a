package io.github.vtdiag.advice;

import static io.github.vtdiag.advice.KnownFixes.HEADER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Coordinates.Evidence;
import io.github.vtdiag.upgrade.MavenVersion;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KnownFixesTest {
  private static final String EXECUTOR = "org.postgresql.core.v3.QueryExecutorImpl";
  private final KnownFixes fixes = KnownFixes.load();

  private Optional<String> fixedIn(String group, String artifact, String version, String type) {
    return fixes.fixedIn(new Coordinates(group, artifact, version), type, "execute");
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

  private Optional<String> h2(Evidence evidence, String group, String artifact, String... names) {
    return fixes.fixedIn(
        new Coordinates(group, artifact, "2.2.220", evidence, List.of(names)),
        "org.h2.command.CommandRemote",
        "executeQuery");
  }

  @Test
  void aGroupThatIsNotThePackageIsKnownFromTheManifest() {
    Optional<String> fixed = Optional.of("2.2.222");
    assertEquals(Optional.empty(), h2(Evidence.FILE_NAME, "", "h2", "com.example.h2"));
    assertEquals(Optional.empty(), h2(Evidence.FILE_NAME, "", "h2-fork", "com.h2database"));
    assertEquals(Optional.empty(), h2(Evidence.POM, "com.example", "h2", "com.h2database"));
    assertEquals(Optional.empty(), h2(Evidence.MANIFEST, "", "org.h2.fork"));
    assertEquals(Optional.empty(), h2(Evidence.MANIFEST, "", "com.h2database.mvstore"));
    assertEquals(fixed, h2(Evidence.FILE_NAME, "", "h2", "com.h2database"));
    assertEquals(fixed, h2(Evidence.MANIFEST, "", "com.h2database", "com.h2database"));
    assertEquals(fixed, h2(Evidence.MANIFEST, "", "com.h2database.h2"));
  }

  @ParameterizedTest
  @CsvSource({
    "h2,org.h2.command.CommandRemote,true",
    "h2,com.h2database.CommandRemote,true",
    "h2,com.example.h2.CommandRemote,false",
    "h2,org.CommandRemote,false",
    "h2,CommandRemote,false",
    "h2-fork,org.h2.command.CommandRemote,false",
    "guava,com.google.common.cache.LocalCache$Segment,true",
    "guava,com.example.LocalCache$Segment,false",
    "httpclient5,org.apache.hc.client5.http.impl.LeaseRequest,true",
    "httpclient5,org.apache.other.LeaseRequest,false",
    "mongodb-driver-core,com.mongodb.internal.connection.BaseCluster,true",
    "sqlite-jdbc,org.sqlite.core.NativeDB,true",
    "sqlite-jdbc,org.example.sqlite.NativeDB,false"
  })
  void withoutItsJarTheNameAndThePackageHaveToGoTogether(
      String artifact, String className, boolean isKnown) {
    Coordinates named = new Coordinates("", artifact, "1.0", Evidence.FILE_NAME);
    assertEquals(isKnown, fixes.of(named, className).isPresent());
  }

  @Test
  void aJarThatWasRenamedIsKnownByItsTitle() {
    Coordinates mysql =
        new Coordinates(
            "",
            "com.mysql.cj",
            "8.0.33",
            Evidence.MANIFEST,
            List.of("com.mysql.cj", "mysql-connector-j"));
    assertEquals(
        Optional.of("9.0.0"), fixes.fixedIn(mysql, "com.mysql.cj.jdbc.StatementImpl", "execute"));
  }

  @Test
  void olderVersionsAreMendedInALaterOne() {
    assertEquals(
        Optional.of("42.6.0"), fixedIn("org.postgresql", "postgresql", "42.5.4", EXECUTOR));
    assertEquals(
        Optional.of("12.2.0.jre11"),
        fixedIn("com.microsoft.sqlserver", "mssql-jdbc", "11.2.3.jre11", "x.TDSChannel"));
    assertEquals(
        Optional.empty(),
        fixedIn("com.mchange", "c3p0", "0.9.5.5", "com.mchange.v2.resourcepool.BasicResourcePool"));
  }

  @Test
  void aNestedClassIsOfItsHolder() {
    assertTrue(new KnownFix.Holder("Pool", "").is("com.example.Pool$1", "get"));
    assertFalse(new KnownFix.Holder("Pool", "").is("com.example.Pools", "get"));
    assertFalse(new KnownFix.Holder("Pool", "put").is("com.example.Pool", "get"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a:b 1 2 * ran|line 2 has 1 column, not 5",
        "a:b;1;2;*|line 2 has 4 columns, not 5",
        "a:b;1;2;*;|line 2 leaves a column empty",
        "a;1;2;*;ran|line 2: 'a' is no library; write group:artifact",
        "a:b;1;soon;*;ran|line 2: 'soon' is no version",
        "a:b;-;2;*;ran|line 2: '-' is no version",
        "a:b;3;2;*;ran|line 2: it was seen to pin in 3, so 2 is no fix",
        "a:b;1;2;the pool;ran|line 2: 'the pool' is no holder",
        "a:b;1;2;*;ran@a:b;1;3;*;ran|line 3 names a:b again"
      })
  void aLineThatCannotBeReadIsNamed(String lines, String said) {
    String text = HEADER + "\n" + lines.replace(';', '\t').replace('@', '\n') + "\n";
    DataException e = assertThrows(DataException.class, () -> KnownFixes.parse("own.tsv", text));
    assertTrue(e.getMessage().startsWith("own.tsv " + said), e::getMessage);
  }

  @Test
  void aFileOfAnotherFormatIsRefused() {
    for (String text : List.of("", "a:b\t1\t2\t*\tran", "# vtdiag known fixes 2\n")) {
      DataException e = assertThrows(DataException.class, () -> KnownFixes.parse("own.tsv", text));
      assertTrue(e.getMessage().contains("own.tsv line 1 is not"), e::getMessage);
    }
  }

  @Test
  void theUsersLinesWin() throws DataException {
    KnownFixes own =
        KnownFixes.parse(
            "own.tsv",
            HEADER
                + "\n# ours\n\norg.postgresql:postgresql\t42.5.4\t42.5.9\t*\tpatched at home"
                + "\ncom.example:db\t1.0\t1.1\tDb.query\tran on 21\n");
    KnownFixes both = fixes.with(own);
    Coordinates postgres = new Coordinates("org.postgresql", "postgresql", "42.5.4");
    assertEquals(Optional.of("42.5.9"), both.fixedIn(postgres, EXECUTOR, "execute"));
    Coordinates db = new Coordinates("com.example", "db", "1.0");
    assertEquals(Optional.of("1.1"), both.fixedIn(db, "com.example.Db", "query"));
    assertEquals(Optional.empty(), both.fixedIn(db, "com.example.Db", "close"));
    assertEquals(
        Optional.of("2.2.222"),
        both.fixedIn(
            new Coordinates("com.h2database", "h2", "2.2.220"), "org.h2.command.Command", "x"));
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
    "12.2.0.jre8,12.2.0.jre11,-1",
    "1.0-cr1,1.0-rc1,0",
    "1.0-rc1,1.0-SNAPSHOT,-1",
    "1.0,1.0-sp1,-1",
    "1.0-sp1,1.0-jre,-1",
    "20240303,1.0,1",
    "25.0.3,25.0.10,-1"
  })
  void versionsAreOrderedAsMavenDoes(String left, String right, int order) {
    assertEquals(order, Integer.signum(MavenVersion.compare(left, right)));
    assertEquals(-order, Integer.signum(MavenVersion.compare(right, left)));
  }
}
