package io.github.vtdiag.compare;

import io.github.vtdiag.compare.Plan.Source.Counted;
import io.github.vtdiag.compare.Plan.Source.Http;
import io.github.vtdiag.compare.Plan.Source.Printed;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The measures that the user asks for: requests, calls, or what the program prints. Absent values
 * have a default.
 *
 * @param users of a closed loop
 * @param rate requests a second of an open loop
 * @param maxErrors the part of the requests that may fail, 0 to 1
 */
public record RequestedMeasures(
    List<Http.Target> http,
    Optional<Integer> users,
    Optional<Double> rate,
    Optional<Double> maxErrors,
    List<Printed.Told> operations,
    List<Counted.Method> count,
    Optional<Long> warmUpNanos,
    Optional<Long> durationNanos,
    Optional<Long> timeoutNanos) {

  private static final int USERS = 50;
  private static final double MAX_ERRORS = 0.01;
  private static final long SECOND = 1_000_000_000;
  private static final long WARM_UP = 5 * SECOND;
  private static final long DURATION = 10 * SECOND;
  private static final long START = 60 * SECOND;
  private static final long WHOLE_PROGRAM = 600 * SECOND;

  public RequestedMeasures {
    http = List.copyOf(http);
    operations = List.copyOf(operations);
    count = List.copyOf(count);
  }

  /** Returns the source of the figures. */
  Plan.Source source() throws WrongPlanException {
    checkOptions();
    Plan.Source source = !http.isEmpty() ? requests() : !count.isEmpty() ? counted() : printed();
    Set<String> names = new HashSet<>();
    for (String name : source.names()) {
      if (!names.add(name)) {
        throw new WrongPlanException("two measures are named " + name + "; give each its own name");
      }
    }
    return source;
  }

  private void checkOptions() throws WrongPlanException {
    if (!http.isEmpty() && !operations.isEmpty()) {
      throw new WrongPlanException("--http and --operations cannot be used together");
    }
    if (!count.isEmpty() && (!http.isEmpty() || !operations.isEmpty())) {
      throw new WrongPlanException("--count cannot be used with --http or --operations");
    }
    if (http.isEmpty()) {
      refuse("--users", users, "--http");
      refuse("--rate", rate, "--http");
      refuse("--max-errors", maxErrors, "--http");
    }
    if (http.isEmpty() && count.isEmpty()) {
      refuse("--warm-up", warmUpNanos, "--http or --count");
      refuse("--duration", durationNanos, "--http or --count");
    }
    if (durationNanos.equals(Optional.of(0L))) {
      throw new WrongPlanException("--duration must be longer than 0");
    }
  }

  private static void refuse(String option, Optional<?> value, String where)
      throws WrongPlanException {
    if (value.isPresent()) {
      throw new WrongPlanException(option + " needs " + where);
    }
  }

  private Plan.Source requests() throws WrongPlanException {
    if (users.isPresent() && rate.isPresent()) {
      throw new WrongPlanException(
          "--users (closed loop) and --rate (open loop) cannot be used together");
    }
    Load load =
        rate.<Load>map(Load.Open::new).orElseGet(() -> new Load.Closed(users.orElse(USERS)));
    return new Http(
        http,
        load,
        timeoutNanos.orElse(START),
        timeoutNanos.isPresent(),
        warmUpNanos.orElse(WARM_UP),
        durationNanos.orElse(DURATION),
        maxErrors.orElse(MAX_ERRORS));
  }

  private Plan.Source counted() {
    return new Counted(
        count,
        timeoutNanos.orElse(START),
        warmUpNanos.orElse(WARM_UP),
        durationNanos.orElse(DURATION));
  }

  private Plan.Source printed() {
    Printed.Told usual = new Printed.Told("operations", Optional.empty());
    return new Printed(
        operations.isEmpty() ? List.of(usual) : operations, timeoutNanos.orElse(WHOLE_PROGRAM));
  }
}
