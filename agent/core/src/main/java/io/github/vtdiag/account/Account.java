package io.github.vtdiag.account;

import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.PinReason;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The carriers' time, divided by use.
 *
 * @param spanNanos the accounted time, by the clock
 * @param capacityNanos the available carrier time; 0 if it is unknown
 * @param shares the share of every {@link Use}
 * @param pinned pinned time by reason, the longest first
 * @param queue the queue of the scheduler, if the recording has it
 * @param saturation the time in which threads were queued and no carrier was idle, if the recording
 *     has it
 * @param processorNanos the processor time of the carriers, if it is known
 * @param missing why some of it is unknown
 */
public record Account(
    long spanNanos,
    long capacityNanos,
    Map<Use, Share> shares,
    List<Pinned> pinned,
    Optional<CarrierQueue> queue,
    Optional<Saturation> saturation,
    OptionalLong processorNanos,
    Set<Missing> missing) {

  /** The smallest part of the carriers' time that is named. */
  public static final double LITTLE = 0.0005;

  private static final double POINT = 0.01;

  /** The smallest part that is named if there may be more: below, it would read as a bound. */
  private static final double LEAST_BOUND = 0.001;

  /** The data that a figure was computed from. */
  public enum Source {
    /** The agent's watch, which samples every carrier about 50 times a second. */
    WATCH,
    /** JFR's samples of running threads. */
    SAMPLES,
    /** Events with a begin and an end. */
    EVENTS
  }

  /** The missing data that would make the account more complete. */
  public enum Missing {
    /** No watch sampled the carriers. */
    WATCH("the carriers were not sampled (vtdiag's agent does that)"),
    /** The watch itself could not run for some of the time. */
    LOOKS("the agent could not sample all the time"),
    /** Carriers of other schedulers than the JDK's, of which only pins are recorded. */
    ELSEWHERE("carriers of other schedulers are not sampled"),
    /** Samples of threads that run Java code. */
    JAVA_SAMPLES("no JFR samples of threads that run Java code"),
    /** Samples of threads in native code. */
    NATIVE_SAMPLES("no JFR samples of threads in native code"),
    /** Samples of more threads than JFR takes at a time. */
    MORE_SAMPLES("more threads ran than JFR samples at once"),
    /** Events of file I/O. */
    FILE_EVENTS("no file events"),
    /** Events of pins. */
    PINNED_EVENTS("no pin events"),
    /** The number of carriers. */
    CAPACITY("the number of carriers is unknown");

    private final String text;

    Missing(String text) {
      this.text = text;
    }

    /** Returns why some of the time is unknown, as part of a sentence. */
    public String text() {
      return text;
    }
  }

  /**
   * The time for one use.
   *
   * @param errorNanos half the width of the 95% interval of {@code nanos}
   * @param atLeast whether it can be more than that as well, because some of it was not recorded
   */
  public record Share(Use use, long nanos, long errorNanos, boolean atLeast, Set<Source> sources) {
    public Share {
      sources = Set.copyOf(sources);
    }
  }

  /** Pinned time of one reason. */
  public record Pinned(PinReason reason, long nanos) {}

  /**
   * The virtual threads that waited for a carrier.
   *
   * @param mean the mean number of them
   * @param most the largest number of them in a sample
   * @param partOfTime the part of the time in which there were any, 0 to 1
   * @param moments the number of samples
   */
  public record CarrierQueue(double mean, long most, double partOfTime, long moments) {
    private static Optional<CarrierQueue> together(List<Account> accounts) {
      double threads = 0;
      double some = 0;
      double span = 0;
      long most = 0;
      long moments = 0;
      for (Account account : accounts) {
        if (account.queue.isEmpty()) {
          return Optional.empty();
        }
        CarrierQueue each = account.queue.get();
        threads += each.mean * account.spanNanos;
        some += each.partOfTime * account.spanNanos;
        span += account.spanNanos;
        most = Math.max(most, each.most);
        moments += each.moments;
      }
      return span == 0
          ? Optional.empty()
          : Optional.of(new CarrierQueue(threads / span, most, some / span, moments));
    }
  }

  /**
   * The time in which virtual threads were queued and no carrier was idle.
   *
   * @param nanos its length, by the clock
   * @param lastingNanos the part of it in seconds that were nearly all saturated, so no short
   *     bursts
   * @param workNanos the time by the clock in which there was work for the carriers: the seconds in
   *     which they were not nearly all idle, or threads were queued. A start without virtual
   *     threads is no part of it
   * @param parts the carriers' uses while saturated, as parts of 1; without {@link Use#IDLE}
   */
  public record Saturation(long nanos, long lastingNanos, long workNanos, Map<Use, Double> parts) {
    public Saturation {
      parts = Map.copyOf(parts);
    }

    public double part(Use use) {
      return parts.getOrDefault(use, 0.0);
    }

    /** Returns the part of the time with work in which the carriers were saturated, 0 to 1. */
    public double partOfWork() {
      return workNanos == 0 ? 0 : Math.min(1, (double) nanos / workNanos);
    }

    private static Optional<Saturation> together(List<Account> accounts) {
      long nanos = 0;
      long lasting = 0;
      long work = 0;
      Map<Use, Double> parts = new EnumMap<>(Use.class);
      for (Account account : accounts) {
        if (account.saturation.isEmpty()) {
          return Optional.empty();
        }
        Saturation each = account.saturation.get();
        nanos += each.nanos;
        lasting += each.lastingNanos;
        work += each.workNanos;
        each.parts.forEach((use, part) -> parts.merge(use, part * each.nanos, Double::sum));
      }
      double all = nanos;
      parts.replaceAll((use, part) -> all == 0 ? 0 : part / all);
      return Optional.of(new Saturation(nanos, lasting, work, parts));
    }
  }

  public Account {
    shares = Map.copyOf(new EnumMap<>(shares));
    pinned = List.copyOf(pinned);
    missing = Set.copyOf(missing);
    if (shares.size() != Use.values().length) {
      throw new IllegalArgumentException("an account has a share for every use");
    }
  }

  /** Returns the account of several programs, or of one program at several times. */
  public static Account together(List<Account> accounts) {
    if (accounts.size() == 1) {
      return accounts.getFirst();
    }
    boolean known = accounts.stream().allMatch(account -> account.capacityNanos > 0);
    Map<Use, Share> shares = new EnumMap<>(Use.class);
    for (Use use : Use.values()) {
      shares.put(use, together(use, accounts.stream().map(account -> account.share(use)).toList()));
    }
    Map<PinReason, Long> pins = new EnumMap<>(PinReason.class);
    Set<Missing> missing = EnumSet.noneOf(Missing.class);
    for (Account account : accounts) {
      account.pinned.forEach(pin -> pins.merge(pin.reason(), pin.nanos(), Long::sum));
      missing.addAll(account.missing);
    }
    return new Account(
        accounts.stream().mapToLong(Account::spanNanos).sum(),
        known ? accounts.stream().mapToLong(Account::capacityNanos).sum() : 0,
        shares,
        pins.entrySet().stream()
            .map(pin -> new Pinned(pin.getKey(), pin.getValue()))
            .sorted(Comparator.comparingLong(Pinned::nanos).reversed())
            .toList(),
        CarrierQueue.together(accounts),
        Saturation.together(accounts),
        accounts.stream().allMatch(account -> account.processorNanos.isPresent())
            ? OptionalLong.of(
                accounts.stream().mapToLong(account -> account.processorNanos.getAsLong()).sum())
            : OptionalLong.empty(),
        missing);
  }

  private static Share together(Use use, List<Share> shares) {
    double squares = 0;
    Set<Source> sources = EnumSet.noneOf(Source.class);
    for (Share share : shares) {
      squares += (double) share.errorNanos * share.errorNanos;
      sources.addAll(share.sources);
    }
    return new Share(
        use,
        shares.stream().mapToLong(Share::nanos).sum(),
        (long) Math.sqrt(squares),
        shares.stream().anyMatch(Share::atLeast),
        sources);
  }

  /** Returns the share of a use. */
  public Share share(Use use) {
    return shares.get(use);
  }

  /** Returns the part of all carrier time that a use took, 0 to 1; 0 if the capacity is unknown. */
  public double part(Use use) {
    return capacityNanos == 0 ? 0 : (double) share(use).nanos() / capacityNanos;
  }

  /**
   * Returns the uses that took enough time to be named. A small part below its error may be one
   * accidental sample; a larger one is named with its error, so that all parts are the whole.
   */
  public List<Use> named() {
    return Arrays.stream(Use.values())
        .filter(use -> part(use) >= (isLowerBound(use) ? LEAST_BOUND : LITTLE))
        .filter(use -> part(use) >= POINT || share(use).nanos() > share(use).errorNanos())
        .toList();
  }

  /** Returns whether a use may have taken notably more than its share. */
  private boolean isLowerBound(Use use) {
    return share(use).atLeast() && part(Use.UNKNOWN) >= POINT;
  }

  /**
   * Returns {@code 12% running Java code}. "At least" precedes it if the use may have taken notably
   * more than its share.
   */
  public String text(Use use) {
    return (isLowerBound(use) ? "at least " : "") + Figures.percent(part(use)) + " " + use.text();
  }

  /** Returns whether there were only events of pins. */
  public boolean isOfPinsAlone() {
    return Arrays.stream(Use.values())
        .filter(use -> share(use).nanos() > 0)
        .allMatch(use -> use == Use.PINNED || use == Use.UNKNOWN);
  }

  /** Returns half the width of the 95% interval of {@link #part}. */
  public double error(Use use) {
    return capacityNanos == 0 ? 1 : (double) share(use).errorNanos() / capacityNanos;
  }

  /**
   * Returns the least part of all carrier time in which threads on carriers were runnable but got
   * no processor; 0 if it is unknown.
   */
  public double partWithoutProcessor() {
    return capacityNanos == 0 || processorNanos.isEmpty()
        ? 0
        : Math.max(0, (double) (share(Use.JAVA).nanos() - processorNanos.getAsLong()))
            / capacityNanos;
  }

  /** Returns whether the idle time of the carriers is known, rather than only not observed. */
  public boolean isIdleKnown() {
    return capacityNanos > 0 && !share(Use.IDLE).atLeast();
  }
}
