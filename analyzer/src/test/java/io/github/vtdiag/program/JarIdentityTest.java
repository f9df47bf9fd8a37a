package io.github.vtdiag.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.owner.Owner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose code a class is, by what its jar says. */
final class JarIdentityTest {
  @TempDir private Path folder;

  private Path jar(String name, String... content) throws IOException {
    return TestJar.in(folder, name, content);
  }

  private static String owner(Path jar, String className) {
    return switch (LoadedFrom.owner(jar.toUri().toString(), className)) {
      case Owner.Application application -> "application";
      case Owner.Library library -> library.coordinates().textWithEvidence();
      case Owner.Jdk jdk -> "JDK";
      case Owner.UnknownJar unknown -> "unknown";
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Main-Class: com.example.Main",
        "Implementation-Title: myapp",
        "Implementation-Version: 1.0",
        "Implementation-Vendor-Id: com.example",
        "Bundle-Version: 1.0",
        "Bundle-Name: myapp",
        "Created-By: Gradle 8.7"
      })
  void aJarThatIsNotCalledALibraryIsTheApplications(String attribute) throws IOException {
    assertEquals(
        "application", owner(jar("myapp.jar", attribute, "com.example.Main"), "com.example.Main"));
  }

  @ParameterizedTest
  @CsvSource({
    "lib.jar,Automatic-Module-Name: okhttp3,'probably okhttp3, by its manifest'",
    "lib.jar,Bundle-SymbolicName: org.x;singleton:=true,'probably org.x, by its manifest'",
    "x-1.0.jar,Created-By: Gradle 8.7,'x 1.0, by its file name'",
    "x-1.0.jar,Bundle-SymbolicName: org.example.other,'x 1.0, by its file name'",
    "h2-2.2.220.jar,Bundle-SymbolicName: com.h2database,com.h2database:h2 2.2.220"
  })
  void aJarThatIsCalledALibraryIsOne(String name, String attribute, String library)
      throws IOException {
    assertEquals(library, owner(jar(name, attribute, "org.x.A"), "org.x.A"));
  }

  @Test
  void aNameOfThePackageIsNoGroup() throws IOException {
    String name = "Bundle-SymbolicName: com.sun.jna";
    assertEquals(
        "jna 5.14.0, by its file name",
        owner(jar("jna-5.14.0.jar", name, "com.sun.jna.Native"), "com.sun.jna.Native"));
  }

  private Path shaded(String name, String... more) throws IOException {
    List<String> content =
        new ArrayList<>(
            List.of(
                "com.example:app:1",
                "io.netty:netty-handler:4.1",
                "io.netty:netty-codec-http:4.1",
                "io.netty:netty-transport:4.1",
                "io.netty:netty-common:4.1",
                "com.github.ben-manes.caffeine:caffeine:3.2",
                "junit:junit:4.13",
                "com.example.app.Main",
                "com.example.shaded.io.netty.channel.Channel",
                "com.example.shaded.io.netty.handler.ssl.SslHandler",
                "com.example.shaded.io.netty.handler.codec.http.HttpUtil",
                "com.github.benmanes.caffeine.cache.Cache",
                "org.other.junit.X",
                "net.other.E"));
    content.addAll(List.of(more));
    return jar(name, content.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource({
    "com.example.app.Main,com.example:app 1",
    "com.example.shaded.io.netty.handler.ssl.SslHandler,io.netty:netty-handler 4.1",
    "com.example.shaded.io.netty.handler.codec.http.HttpUtil,io.netty:netty-codec-http 4.1",
    "com.github.benmanes.caffeine.cache.Cache,com.github.ben-manes.caffeine:caffeine 3.2",
    // Two POMs of that group may have it; of the group none; a word that any package may have.
    "com.example.shaded.io.netty.channel.Channel,unknown",
    "net.other.E,unknown",
    "org.other.junit.X,unknown",
    "Main,unknown"
  })
  void inAJarOfSeveralLibrariesThePackageTells(String className, String library)
      throws IOException {
    for (String name : List.of("lib.jar", "app-1.jar", "another-7.jar")) {
      assertEquals(library, owner(shaded(name), className), name);
    }
  }

  /** Old coordinates have no domain: the words of both ids are in the package. */
  @ParameterizedTest
  @CsvSource({
    "org.apache.commons.dbcp.BasicDataSource,commons-dbcp:commons-dbcp 1.4",
    "org.apache.commons.dbcp.cpdsadapter.DriverAdapterCPDS,commons-dbcp:commons-dbcp 1.4",
    "org.apache.commons.pool.impl.GenericObjectPool,commons-pool:commons-pool 1.5.4",
    "com.example.shaded.org.apache.commons.pool.ObjectPool,commons-pool:commons-pool 1.5.4",
    "org.joda.time.DateTime,joda-time:joda-time 2.12",
    "org.apache.commons.dbcp2.BasicDataSource,unknown",
    "org.apache.commons.httpclient.HttpClient,unknown",
    "org.apache.log4j.Category,unknown",
    "com.example.app.Main,com.example:app 1",
    "com.example.app.joda.Times,com.example:app 1"
  })
  void oldCoordinatesAreKnownByTheirWords(String className, String library) throws IOException {
    Path jar =
        jar(
            "app-1.jar",
            "com.example:app:1",
            "commons-dbcp:commons-dbcp:1.4",
            "commons-pool:commons-pool:1.5.4",
            "joda-time:joda-time:2.12",
            "log4j:log4j:1.2.17",
            "com.example.app.Main",
            "com.example.app.joda.Times",
            "org.apache.commons.dbcp.BasicDataSource",
            "org.apache.commons.dbcp.cpdsadapter.DriverAdapterCPDS",
            "org.apache.commons.dbcp2.BasicDataSource",
            "org.apache.commons.httpclient.HttpClient",
            "org.apache.commons.pool.impl.GenericObjectPool",
            "com.example.shaded.org.apache.commons.pool.ObjectPool",
            "org.apache.log4j.Category",
            "org.joda.time.DateTime");
    assertEquals(library, owner(jar, className));
  }

  /** Two modules may have the class; the jar that has both is of their group. */
  @ParameterizedTest
  @CsvSource({
    "all-2.0.5.jar,org.eclipse.angus.mail.smtp.Transport,org.eclipse.angus:all 2.0.5",
    "all-2.0.5.jar,jakarta.mail.Service,jakarta.mail:jakarta.mail-api 2.1.5",
    "other-1.jar,org.eclipse.angus.mail.smtp.Transport,unknown"
  })
  void modulesOfAGroupInAJarOfTheGroup(String name, String className, String library)
      throws IOException {
    Path jar =
        jar(
            name,
            "org.eclipse.angus:all:2.0.5",
            "org.eclipse.angus:angus-mail:2.0.5",
            "org.eclipse.angus:smtp:2.0.5",
            "jakarta.mail:jakarta.mail-api:2.1.5",
            "org.eclipse.angus.mail.smtp.Transport",
            "org.eclipse.angus.mail.util.Util",
            "jakarta.mail.Service");
    assertEquals(library, owner(jar, className));
  }

  @Test
  void whatFitsNothingInAJarOfARepositoryIsTheJars() throws IOException {
    Path jar = shaded(".m2/repository/com/example/app/1/app-1.jar");
    assertEquals("com.example:app 1", owner(jar, "net.other.E"));
    assertEquals(
        "io.netty:netty-handler 4.1",
        owner(jar, "com.example.shaded.io.netty.handler.ssl.SslHandler"));
  }

  @Test
  void aLibraryWhosePackagesAreNotItsGroupIsKnownBesideWhatItBundles() throws IOException {
    Path jar =
        jar(
            "mybatis-3.5.jar",
            "org.mybatis:mybatis:3.5",
            "org.javassist:javassist:3.2",
            "org.apache.ibatis.A");
    assertEquals("org.mybatis:mybatis 3.5", owner(jar, "org.apache.ibatis.A"));
  }

  @Test
  void theOnlyPomMayBeThatOfABundledLibrary() throws IOException {
    String[] content = {
      "org.jctools:jctools-core:4.0.3",
      "Automatic-Module-Name: io.opentelemetry.sdk.trace",
      "Implementation-Version: 1.38.0",
      "io.opentelemetry.sdk.trace.A",
      "io.opentelemetry.shaded.org.jctools.Q"
    };
    String own = "io.opentelemetry.sdk.trace.A";
    String bundled = "io.opentelemetry.shaded.org.jctools.Q";
    Path plain = jar("opentelemetry-sdk-trace-1.38.0.jar", content);
    assertEquals("opentelemetry-sdk-trace 1.38.0, by its file name", owner(plain, own));
    assertEquals("org.jctools:jctools-core 4.0.3", owner(plain, bundled));
    Path renamed = jar("lib.jar", content);
    assertEquals(
        "probably io.opentelemetry.sdk.trace 1.38.0, by its manifest", owner(renamed, own));
    assertEquals("org.jctools:jctools-core 4.0.3", owner(renamed, bundled));
  }

  @Test
  void theOnlyPomOfARenamedJarIsItsOwn() throws IOException {
    assertEquals(
        "commons-io:commons-io 2.16",
        owner(
            jar("lib.jar", "commons-io:commons-io:2.16", "org.apache.commons.io.A"),
            "org.apache.commons.io.A"));
  }

  @Test
  void aFileNameMayEndTheVersion() throws IOException {
    Path jar =
        jar(
            "mssql-jdbc-11.2.3.jre11.jar",
            "com.microsoft.sqlserver:mssql-jdbc:11.2.3",
            "com.microsoft.sqlserver.A");
    assertEquals(
        "com.microsoft.sqlserver:mssql-jdbc 11.2.3.jre11", owner(jar, "com.microsoft.sqlserver.A"));
  }
}
