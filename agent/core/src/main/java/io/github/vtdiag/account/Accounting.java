package io.github.vtdiag.account;

import io.github.vtdiag.account.Account.CarrierQueue;
import io.github.vtdiag.account.Account.Missing;
import io.github.vtdiag.account.Account.Pinned;
import io.github.vtdiag.account.Account.Source;
import io.github.vtdiag.model.PinReason;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Computes the account of a time from samples and events of the carriers, given in any order.
 *
 * <p>With the agent's watch, its samples give the time that carriers were idle, waiting, in native
 * code or running. Events are exact but leave out what is short; they and JFR's samples only divide
 * that time further. Without the watch there are only JFR's samples and events, and the rest of the
 * time is unknown. It is not idle because it was not observed.
 */
public final class Accounting {
  /** The kind of code in which a sample found a thread. */
  public enum Code {
    JAVA,
    NATIVE,
    FILE
  }

  /** The most threads in Java code that one run of HotSpot's sampler was ever seen to sample. */
  private static final int MOST_JAVA_SAMPLES = 5;

  /** The largest part of the available carrier time that measurements add up to. */
  private static final double MORE_THAN_ALL = 1.02;

  /** The part of a second without an idle carrier from which the second counts as saturated. */
  private static final double NEARLY_ALL = 0.8;

  /** The part of a second's carrier time, or of the second itself, that is work. */
  private static final double WORK = 0.1;

  private final long from;
  private final long to;
  private final OptionalInt parallelism;
  private final Map<PinReason, Long> pins = new EnumMap<>(PinReason.class);
  private final Map<Code, Long> samples = new EnumMap<>(Code.class);
  private final Map<Code, Long> sampled = new EnumMap<>(Code.class);
  private final Set<Missing> missing = EnumSet.noneOf(Missing.class);
  private double file;

  // Sums of the watch's samples.
  private double seen;
  private double capacity;
  private double idle;
  private double java;
  private double inNative;
  private double waiting;
  private double blocked;
  private double unseen;
  private double looks;
  private double elsewhere;
  private double lookedProcessor;
  private boolean processorUnknown;
  private double queued;
  private double someQueued;
  private long mostQueued;

  private double rush;
  private double lastingRush;
  private double work;
  private double rushJava;
  private double rushNative;
  private double rushWaiting;
  private double rushBlocked;

  private long tickNanos = Long.MIN_VALUE;
  private int inTick;
  private long ticks;
  private long fullTicks;

  /**
   * @param fromNanos when the accounted time begins, in nanoseconds since the epoch
   * @param parallelism the number of carriers that the scheduler aims at, if it is known
   */
  public Accounting(long fromNanos, long toNanos, OptionalInt parallelism) {
    this.from = fromNanos;
    this.to = Math.max(fromNanos, toNanos);
    this.parallelism = parallelism;
  }

  /** Adds a sample of the watch; if it crosses a bound of the time, only the part inside. */
  public void look(CarrierSample look) {
    double part =
        look.spanNanos() <= 0
            ? 0
            : (double) inside(look.endNanos() - look.spanNanos(), look.endNanos())
                / look.spanNanos();
    if (part <= 0) {
      return;
    }
    seen += part * look.spanNanos();
    capacity += part * look.capacity();
    idle += part * look.idle();
    java += part * look.java();
    inNative += part * look.inNative();
    waiting += part * look.waiting();
    blocked += part * look.blocked();
    unseen += part * look.unseen();
    looks += part * look.looks();
    queued += part * look.queued();
    someQueued += part * look.someQueued();
    mostQueued = Math.max(mostQueued, look.mostQueued());
    rush += part * look.rush().nanos();
    if (look.rush().nanos() >= NEARLY_ALL * look.spanNanos()) {
      lastingRush += part * look.spanNanos();
    }
    if (look.capacity() - look.idle() - look.unseen() >= WORK * look.capacity()
        || look.someQueued() >= WORK * look.spanNanos()) {
      work += part * look.spanNanos();
    }
    rushJava += part * look.rush().java();
    rushNative += part * look.rush().inNative();
    rushWaiting += part * look.rush().waiting();
    rushBlocked += part * look.rush().blocked();
    lookedProcessor += part * look.processor();
    processorUnknown |= look.processor() < 0;
  }

  /** Adds the time of other schedulers' carriers: pins in which no sample saw a wait. */
  public void elsewhere(long carrierNanos) {
    elsewhere += carrierNanos;
  }

  /**
   * Adds a sample of a virtual thread on its carrier, known to be inside the accounted time.
   *
   * @param periodNanos the time between two samples, for which it stands
   */
  public void sample(Code code, long atNanos, long periodNanos) {
    samples.merge(code, 1L, Long::sum);
    sampled.merge(code, periodNanos, Long::sum);
    if (code == Code.JAVA) {
      // The samples of one run of the sampler follow each other immediately.
      if (tickNanos == Long.MIN_VALUE || Math.abs(atNanos - tickNanos) > periodNanos / 2) {
        tickNanos = atNanos;
        inTick = 0;
        ticks++;
      }
      inTick++;
      fullTicks += inTick == MOST_JAVA_SAMPLES ? 1 : 0;
    }
  }

  /** Adds time in file I/O that is known to be inside the accounted time. */
  public void file(long nanos) {
    file += nanos;
  }

  /**
   * Adds pins that are known to be inside the accounted time. A native call that waited is not a
   * pin here.
   */
  public void pin(PinReason reason, long nanos) {
    pins.merge(reason, nanos, Long::sum);
  }

  /** Records that some data is missing. */
  public void missing(Missing what) {
    missing.add(what);
  }

  private long inside(long startNanos, long endNanos) {
    return Math.max(0, Math.min(endNanos, to) - Math.max(startNanos, from));
  }

  private long count(Code code) {
    return samples.getOrDefault(code, 0L);
  }

  private long nanos(Code code) {
    return sampled.getOrDefault(code, 0L);
  }

  private double pinned() {
    return pins.values().stream().mapToDouble(Long::doubleValue).sum();
  }

  /** Returns the account of everything added so far. */
  public Account account() {
    return looks > 0 ? watched() : unwatched();
  }

  private Account watched() {
    double uncovered = Math.max(0, to - from - seen) * parallelism.orElse(0) + elsewhere;
    Shares shares = new Shares(capacity + uncovered, looks);
    // Events cover all the time; samples are compared with the part of them that falls to them.
    double looked = (capacity - unseen) / shares.capacity;
    double events = elsewhere > 0 ? Math.min(pinned(), waiting) : pinned() * looked;
    double eventsBeside = pinned() - events;
    double filesBeside = file * (1 - looked);
    double unknown = Math.max(0, unseen + uncovered - eventsBeside - filesBeside);
    double[] rest = {java, inNative, idle};
    double others = java + inNative + idle;
    boolean exact = shares.isSame(waiting, events);
    double pinned = Math.min(exact ? events : Math.max(waiting, events), waiting + others);
    if (exact && others > 0) {
      // The events are exact, so the samples of pins are off, and the others by as much.
      double scale = (others + waiting - pinned) / others;
      rest = new double[] {java * scale, inNative * scale, idle * scale};
    } else if (exact) {
      unknown += waiting - pinned;
    } else if (pinned > waiting) {
      // Threads that wait in the JVM itself appear to be running.
      rest = Shares.without(pinned - waiting, java, inNative, idle);
    }
    FileTime files =
        FileTime.of(file * looked, rest[1], rest[0], count(Code.FILE), count(Code.NATIVE), shares);
    double[] code = {rest[1] - files.ofNative(), rest[0] - files.ofJava()};
    double inFiles = files.nanos();
    boolean undivided = !files.isSampled() && rest[1] > shares.error(rest[1]);
    // The watch replaces JFR's samples, except for the file I/O in native code.
    Set<Missing> unsaid = EnumSet.copyOf(missing);
    unsaid.removeAll(EnumSet.of(Missing.JAVA_SAMPLES, Missing.NATIVE_SAMPLES, Missing.FILE_EVENTS));
    if (undivided) {
      unsaid.add(Missing.NATIVE_SAMPLES);
    }
    if (unknown > 0.01 * shares.capacity) {
      unsaid.add(elsewhere > 0 ? Missing.ELSEWHERE : Missing.LOOKS);
    }
    Set<Source> watch = EnumSet.of(Source.WATCH);
    shares.add(
        Use.JAVA,
        code[1],
        shares.error(code[1]) + (files.ofJava() > 0 ? files.codeErrorNanos() : 0),
        false,
        watch);
    shares.add(
        Use.NATIVE,
        code[0],
        shares.error(code[0]) + files.codeErrorNanos(),
        false,
        files.isSampled() && inFiles > 0 ? EnumSet.of(Source.WATCH, Source.SAMPLES) : watch);
    shares.add(
        Use.FILE,
        inFiles + filesBeside,
        files.errorNanos(),
        undivided,
        files.byEvents() ? EnumSet.of(Source.EVENTS) : EnumSet.of(Source.WATCH, Source.SAMPLES));
    shares.add(
        Use.PINNED,
        pinned + eventsBeside,
        pinned > events ? shares.error(pinned - events) : 0,
        false,
        pinned > events ? EnumSet.of(Source.WATCH, Source.EVENTS) : EnumSet.of(Source.EVENTS));
    shares.add(Use.BLOCKED, blocked, shares.error(blocked), false, watch);
    shares.add(Use.IDLE, rest[2], shares.error(rest[2]), false, watch);
    shares.add(Use.UNKNOWN, unknown, 0, false, watch);
    return new Account(
        to - from,
        (long) shares.capacity,
        shares.all,
        reasons((long) (pinned - events)),
        Optional.of(new CarrierQueue(queued / seen, mostQueued, someQueued / seen, (long) looks)),
        Optional.of(
            rush(Shares.part(files.ofNative(), rest[1]), Shares.part(files.ofJava(), rest[0]))),
        processorUnknown ? OptionalLong.empty() : OptionalLong.of((long) lookedProcessor),
        unsaid);
  }

  /**
   * @param ofNative the part of native code that is file I/O
   * @param ofJava the part of apparent Java code that is file I/O
   */
  private Account.Saturation rush(double ofNative, double ofJava) {
    double all = rushJava + rushNative + rushWaiting + rushBlocked;
    Map<Use, Double> parts = new EnumMap<>(Use.class);
    if (all > 0) {
      parts.put(Use.JAVA, rushJava * (1 - ofJava) / all);
      parts.put(Use.NATIVE, rushNative * (1 - ofNative) / all);
      parts.put(Use.FILE, (rushNative * ofNative + rushJava * ofJava) / all);
      parts.put(Use.PINNED, rushWaiting / all);
      parts.put(Use.BLOCKED, rushBlocked / all);
    }
    // A watch that was late twice counts a moment twice.
    double span = to - from;
    return new Account.Saturation(
        (long) Math.min(rush, span),
        (long) Math.min(lastingRush, span),
        (long) Math.min(Math.max(work, rush), span),
        parts);
  }

  private Account unwatched() {
    missing.add(Missing.WATCH);
    if (10 * fullTicks > ticks) {
      missing.add(Missing.MORE_SAMPLES);
    }
    if (parallelism.isEmpty()) {
      missing.add(Missing.CAPACITY);
    }
    double all = (double) parallelism.orElse(0) * (to - from);
    // The sampler takes one thread in native code a period, virtual or not: a lower bound.
    double samplesOfFiles = nanos(Code.FILE);
    double inFiles = Math.max(file, samplesOfFiles);
    double natives = nanos(Code.NATIVE);
    double ran = nanos(Code.JAVA);
    double known = ran + natives + inFiles + pinned();
    if (known > all * MORE_THAN_ALL) {
      // The scheduler added carriers, and their number is unknown.
      missing.add(Missing.CAPACITY);
      all = 0;
    }
    double unknown = Math.max(0, all - known);
    Shares shares = new Shares(all, 0);
    // The sampler misses threads whose stack it cannot walk.
    shares.add(Use.JAVA, ran, poisson(Code.JAVA), true, EnumSet.of(Source.SAMPLES));
    shares.add(Use.NATIVE, natives, poisson(Code.NATIVE), true, EnumSet.of(Source.SAMPLES));
    shares.add(
        Use.FILE,
        inFiles,
        inFiles > file ? poisson(Code.FILE) : 0,
        true,
        EnumSet.of(inFiles > file ? Source.SAMPLES : Source.EVENTS));
    shares.add(Use.PINNED, pinned(), 0, true, EnumSet.of(Source.EVENTS));
    shares.add(Use.BLOCKED, 0, 0, true, Set.of());
    shares.add(Use.IDLE, 0, 0, true, EnumSet.of(Source.EVENTS));
    shares.add(Use.UNKNOWN, unknown, 0, false, Set.of());
    return new Account(
        to - from,
        (long) all,
        shares.all,
        reasons(0),
        Optional.empty(),
        Optional.empty(),
        OptionalLong.empty(),
        missing);
  }

  private double poisson(Code code) {
    long count = count(code);
    return count == 0 ? 0 : Shares.TWICE * nanos(code) / Math.sqrt((double) count);
  }

  private List<Pinned> reasons(long shortOnes) {
    Map<PinReason, Long> all = new EnumMap<>(pins);
    all.merge(PinReason.SHORT, Math.max(0, shortOnes), Long::sum);
    return all.entrySet().stream()
        .filter(pin -> pin.getValue() > 0)
        .map(pin -> new Pinned(pin.getKey(), pin.getValue()))
        .sorted(Comparator.comparingLong(Pinned::nanos).reversed())
        .toList();
  }
}
