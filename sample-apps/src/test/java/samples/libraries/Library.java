package samples.libraries;

import io.github.vtdiag.testing.Jdk;
import java.util.List;

/**
 * A library whose calls hold monitors while they wait, and what a reader of the first entry has to
 * be told.
 *
 * @param folder the folder of its jars in {@code target/libraries}
 * @param holder the class and method that hold the carrier, as in the report, without the package
 * @param advice what the first entry has to say, in any case of letters
 */
record Library(
    String name, Class<?> program, String folder, After after, String holder, String advice) {

  /** What is run for comparison, and where the holder must not show any more. */
  sealed interface After {
    /** The same calls of a version that is fixed. */
    record Fixed(String folder) implements After {}

    /** Other calls of the same version. */
    record Changed(Class<?> program) implements After {}

    /** The same calls of the same version, on a Java on which monitors do not pin. */
    record NewerJava() implements After {}
  }

  private static final String LATER_JAVA = "Java 25.0.4 or later";

  static List<Library> all() {
    return List.of(
        fixed(
            "h2",
            H2.class,
            "CommandRemote.executeQuery",
            "upgrade com.h2database:h2 2.2.220 to 2.2.222"),
        fixed(
            "mysql",
            Mysql.class,
            "ReadAheadInputStream.read",
            "upgrade com.mysql:mysql-connector-j 8.0.33 to 9.0.0"),
        fixed(
            "mysql",
            MysqlPrepared.class,
            "ReadAheadInputStream.read",
            "upgrade com.mysql:mysql-connector-j 8.0.33 to 9.0.0"),
        fixed(
            "mariadb",
            Mariadb.class,
            "ReadAheadBufferedStream.read",
            "upgrade org.mariadb.jdbc:mariadb-java-client 3.2.0 to 3.3.0"),
        fixed(
            "mssql",
            Mssql.class,
            "TDSChannel$ProxyInputStream.readInternal",
            "upgrade com.microsoft.sqlserver:mssql-jdbc 11.2.3.jre11 to 12.2.0.jre11"),
        fixed(
            "pgjdbc",
            PostgresPool.class,
            "QueryExecutorImpl.execute",
            "upgrade org.postgresql:postgresql 42.5.4 to 42.6.0"),
        fixed(
            "commons-dbcp2",
            Dbcp2.class,
            "PoolableConnection.close",
            "upgrade org.apache.commons:commons-dbcp2 2.11.0 to 2.12.0"),
        fixed(
            "c3p0",
            C3p0.class,
            "NewProxyConnection.rollback",
            "upgrade com.mchange:c3p0 0.9.5.5 to 0.10.1"),
        fixed(
            "httpclient5",
            HttpClient5.class,
            "BasicFuture.get",
            "upgrade org.apache.httpcomponents.client5:httpclient5 5.3.1 to 5.4.1"),
        new Library(
            "caffeine",
            CaffeineCache.class,
            "caffeine",
            new After.Changed(CaffeineAsyncCache.class),
            "UnboundedLocalCache.computeIfAbsent",
            "AsyncCache"),
        unfixed("guava", GuavaCache.class, "LocalCache$Segment.lockedGetOrLoad", "AsyncCache"),
        unfixed(
            "guava",
            GuavaMemoize.class,
            "Suppliers$NonSerializableMemoizingSupplier.get",
            "CompletableFuture"),
        unfixed("hsqldb", Hsqldb.class, "ClientConnection.execute", LATER_JAVA),
        unfixed("derby", Derby.class, "ClientStatement.executeQuery", LATER_JAVA),
        unfixed("hikari", Hikari.class, "HikariDataSource.getConnection", LATER_JAVA),
        unfixed("commons-pool2", Pool2.class, "BaseGenericObjectPool.wait", LATER_JAVA),
        unfixed("kafka", Kafka.class, "SystemTime.waitObject", LATER_JAVA),
        unfixed("log4j", Log4j.class, "TcpSocketManager.write", LATER_JAVA),
        unfixed("mail", Mail.class, "SMTPTransport.sendMessage", LATER_JAVA));
  }

  private static Library fixed(String name, Class<?> program, String holder, String advice) {
    return new Library(
        name, program, name + "-before", new After.Fixed(name + "-after"), holder, advice);
  }

  private static Library unfixed(String name, Class<?> program, String holder, String advice) {
    return new Library(name, program, name, new After.NewerJava(), holder, advice);
  }

  Run before() {
    return new Run(Jdk.JAVA_21, program, folder);
  }

  Run comparison() {
    return switch (after) {
      case After.Fixed(String fixed) -> new Run(Jdk.JAVA_21, program, fixed);
      case After.Changed(Class<?> changed) -> new Run(Jdk.JAVA_21, changed, folder);
      case After.NewerJava() -> new Run(Jdk.JAVA_25, program, folder);
    };
  }

  /** A program, and the Java and the jars that it runs with. */
  record Run(Jdk jdk, Class<?> program, String folder) {}

  @Override
  public String toString() {
    return folder + " " + program.getSimpleName();
  }
}
