package io.github.vtdiag.report;

import static io.github.vtdiag.analysis.Pins.MILLI;
import static io.github.vtdiag.analysis.Pins.SECOND;
import static io.github.vtdiag.analysis.Pins.block;
import static io.github.vtdiag.analysis.Pins.frame;
import static io.github.vtdiag.analysis.Pins.method;
import static io.github.vtdiag.analysis.Pins.stack;

import io.github.vtdiag.analysis.Finding;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.analysis.Observation.Detail;
import io.github.vtdiag.analysis.Observation.Unit;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.findings.MisuseKind;
import io.github.vtdiag.findings.WaitKind;
import io.github.vtdiag.findings.Waits;
import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.BlockingOperation;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.program.ClassLookup;
import io.github.vtdiag.program.UnreadClass;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.waits.Awaited.Trait;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Fixed findings for the golden documents: every kind, every verdict and every gap. */
final class GoldenFindings {
  private static final Owner APPLICATION = new Owner.Application("app.jar");
  private static final Frame PARK = frame("java.lang.VirtualThread", "park", 7, 582);
  private static final Frame ORDERS = frame("com.example.Orders", "find", 3, 41);
  private static final Frame EXECUTE =
      frame("org.postgresql.core.v3.QueryExecutorImpl", "execute", 20, 326);

  private GoldenFindings() {}

  static Pins pins() {
    return new Pins()
        .owner(ORDERS.type().name(), APPLICATION)
        .owner(
            EXECUTE.type().name(),
            new Owner.Library(
                new Coordinates("org.postgresql", "postgresql", "42.5.4"), "postgresql.jar"));
  }

  /** A pin of each kind, long enough to be worth advice. */
  static Pins everyPin() {
    Frame load = frame("com.example.Files", "load", 3, 12);
    Frame init = frame("com.example.Config", "<clinit>", 3, 5);
    Pins pins = pins();
    for (int thread = 1; thread < 5; thread++) {
      pins.pin(thread, 9_000, stack(PARK, EXECUTE, ORDERS), method(1, EXECUTE)).sampled(7);
      pins.pin(thread, 800, stack(PARK, ORDERS), block(1, ORDERS, 2, 44));
    }
    return pins.pin(1, 700, stack(PARK, load), Pins.nativeMethod(1, load))
        .pin(1, 650, stack(PARK, init), new PinCause.ClassInitializer(1, init))
        .pin(2, 640, stack(ORDERS), new PinCause.AwaitedInitialization("com.example.Config"))
        .pin(2, 600, stack(PARK, load, ORDERS), new PinCause.ClassLoading(1, load))
        .pin(3, 550, stack(ORDERS, load), new PinCause.MonitorEntry(ORDERS, "com.example.Orders"))
        .pin(3, 500, stack(load, ORDERS), new PinCause.ObjectWait(load, "com.example.Files"))
        .pin(4, 450, stack(init, ORDERS), new PinCause.HiddenVmFrame("Native or VM frame on stack"))
        .pin(4, 400, stack(init, load), new PinCause.Unexplained("its stack is empty"))
        .pin(4, 2, stack(load, init), method(0, load));
  }

  private static Observation seen(
      String subject, Unit unit, double value, boolean limits, Detail... details) {
    boolean threads = unit == Unit.THREAD_NANOS;
    return new Observation(
        subject,
        subject.equals("SynchronousQueue") ? Set.of(Trait.HANDOVER) : Set.of(),
        Optional.of(ORDERS),
        Optional.of(EXECUTE),
        new Owner.Library(new Coordinates("org.example", "client", "1.0"), "client.jar"),
        new Observation.Amount(unit, value, true),
        14,
        threads ? Optional.of(new Observation.AtOnce(45, 92, 0.09)) : Optional.empty(),
        limits,
        List.of(details),
        new Observation.Evidence(List.of("vtdiag.WaitCrowd"), 14, OptionalLong.of(20 * MILLI)));
  }

  private static Detail figure(String name, double value) {
    return Detail.of(name, Unit.COUNT, value, false);
  }

  private static Behavior wait(WaitKind kind, String subject, boolean limits, Detail... more) {
    List<Detail> details =
        new ArrayList<>(
            List.of(
                figure("virtualThreads", 500), figure("threadsError", 18), figure("lookedAt", 91)));
    details.addAll(List.of(more));
    return new Finding.Wait(
        kind, seen(subject, Unit.THREAD_NANOS, 2_790e9, limits, details.toArray(Detail[]::new)));
  }

  /** The waits of each kind, and each in its other forms. */
  static List<Behavior> waits(boolean limits) {
    List<Behavior> all = new ArrayList<>();
    for (WaitKind kind : WaitKind.values()) {
      switch (kind) {
        case POOL -> {
          all.add(
              wait(
                  kind,
                  "HikariCP",
                  limits,
                  Detail.of("name", "orders"),
                  figure("bound", 10),
                  figure("inUse", 10),
                  figure("waitsPerUse", 4.5),
                  figure("withTwice", 1.9)));
          all.add(
              wait(
                  kind,
                  "Agroal",
                  limits,
                  figure("bound", 10),
                  figure("inUse", 10),
                  figure("usersAtLock", 8),
                  Detail.of(Observation.LOCK_OF_USERS, "org.db.Command.execute")));
          all.add(
              wait(
                  kind,
                  "Tomcat JDBC",
                  limits,
                  figure("bound", 10),
                  figure("inUse", 10),
                  figure("inTransaction", 9),
                  Detail.of("transactionWaitsIn", "com.example.Orders.quote"),
                  Detail.of("transactionWaitsFor", "CompletableFuture")));
          all.add(wait(kind, "c3p0", limits, figure("bound", 10), figure("inUse", 4)));
          all.add(wait(kind, "DBCP", limits));
        }
        case SEMAPHORE -> {
          all.add(wait(kind, "Semaphore", limits, figure("objects", 1), figure("free", 0)));
          all.add(wait(kind, "Semaphore", limits, figure("free", 3)));
        }
        case LOCK ->
            all.add(
                wait(
                    kind,
                    "ReentrantLock",
                    limits,
                    figure("waitsPerUse", 44),
                    figure("withTwice", 2),
                    Detail.of("holder", ORDERS),
                    Detail.of("holderWaitsFor", "socket read")));
        case MONITOR -> all.add(wait(kind, "com.example.Orders", limits));
        case FULL_QUEUE -> {
          all.add(wait(kind, "ArrayBlockingQueue", limits));
          all.add(wait(kind, "SynchronousQueue", limits));
        }
        case SIGNAL -> all.add(wait(kind, "CountDownLatch", limits));
        case FUTURE -> all.add(wait(kind, "CompletableFuture", limits));
        case REMOTE -> all.add(wait(kind, "socket read", limits));
      }
    }
    return all;
  }

  private static Behavior misuse(
      MisuseKind kind, String subject, Unit unit, double value, Detail... details) {
    return new Finding.Misuse(kind, seen(subject, unit, value, true, details));
  }

  static List<Behavior> misuse() {
    List<Behavior> all = new ArrayList<>();
    for (MisuseKind kind : MisuseKind.values()) {
      all.add(
          switch (kind) {
            case MONOPOLIZED_CARRIERS ->
                misuse(
                    kind,
                    "com.example.Hash.of",
                    Unit.CARRIER_NANOS,
                    40e9,
                    figure("threads", 4),
                    Detail.of("longest", Unit.NANOS, 3e9, false));
            case SPINNING ->
                misuse(
                    kind,
                    "com.example.Spin.await",
                    Unit.CARRIER_NANOS,
                    30e9,
                    figure("threads", 2),
                    figure("yields", 9));
            case FILE_IO ->
                misuse(
                    kind,
                    "/var/log",
                    Unit.CARRIER_NANOS,
                    20e9,
                    figure("threads", 9),
                    figure("files", 3),
                    figure("forced", 12),
                    figure("written", 40),
                    figure("carriers", 8),
                    figure("parallelism", 2),
                    figure("maxPoolSize", 256));
            case NATIVE_CALL, NAME_LOOKUP, PROCESS_START ->
                misuse(
                    kind,
                    "com.example.Native.call",
                    Unit.CARRIER_NANOS,
                    10e9,
                    figure("threads", 3));
            case POOLED_THREADS ->
                misuse(kind, "pool-1", Unit.THREAD_NANOS, 600e9, figure("idle", 0));
            case THREAD_LOCAL_CACHE ->
                misuse(
                    kind,
                    "byte[]",
                    Unit.BYTES,
                    9e8,
                    figure("threads", 900),
                    figure("bytesAThread", 1_000_000),
                    Detail.of("known", "jackson-core"));
            case NO_BACKPRESSURE ->
                misuse(
                    kind,
                    "com.example.Server.accept",
                    Unit.COUNT,
                    15_000,
                    figure("aSecond", 3_500),
                    figure("waitAtOnePlace", 9_000));
            case SUBMIT_FAILED ->
                misuse(
                    kind,
                    "com.example.Server.accept",
                    Unit.COUNT,
                    4,
                    figure("notStarted", 3),
                    figure("notResumed", 1),
                    Detail.of("reason", "Queue capacity exceeded"));
          });
    }
    return all;
  }

  /** Findings from which each of the verdicts follows, and its uncertain form. */
  static Map<String, Findings> verdicts() {
    Map<String, Findings> all = new LinkedHashMap<>();
    all.put(
        "hung",
        pins()
            .hang("LockCycle", List.of(), "deadlock: 2 threads wait for each other", "  a", "  b")
            .findings());
    Pins pinned = pins().looked(10, 10, 80, 3, 90);
    all.put("pinned", pinned.pin(1, 60_000, stack(PARK, EXECUTE), method(1, EXECUTE)).findings());
    all.put("computation", pins().looked(90, 5, 0, 9, 95).findings());
    all.put("queued, but never saturated", pins().looked(90, 5, 0, 9, 0).findings());
    all.put("native code", pins().looked(5, 90, 0, 9, 95).findings());
    all.put("blocked carriers", pins().looked(5, 0, 0, 90, 5, 9, 95).findings());
    all.put(
        "some pins",
        pins()
            .looked(5, 0, 20, 0, 0)
            .pin(1, 9_000, stack(PARK, ORDERS), method(1, ORDERS))
            .findings());
    all.put("nothing to change", pins().looked(5, 0, 0, 0, 0).findings());
    all.put("not known", pins().unwatched().findings());
    all.put("not known, outside the range", outside());
    Findings idle = pins().looked(5, 0, 0, 0, 0).findings();
    List<Behavior> each = new ArrayList<>(waits(true));
    each.addAll(misuse());
    for (Behavior behavior : each) {
      String name = behavior.kind() + " of " + behavior.seen().subject();
      all.put(
          all.containsKey(name) ? name + ", several" : name, idle.withBehaviors(List.of(behavior)));
    }
    return all;
  }

  private static Findings outside() {
    return new Pins()
        .findings()
        .withGaps(List.of(new Gap(Gap.Kind.OUTSIDE_RANGE, "", "the time from 1m to 2m")));
  }

  /** Findings that together have each kind of gap. */
  static Map<String, Findings> gaps() {
    Map<String, Findings> all = new LinkedHashMap<>();
    all.put("no settings", new Pins().noSettings().noAgent().unwatched().findings());
    all.put(
        "events off",
        new Pins()
            .setting(Events.PINNED, false, 0, true)
            .setting(Events.MONITOR_ENTER, false, 0, true)
            .agentOptions("watch=off")
            .unwatched()
            .findings());
    all.put(
        "thresholds",
        new Pins()
            .setting(Events.PINNED, true, 20 * MILLI, false)
            .setting(Events.MONITOR_WAIT, true, 20 * MILLI, true)
            .watchThresholds(50, 100)
            .findings());
    all.put(
        "damaged",
        new Pins()
            .problem("it is damaged at byte 4,711")
            .lost(4_711)
            .end(RecordingFacts.End.DISK_FULL)
            .findings());
    all.put("stopped", new Pins().end(RecordingFacts.End.STOPPED).blind(30_000).findings());
    all.put(
        "other schedulers",
        new Pins().looked(10, 0, 0, 0, 0).otherCarriers(2, "loop-1, loop-2").findings());
    all.put("a what-if on 25", new Pins().jdk(25).agentOptions("rewrite=auto").findings());
    all.put("unknown", new Pins().jdk(0).parallelismUnknown().findings());
    all.put("carriers kept at the end", keptAtEnd());
    all.put("queue", new Pins().looks(0, 1, 18).waiting(18).findings());
    all.put("classes and stacks", unread());
    all.put("outside", outside());
    all.put(
        "the rest",
        new Pins()
            .findings()
            .withGaps(
                List.of(
                    new Gap(Gap.Kind.BEGINNING_LOST, "app.jfr", "its first 5 s"),
                    new Gap(Gap.Kind.CLASS_PATH_PROBLEM, "", "lib.jar cannot be read"),
                    new Gap(
                        Gap.Kind.CLASSES_CHANGED,
                        "",
                        "JaCoCo changed the bytecode of app.Web; its monitors are matched with the"
                            + " class file's by their order"),
                    Waits.gap(new Pins().data()).orElseThrow(),
                    new Gap(
                        Gap.Kind.STALLED_AT_END,
                        "app.jfr",
                        "what would end the waits of 90 virtual threads (Semaphore,"
                            + " app.Orders.find), the longest of which had lasted 31 s at the end"),
                    new Gap(Gap.Kind.NOTHING_RECORDED, "b.jfr", "the recording is empty"))));
    return all;
  }

  private static Findings keptAtEnd() {
    Pins pins = pins().looks(2, 0, 14);
    pins.unended(1, 25_000, stack(PARK, EXECUTE), method(1, EXECUTE));
    pins.unended(2, 40_000, stack(PARK, EXECUTE), method(1, EXECUTE));
    return pins.findings();
  }

  private static Findings unread() {
    Attribution attribution =
        new Attribution(
            List.of(new PinCause.Unexplained("classes were not read")),
            new BlockingOperation(BlockingOperation.Kind.SOCKET_READ, ""),
            Set.of("a.A", "b.B", "c.C", "d.D", "e.E", "g.G", "java.util.F"),
            true);
    return new Pins()
        .lookup("b.B", new ClassLookup.NotFound(true))
        .lookup("c.C", new ClassLookup.Found(false))
        .lookup("g.G", new ClassLookup.Found(true))
        .lookup("d.D", new ClassLookup.Generated())
        .lookup("e.E", new ClassLookup.Unreadable(new UnreadClass("e.E", "lib.jar", "it is cut")))
        .pin(1, SECOND / MILLI, new StackTrace(List.of(ORDERS), true), attribution)
        .pin(1, 900, StackTrace.ABSENT, new PinCause.HiddenVmFrame("Native or VM frame on stack"))
        .findings();
  }
}
