package io.github.vtdiag.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretsTest {
  @ParameterizedTest
  @CsvSource({
    "-Ddb.password=hunter2, -Ddb.password=",
    "-Djavax.net.ssl.keyStorePassword=x=y z, -Djavax.net.ssl.keyStorePassword=",
    "-Ddb.url=jdbc:x?user=a&PASSWORD=hunter2&ssl=true, -Ddb.url=jdbc:x?user=a&PASSWORD=",
    "-Dapi.token=a, -Dapi.token=",
    "-Daws_secret_access_key=a, -Daws_secret_access_key=",
    "-javaagent:x.jar=licenseKey=a, -javaagent:x.jar=licenseKey=",
    "-Dtoken:hunter2, -D",
    "-Xmx1g, -Xmx1g",
    "-Djdk.virtualThreadScheduler.parallelism=4, -Djdk.virtualThreadScheduler.parallelism=4",
  })
  void valuesThatAreNamedLikeSecretsAreLeftOut(String argument, String expected) {
    assertEquals(expected, Secrets.without(argument));
  }
}
