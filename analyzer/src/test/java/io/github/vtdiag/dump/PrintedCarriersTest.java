package io.github.vtdiag.dump;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.dump.PrintedCarriers.Carrier;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class PrintedCarriersTest {
  private static final String CARRYING =
      """
      "ForkJoinPool-2-worker-1" #23 [32328] daemon prio=5 os_prio=0 cpu=968.57ms elapsed=6.33s tid=0x1  [0x2]
         Carrying virtual thread #24
      \tat jdk.internal.vm.Continuation.run(java.base@25.0.3/Continuation.java:254)
         Mounted virtual thread #24
      \tat W.compute(W.java:9)
      \tat java.lang.VirtualThread.run(java.base@25.0.3/VirtualThread.java:460)

      """;
  private static final String IDLE =
      """
      "ForkJoinPool-2-worker-2" #25 [32329] daemon prio=5 os_prio=0 cpu=5.00ms elapsed=6.33s tid=0x1 nid=1 waiting on condition  [0x2]
         java.lang.Thread.State: WAITING (parking)
      \tat jdk.internal.misc.Unsafe.park(java.base@25.0.3/Native Method)

      """;
  private static final String OTHERS =
      """
      "ForkJoinPool-1-worker-1" #19 [32327] daemon prio=5 os_prio=0 cpu=1.00ms elapsed=6.33s tid=0x1 nid=1 waiting on condition  [0x2]
         java.lang.Thread.State: WAITING (parking)

      "VM Thread" os_prio=0 cpu=0.54ms elapsed=6.40s tid=0x1 nid=32306 runnable
      """;

  @Test
  void whatNeverCarriedAnythingIsNoCarrier() {
    assertEquals(List.of(), PrintedCarriers.read(IDLE + OTHERS, new HashSet<>()));
  }

  @Test
  void theWorkersOfThePoolInWhichOneCarriesAreCarriers() {
    Set<String> schedulers = new HashSet<>();
    List<Carrier> carriers = PrintedCarriers.read(IDLE + OTHERS + CARRYING, schedulers);
    assertEquals(List.of(23L, 25L), carriers.stream().map(Carrier::id).toList());
    Carrier carrying = carriers.getFirst();
    assertEquals("ForkJoinPool-2-worker-1", carrying.name());
    assertEquals(32328, carrying.systemThread());
    assertEquals(968_570_000, carrying.cpuNanos());
    assertEquals(6_330_000_000L, carrying.elapsedNanos());
    assertEquals(OptionalLong.of(24), carrying.carried());
    assertEquals("W.compute:9", carrying.stack().getFirst().toString());
    assertEquals(2, carrying.stack().size());
    // Which pool it is stays known when none of them carries anything.
    List<Carrier> idle = PrintedCarriers.read(IDLE + OTHERS, schedulers);
    assertEquals(List.of(25L), idle.stream().map(Carrier::id).toList());
    assertTrue(idle.getFirst().carried().isEmpty());
    assertTrue(idle.getFirst().stack().isEmpty());
  }

  @Test
  void whatIsNotThereIsNotKnown() {
    String less = CARRYING.replace("[32328] ", "").replace("cpu=968.57ms elapsed=6.33s ", "");
    Carrier carrier = PrintedCarriers.read(less, new HashSet<>()).getFirst();
    assertEquals(-1, carrier.systemThread());
    assertEquals(-1, carrier.cpuNanos());
    assertEquals(-1, carrier.elapsedNanos());
    assertEquals(OptionalLong.of(24), carrier.carried());
  }
}
