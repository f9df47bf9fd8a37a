package io.github.vtdiag.recording;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.model.Launch;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class StartCommandTest {
  private static List<String> arguments(String program) {
    return new StartCommand("", program).arguments(Launch.of(program));
  }

  private static List<String> options(String options, String ofAgent) {
    return new StartCommand(options, "app.jar")
        .ownOptions(
            ofAgent.isEmpty()
                ? Optional.empty()
                : Optional.of(
                    new RecordingFacts.Agent("1.0", ofAgent, false, OptionalInt.empty())));
  }

  @Test
  void theArgumentsFollowTheJarOrTheClass() {
    assertEquals(List.of("server", "conf.yml"), arguments("app.jar server conf.yml"));
    assertEquals(List.of("8"), arguments("/opt/my app.jar 8"));
    assertEquals(List.of("8", "-x"), arguments("acme.shop/acme.Main 8 -x"));
    assertEquals(List.of(), arguments("acme.Main"));
    assertEquals(List.of(), arguments(""));
  }

  @Test
  void theOptionsAreThoseOfTheProgram() {
    assertEquals(
        List.of("-Xmx300m", "-Dn=2", "--add-opens=java.base/java.lang=ALL-UNNAMED"),
        options(
            "-Xmx300m -javaagent:/opt/vtdiag.jar=output=a.jfr -Dn=2"
                + " -XX:StartFlightRecording=filename=a.jfr -XX:FlightRecorderOptions=stackdepth=9"
                + " -agentlib:jdwp=transport=dt_socket"
                + " --add-opens=java.base/java.lang=ALL-UNNAMED",
            ""));
    assertEquals(
        List.of("-javaagent:otel.jar=a"),
        options("-javaagent:agent.jar=output=a.jfr -javaagent:otel.jar=a", "output=a.jfr"));
    assertEquals(List.of(), options("", ""));
  }

  /** The agent may have any name, and records more options than were typed. */
  @Test
  void theAgentIsKnownByItsOptions() {
    String recorded = "output=/opt/a.jfr,threshold=1000000ns,warn=50000000ns,samples=20";
    assertEquals(List.of(), options("-javaagent:agent.jar=output=a.jfr", recorded));
    assertEquals(List.of(), options("-javaagent:a.jar=warn=50ms,output=/opt/a.jfr", recorded));
    for (String other :
        List.of(
            "-javaagent:other.jar=output=b.jfr",
            "-javaagent:other.jar=destfile=a.jfr,output=a.jfr",
            "-javaagent:other.jar=output",
            "-javaagent:other.jar=/opt/a.jfr",
            "-javaagent:other.jar")) {
      assertEquals(List.of(other), options(other, recorded));
    }
  }

  /** A report may be given to others. */
  @Test
  void secretsAreLeftOut() {
    assertEquals(List.of("-Ddb.password="), options("-Ddb.password=x1", ""));
    assertEquals(List.of("--api-token=", "8"), arguments("app.jar --api-token=abc 8"));
    assertEquals(List.of("--password", "8"), arguments("app.jar --password abc 8"));
    assertEquals(List.of("-javaagent:keycloak.jar"), options("-javaagent:keycloak.jar", ""));
  }
}
