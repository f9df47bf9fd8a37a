package io.github.vtdiag.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a JVM was started with, by the command that HotSpot keeps. */
final class LaunchTest {
  @ParameterizedTest
  @ValueSource(strings = {"", " ", "/opt/run this", "1st.Main", "config=x.jarx"})
  void whatTellsNothing(String command) {
    assertEquals(Launch.UNKNOWN, Launch.of(command));
  }

  @ParameterizedTest
  @CsvSource({
    "app-1.0.jar, app-1.0.jar, app-1.0.jar",
    "/opt/acme/app.JAR -Dpassword=x other.jar, /opt/acme/app.JAR, app.JAR",
    "C:\\acme\\app.war --port 80, C:\\acme\\app.war, app.war",
    "/opt/my app/the shop.jar x, /opt/my app/the shop.jar, the shop.jar",
  })
  void aJar(String command, String jar, String name) {
    Launch launch = Launch.of(command);
    assertEquals(new Launch(jar, ""), launch);
    assertEquals(name, launch.jarName());
  }

  @ParameterizedTest
  @CsvSource({
    "com.acme.Main, com.acme.Main",
    "com.acme.Main data.jar, com.acme.Main",
    "Main, Main",
    "com.acme.app/com.acme.Main x, com.acme.Main",
    "com.acme.Main$Inner, com.acme.Main$Inner",
  })
  void aClass(String command, String mainClass) {
    assertEquals(new Launch("", mainClass), Launch.of(command));
  }
}
