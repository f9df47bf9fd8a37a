package io.github.vtdiag.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.DataException;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class EchoLimitsTest {
  private static final OptionalLong ENOUGH = OptionalLong.of(1L << 40);
  private static final OptionalLong PORTS = OptionalLong.of(28_232);

  private static String refusal(EchoLimits limits, int connections) {
    return assertThrows(DataException.class, () -> limits.spread(connections)).getMessage();
  }

  @Test
  void manyMoreConnectionsThanFilesAreRefusedWithTheLimitAndTheCommand() {
    String refusal =
        refusal(new EchoLimits(OptionalLong.of(1_024), ENOUGH, PORTS, ENOUGH), 100_000);
    assertTrue(refusal.contains("a process may open 1,024 files (ulimit -Hn)"), refusal);
    assertTrue(refusal.contains("'sudo prlimit --pid $$ --nofile=100200:100200'"), refusal);
    assertTrue(refusal.contains("--connections 6592"), refusal);
  }

  @Test
  void whatItSuggestsIsNotRefused() throws DataException {
    EchoLimits limits = new EchoLimits(OptionalLong.of(1_024), ENOUGH, PORTS, ENOUGH);
    assertEquals(EchoLimits.MOST_SERVERS, limits.spread(6_592).servers());
    refusal(limits, 6_593);
    EchoLimits lifted = new EchoLimits(OptionalLong.of(100_200), ENOUGH, PORTS, ENOUGH);
    assertEquals(1, lifted.spread(100_000).servers());
  }

  @Test
  void aProcessThatMayOpenNothingHasNoConnections() {
    String refusal = refusal(new EchoLimits(OptionalLong.of(200), ENOUGH, PORTS, ENOUGH), 1);
    assertTrue(refusal.endsWith("or use another system"), refusal);
  }

  @Test
  void theFilesOfAllProcessesCountBothEnds() throws DataException {
    String refusal =
        refusal(new EchoLimits(ENOUGH, OptionalLong.of(200_000), PORTS, ENOUGH), 100_000);
    assertTrue(refusal.contains("200,600 open files in all"), refusal);
    assertTrue(refusal.contains("sudo sysctl -w fs.file-max="), refusal);
    new EchoLimits(ENOUGH, OptionalLong.of(200_600), PORTS, ENOUGH).spread(100_000);
  }

  @Test
  void portsForWhichNoAddressesAreLeftAreRefused() throws DataException {
    String refusal = refusal(new EchoLimits(ENOUGH, ENOUGH, OptionalLong.of(100), ENOUGH), 100_000);
    assertTrue(refusal.contains("100 local ports (net.ipv4.ip_local_port_range)"), refusal);
    assertEquals(
        254,
        new EchoLimits(ENOUGH, ENOUGH, OptionalLong.of(100), ENOUGH).spread(17_780).addresses());
  }

  @Test
  void memoryThatIsNotThereIsRefused() {
    String refusal =
        refusal(new EchoLimits(ENOUGH, ENOUGH, PORTS, OptionalLong.of(1L << 30)), 100_000);
    assertTrue(refusal.contains("1,024 MB are available"), refusal);
  }

  @Test
  void oneServerHasAllIfItMay() throws DataException {
    EchoLimits.Spread spread = new EchoLimits(ENOUGH, ENOUGH, PORTS, ENOUGH).spread(100_000);
    assertEquals(new EchoLimits.Spread(100_000, 1, 6), spread);
  }

  @Test
  void severalServersShareAllOfThem() throws DataException {
    EchoLimits.Spread spread =
        new EchoLimits(OptionalLong.of(20_000), ENOUGH, PORTS, ENOUGH).spread(100_000);
    assertEquals(new EchoLimits.Spread(100_000, 6, 1), spread);
    int sum = 0;
    for (int i = 0; i < spread.servers(); i++) {
      assertTrue(spread.share(i) <= 20_000 - EchoLimits.OWN_FILES);
      sum += spread.share(i);
    }
    assertEquals(100_000, sum);
    assertEquals(new EchoLimits.Spread(16_667, 1, 1), spread.one());
  }

  @Test
  void whatTheSystemDoesNotSayIsTakenForEnough() throws DataException {
    OptionalLong unknown = OptionalLong.empty();
    assertEquals(
        new EchoLimits.Spread(100_000, 1, 1),
        new EchoLimits(unknown, unknown, unknown, unknown).spread(100_000));
  }
}
