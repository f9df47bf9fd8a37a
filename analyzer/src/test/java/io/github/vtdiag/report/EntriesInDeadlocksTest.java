package io.github.vtdiag.report;

import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.Advisor;
import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.advice.Locks;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.HangPlace;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.report.format.Formats;
import io.github.vtdiag.report.words.Detail;
import io.github.vtdiag.report.words.NextSteps;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.safety.Lock;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Entries whose lock is not the whole problem. */
class EntriesInDeadlocksTest {
  private static final Frame API = frame("com.acme.shop.Api", "order", 3, 12);
  private static final Frame OWN = frame("com.acme.shop.AuditAppender", "append", 3, 9);
  private static final Frame LOGBACK = frame("ch.qos.logback.core.AppenderBase", "doAppend", 3, 85);
  private static final Frame PARK = frame("java.lang.VirtualThread", "park", 7, 582);
  private static final Frame ADD = frame("com.example.Ledger", "add", 1, 10);
  private static final Frame MOVE = frame("com.example.Ledger", "move", 5, 20);
  private static final String SAID = "these threads are in the deadlock";

  private static Pins pins() {
    return new Pins().owner(ADD.type().name(), new Owner.Application("classes"));
  }

  private static Pins entering() {
    return pins()
        .unended(
            1,
            40_000,
            stack(ADD, MOVE),
            new PinCause.MonitorEntry(ADD, "com.example.Ledger"),
            method(1, MOVE));
  }

  private static Pins hung(Pins pins, String method) {
    return pins.hang(
        "LockCycle", List.of(new HangPlace(method, "", "com.example.Ledger", "")), "deadlock");
  }

  private static String flat(Pins pins, boolean advised) {
    Findings findings = pins.findings();
    Lock lock = Locks.of("com.example.Ledger", List.of(method(1, MOVE).site()), List.of());
    Advice advice =
        Advisor.advise(
            findings, KnownFixes.load(), site -> new Decision.Movable(lock), type -> false);
    Report report =
        advised
            ? new Report.Recommendations(
                findings, advice, Detail.BRIEF, Optional.empty(), NextSteps.NONE)
            : new Report.Analysis(findings, advice, Detail.BRIEF, List.of());
    return Formats.TEXT.write(report, Style.PLAIN).replaceAll("\\s+", " ");
  }

  @Test
  void aDeadlockIsToBeBrokenFirst() {
    Pins holding = pins().unended(1, 40_000, stack(PARK, ADD, MOVE), method(1, MOVE));
    for (Pins pins : List.of(entering(), holding)) {
      String advised = flat(hung(pins, "com.example.Ledger.add"), true);
      assertTrue(advised.contains("1 Break the deadlock first, then replace the mon"), advised);
      assertTrue(advised.contains(SAID), advised);
      String analysis = flat(hung(pins, "com.example.Ledger.add"), false);
      assertTrue(analysis.contains("> break the deadlock first, then replace the mon"), analysis);
      assertTrue(analysis.toLowerCase(Locale.ROOT).contains(SAID), analysis);
    }
  }

  /** No Java and no other lock ends a deadlock, so the headline does not promise that either. */
  @Test
  void theHeadlineBreaksTheDeadlockFirst() {
    String hung = flat(hung(entering(), "com.example.Ledger.add"), false);
    assertTrue(hung.contains("To free all of it: break the deadlock first, then run on"), hung);
    String behind = flat(hung(entering(), "com.example.Other.add"), false);
    assertTrue(behind.contains("To free all of it: break the deadlock first, then"), behind);
    String none = flat(entering(), false);
    assertTrue(none.contains("To free all of it: run on Java"), none);
  }

  @Test
  void otherDeadlocksAndPinsThatEndedAreNotBrokenFirst() {
    Pins ended =
        pins()
            .pin(
                1,
                40_000,
                stack(ADD, MOVE),
                new PinCause.MonitorEntry(ADD, "com.example.Ledger"),
                method(1, MOVE));
    for (String text :
        List.of(
            flat(hung(ended, "com.example.Ledger.add"), true),
            flat(hung(entering(), "com.example.Other.add"), true),
            flat(entering(), true))) {
      assertTrue(text.contains("1 Replace the monitor"), text);
      assertFalse(text.contains(SAID), text);
    }
    String behind = flat(hung(entering(), "com.example.Other.add"), true);
    assertTrue(behind.contains("ends in a deadlock, which may hold up these threads"), behind);
  }

  /** An application that a library calls inside its monitor, without pins. */
  private static Pins appender() {
    Owner library =
        new Owner.Library(
            new Coordinates("ch.qos.logback", "logback-core", "1.5.18"), "logback-core.jar");
    return new Pins()
        .owner(LOGBACK.type().name(), library)
        .owner(API.type().name(), new Owner.Application("classes"))
        .owner(OWN.type().name(), new Owner.Application("classes"));
  }

  @Test
  void ownCodeInsideTheMonitorOfALibraryIsNamed() {
    String said =
        "your code runs inside this monitor: com.acme.shop.AuditAppender.append"
            + " (AuditAppender.java:9)";
    String advised = "keep waits out of your code that the library calls inside its monitor";
    for (boolean inside : new boolean[] {true, false}) {
      Pins pins =
          appender()
              .pin(
                  1,
                  9_000,
                  inside ? stack(PARK, OWN, LOGBACK, API) : stack(PARK, LOGBACK, OWN, API),
                  method(inside ? 2 : 1, LOGBACK));
      assertEquals(inside, flat(pins, true).contains(said), flat(pins, true));
      assertEquals(inside, flat(pins, false).contains(said), flat(pins, false));
      assertEquals(
          inside,
          flat(pins, true).toLowerCase(Locale.ROOT).contains("1 " + advised),
          flat(pins, true));
    }
  }

  /** Without the code that waits inside the monitor, nobody waits long to enter it. */
  @Test
  void threadsThatWaitToEnterAreFreedByTheSameChange() {
    Pins pins = appender();
    for (int thread = 1; thread <= 4; thread++) {
      pins.pin(thread, 900, stack(PARK, OWN, LOGBACK, API), method(2, LOGBACK)).sampled(7);
    }
    pins.pin(5, 20_000, stack(LOGBACK, API), new PinCause.MonitorEntry(LOGBACK, OWN.type().name()));
    String advised = flat(pins, true);
    assertTrue(advised.contains("1 Keep waits out of your code"), advised);
    assertFalse(advised.contains("2 Run on Java"), advised);
    assertTrue(advised.contains("expect this path to get faster too"), advised);
  }
}
