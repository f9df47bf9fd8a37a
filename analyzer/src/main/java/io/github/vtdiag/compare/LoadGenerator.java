package io.github.vtdiag.compare;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.ConcurrentHistogram;

/**
 * Sends requests and takes the time of each from when it should have been sent. In an open loop
 * that is its place in the schedule: a server that stalls holds up the requests behind, and their
 * wait counts, so that no omission is coordinated with the stall.
 */
public final class LoadGenerator {
  private static final long SECOND = 1_000_000_000;
  private static final long LONGEST = 3_600 * SECOND;
  private static final long LOOK = SECOND / 20;

  /** A server that answers requests. */
  public interface Server {
    /** Sends a request, waits for the response, and returns whether it was good. */
    boolean send() throws InterruptedException;
  }

  private final Load load;
  private final Server target;
  private final Clock clock;
  private final long start;
  private final long from;
  private final long end;
  private final AtomicLong tickets = new AtomicLong();
  private final LongAdder answered = new LongAdder();
  private final LongAdder good = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private final LongAdder unanswered = new LongAdder();
  private final ConcurrentHistogram latencies = new ConcurrentHistogram(LONGEST, 3);

  /**
   * Creates a generator that sends nothing yet; the schedule begins now.
   *
   * @param warmUpNanos how long to send requests that are not counted
   * @param durationNanos how long to send those that are
   */
  public LoadGenerator(
      Load load, Server target, Clock clock, long warmUpNanos, long durationNanos) {
    this.load = load;
    this.target = target;
    this.clock = clock;
    start = clock.nanos();
    from = start + warmUpNanos;
    end = from + durationNanos;
  }

  /**
   * Sends all requests, and waits for answers for some time after the last was due.
   *
   * @param patienceNanos for how long
   * @param stop is asked now and then; once true, the rest is given up
   */
  public LoadResult run(long patienceNanos, BooleanSupplier stop) throws InterruptedException {
    int workers =
        switch (load) {
          case Load.Closed closed -> closed.users();
          case Load.Open open -> open.mostInFlight();
        };
    List<Thread> threads = new ArrayList<>();
    try {
      for (int i = 0; i < workers; i++) {
        threads.add(Thread.ofVirtual().name("load-" + i).start(this::work));
      }
      long giveUp = end + patienceNanos;
      for (Thread thread : threads) {
        while (thread.isAlive() && !stop.getAsBoolean() && clock.nanos() - giveUp < 0) {
          thread.join(Duration.ofNanos(LOOK));
        }
      }
    } finally {
      threads.forEach(Thread::interrupt);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return result();
  }

  /** Runs one user, or one of those who share an open schedule. */
  void work() {
    try {
      for (long due = next(); due - end < 0; due = next()) {
        request(due);
      }
    } catch (InterruptedException e) {
      // Time is up, and requests in flight have been counted.
      Thread.currentThread().interrupt();
    }
  }

  private long next() {
    return switch (load) {
      case Load.Closed closed -> clock.nanos();
      case Load.Open open -> due(open, tickets.getAndIncrement());
    };
  }

  private long due(Load.Open open, long ticket) {
    return start + Math.round(ticket * (SECOND / open.perSecond()));
  }

  private void request(long due) throws InterruptedException {
    boolean well;
    try {
      clock.sleepUntil(due);
      if (Thread.interrupted()) {
        // A request that fails at once never waits long enough to notice.
        throw new InterruptedException();
      }
      well = target.send();
    } catch (InterruptedException e) {
      countUnanswered(due);
      throw e;
    }
    long done = clock.nanos();
    if (well && done - from >= 0 && done - end < 0) {
      answered.increment();
    }
    if (due - from >= 0) {
      if (well) {
        good.increment();
        record(done - due);
      } else {
        errors.increment();
      }
    }
  }

  /**
   * Counts a request without an answer. The time so far is a lower bound; leaving it out would
   * flatter the server.
   */
  private void countUnanswered(long due) {
    if (due - from >= 0 && due - end < 0) {
      unanswered.increment();
      record(clock.nanos() - due);
    }
  }

  private void record(long nanos) {
    latencies.recordValue(Math.clamp(nanos, 0, LONGEST));
  }

  /** Returns the result, once all workers have ended. */
  LoadResult result() {
    if (load instanceof Load.Open open) {
      for (long due = due(open, tickets.getAndIncrement());
          due - end < 0;
          due = due(open, tickets.getAndIncrement())) {
        countUnanswered(due);
      }
    }
    return new LoadResult(
        answered.sum(),
        good.sum() + errors.sum() + unanswered.sum(),
        errors.sum(),
        unanswered.sum(),
        latencies.getTotalCount() == 0
            ? Optional.empty()
            : Optional.of(
                new Latency(
                    Math.round(latencies.getMean()),
                    latencies.getValueAtPercentile(50),
                    latencies.getValueAtPercentile(90),
                    latencies.getValueAtPercentile(95),
                    latencies.getValueAtPercentile(99),
                    latencies.getValueAtPercentile(99.9),
                    latencies.getMaxValue())));
  }
}
