package io.github.vtdiag.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.owner.Coordinates.Evidence;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RepositoryPathTest {
  private static final String SHA1 = "5e2c0b8b3a5f1f3c4c1f1f8f0d2e6a7b9c0d1e2f";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "x.jar",
        "/app/lib/h2-2.2.220.jar",
        "/home/com/build/target/x-1.0.jar",
        "/r/.m2/repository/x-1.0.jar",
        "/r/.m2/repository/1.0/x-1.0.jar",
        "/r/.m2/repository/com/h2database/h2/2.2.220/renamed.jar",
        "/r/.m2/repository/com/h2database/h2/2.2.220/h2-2.2.2201.jar",
        "/r/.m2/repository/com/h2database/h2/2.2.220/h2-2.2.220.txt",
        "/r/.m2/repository/com/h2 database/h2/2.2.220/h2-2.2.220.jar",
        "/r/.m2/repository/com/h2\u001b[31m/h2/2.2.220/h2-2.2.220.jar",
        "/r/.m2/repository/com/../h2/2.2.220/h2-2.2.220.jar",
        "/io/app/com/h2database/h2/2.2.220/h2-2.2.220.jar",
        "/r/files-2.1/com.h2database/h2/2.2.220/nohash/h2-2.2.220.jar",
        "/r/files-2.1/com.h2database/h2/2.2.220/" + SHA1 + "/other-2.2.220.jar"
      })
  void aPathThatOnlyLooksLikeARepositorysTellsNothing(String path) {
    assertEquals(Optional.empty(), RepositoryPath.coordinates(path));
  }

  @Test
  void absurdPathsTellNothing() {
    String deep = "/a".repeat(100_000) + ".jar";
    assertEquals(Optional.empty(), RepositoryPath.coordinates(deep));
    assertEquals(Optional.empty(), RepositoryPath.fromName(deep));
    String dashes = "/lib/x" + "-1".repeat(100_000) + ".jar";
    assertEquals(Optional.empty(), RepositoryPath.coordinates(dashes));
    assertEquals(Optional.empty(), RepositoryPath.fromName(dashes));
  }

  @ParameterizedTest
  @CsvSource({
    "/home/u/.m2/repository/com/h2database/h2/2.2.220/h2-2.2.220.jar,com.h2database:h2 2.2.220",
    "C:\\Users\\u\\.m2\\repository\\com\\h2database\\h2\\2.2.220\\h2-2.2.220.jar,"
        + "com.h2database:h2 2.2.220",
    "/repository/repository/org/x/y/1/y-1.jar,org.x:y 1",
    "/r/repository/junit/junit/4.13.2/junit-4.13.2.jar,junit:junit 4.13.2",
    "/cache/m2/org/hibernate/orm/hibernate-core/6.5.3.Final/hibernate-core-6.5.3.Final.jar,"
        + "org.hibernate.orm:hibernate-core 6.5.3.Final",
    "/home/u/.cache/coursier/v1/https/jars.example.org/maven2/org/typelevel/cats-core_2.13/2.12.0/"
        + "cats-core_2.13-2.12.0.jar,org.typelevel:cats-core_2.13 2.12.0",
    "/u/.ivy2/cache/org.scala-lang/scala-library/jars/scala-library-2.13.14.jar,"
        + "org.scala-lang:scala-library 2.13.14",
    "/u/.gradle/caches/modules-2/files-2.1/com.squareup.okhttp3/okhttp/4.12.0/"
        + SHA1
        + "/okhttp-4.12.0.jar,com.squareup.okhttp3:okhttp 4.12.0",
    "/r/repository/io/netty/netty-epoll/4.1/netty-epoll-4.1-linux-x86_64.jar,io.netty:netty-epoll"
        + " 4.1",
    "/r/repository/org/x/y/1.0-SNAPSHOT/y-1.0-SNAPSHOT.jar,org.x:y 1.0-SNAPSHOT",
    "/r/repository/org/x/y/1.0-SNAPSHOT/y-1.0-20260101.101010-3.jar,org.x:y 1.0-SNAPSHOT",
    "/r/repository/org/x/y/1.0-SNAPSHOT/y-1.0-20260101.101010-3-tests.jar,org.x:y 1.0-SNAPSHOT"
  })
  void aPathInARepositoryTellsAll(String path, String coordinates) {
    Coordinates told = RepositoryPath.coordinates(path).orElseThrow();
    assertEquals(coordinates, told.text());
    assertEquals(Evidence.REPOSITORY_PATH, told.evidence());
  }

  @ParameterizedTest
  @CsvSource({
    "h2-2.2.220.jar,h2,2.2.220",
    "guava-33.4.8-jre.jar,guava,33.4.8-jre",
    "mssql-jdbc-11.2.3.jre11.jar,mssql-jdbc,11.2.3.jre11",
    "log4j-1.2-api-2.23.1.jar,log4j-1.2-api,2.23.1",
    "akka-actor_2.13-2.6.21.jar,akka-actor_2.13,2.6.21",
    "scala3-library_3-3.3.3.jar,scala3-library_3,3.3.3",
    "x-1.0-beta-2.jar,x,1.0-beta-2",
    "x-1.0-SNAPSHOT.jar,x,1.0-SNAPSHOT",
    "x-1.0-20260101.101010-3.jar,x,1.0-SNAPSHOT",
    "netty-epoll-4.1.114.Final-linux-x86_64.jar,netty-epoll,4.1.114.Final",
    "commons-pool2-2.13.1-sources.jar,commons-pool2,2.13.1"
  })
  void aFileNameTellsTheArtifactAndTheVersion(String file, String artifact, String version) {
    assertEquals(
        Optional.of(new Coordinates("", artifact, version, Evidence.FILE_NAME)),
        RepositoryPath.fromName("/app/lib/" + file));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lib.jar", "app-latest.jar", "-1.0.jar", "x-1.0", "x-1.0.war", ".jar"})
  void aFileNameWithoutAVersionTellsNothing(String file) {
    assertEquals(Optional.empty(), RepositoryPath.fromName("/app/lib/" + file));
  }
}
