package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.threads.BusyWaitSearch;
import io.github.vtdiag.agent.threads.LockMapReader;
import io.github.vtdiag.agent.threads.ThreadReader;
import io.github.vtdiag.locksite.CodeSites;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LoopTarget;
import io.github.vtdiag.model.WrittenFrames;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.WaitDetail;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The things that loops wait for, found in their code, once for each stack. */
public final class LoopTargets {
  /** The number of stacks that are analyzed. */
  private static final int STACKS = 500;

  private static final List<String> FOR_END =
      List.of(
          "stop",
          "shut",
          "closed",
          "terminat",
          "running",
          "alive",
          "exit",
          "quit",
          "interrupt",
          "cancel");

  private final LockMapReader classes;

  /** The things that loops wait for; none for loops that do anything else. */
  private final Map<List<StackTraceElement>, WaitDetail> untils = new HashMap<>();

  /** The stacks of loops without the methods in which they pause. */
  private final Map<List<StackTraceElement>, List<StackTraceElement>> ofLoops = new HashMap<>();

  /** The frames of the application from the one with the loop on. */
  private final Map<List<StackTraceElement>, List<Frame>> arounds = new HashMap<>();

  /** The attempts of loops to which another loop leads back. */
  private final Map<List<StackTraceElement>, Attempts> attempts = new HashMap<>();

  private final Map<List<StackTraceElement>, Ends> ends = new HashMap<>();

  /** True for two stacks in one loop. */
  private final Map<Set<List<StackTraceElement>>, Boolean> pairs = new HashMap<>();

  /**
   * @param classes reads the code that shows which loops only wait
   */
  public LoopTargets(LockMapReader classes) {
    this.classes = classes;
  }

  /**
   * Returns what ends a loop that does nothing but wait for it; none if it does anything else.
   *
   * @param signalled whether other threads wake those in the loop, as they wake workers
   */
  public WaitDetail until(List<StackTraceElement> stack, boolean signalled) {
    return untils.size() == STACKS
        ? WaitDetail.NONE
        : untils.computeIfAbsent(stack, same -> find(written(same), signalled));
  }

  private WaitDetail find(List<Frame> written, boolean signalled) {
    return findTargets(written, signalled)
        .map(targets -> new WaitDetail(WaitDetail.Kind.LOOP, LoopTarget.changes(targets)))
        .orElse(WaitDetail.NONE);
  }

  /** Returns what ends a loop that only waits and to which no other loop leads back. */
  public Optional<Set<LoopTarget>> targets(List<StackTraceElement> stack) {
    return findTargets(written(stack), true);
  }

  private Optional<Set<LoopTarget>> findTargets(List<Frame> written, boolean onlyLoop) {
    if (written.isEmpty()) {
      return Optional.empty();
    }
    List<CodeSites> code = code(written);
    boolean paused = isHelper(written, code);
    List<Frame> around = paused ? written.subList(1, written.size()) : written;
    return BusyWaitSearch.targets(
            around.getFirst(), paused ? helper(written) : "", code, this::codeOf)
        .filter(targets -> !targets.stream().allMatch(LoopTargets::isForEnd))
        .filter(
            targets ->
                (!onlyLoop && targets.stream().noneMatch(LoopTargets::isOfWorkers))
                    || isOnlyLoop(around, code));
  }

  /**
   * Returns whether the innermost of these frames does nothing but pause for the one that called
   * it.
   */
  private static boolean isHelper(List<Frame> written, List<CodeSites> code) {
    Frame inner = written.getFirst();
    return written.size() > 1
        && BusyWaitSearch.of(inner, code).anyMatch(sites -> sites.onlyPauses(inner.method()));
  }

  private static String helper(List<Frame> written) {
    return written.getFirst().qualifiedMethod().replace('.', '/').replaceFirst("/(?=[^/]*$)", ".");
  }

  /** Returns the stack without a method that only pauses: the loop is where it is called. */
  public List<StackTraceElement> ofLoop(List<StackTraceElement> stack) {
    return ofLoops.computeIfAbsent(stack, this::withoutHelper);
  }

  private List<StackTraceElement> withoutHelper(List<StackTraceElement> stack) {
    List<Frame> written = written(stack);
    if (!isHelper(written, code(written))) {
      return stack;
    }
    Frame helper = written.getFirst();
    return stack.stream()
        .filter(
            frame ->
                !frame.getClassName().equals(helper.type().name())
                    || !frame.getMethodName().equals(helper.method()))
        .toList();
  }

  /**
   * The fields on which alone the end of a loop depends that does nothing for the application.
   *
   * @param method the method that has the loop
   */
  public record Ends(String method, Set<LoopTarget> fields) {
    static final Ends NONE = new Ends("", Set.of());
  }

  /** Returns them; none if there are none, or another loop leads back. */
  public Ends ends(List<StackTraceElement> stack) {
    return ends.size() == STACKS && !ends.containsKey(stack)
        ? Ends.NONE
        : ends.computeIfAbsent(stack, this::findEnds);
  }

  private Ends findEnds(List<StackTraceElement> stack) {
    List<Frame> around = around(stack);
    if (around.isEmpty()) {
      return Ends.NONE;
    }
    Frame site = around.getFirst();
    List<CodeSites> code = code(around);
    return isCalledInLoop(around, code)
        ? Ends.NONE
        : BusyWaitSearch.of(site, code)
            .filter(sites -> !sites.worksInLoop(site.method(), site.line()))
            .map(sites -> sites.endingFields(site.method(), site.line()))
            .filter(fields -> !fields.stream().allMatch(LoopTargets::isForEnd))
            .findFirst()
            .map(fields -> new Ends(site.qualifiedMethod(), fields))
            .orElse(Ends.NONE);
  }

  /**
   * Returns the queue that a loop polls until it has had a number of elements; none if it does
   * anything else before, or another loop leads back.
   */
  public Optional<Set<LoopTarget>> polledForNumber(List<StackTraceElement> stack) {
    List<Frame> around = around(stack);
    List<CodeSites> code = code(around);
    return around.stream()
        .limit(1)
        .filter(site -> !isCalledInLoop(around, code))
        .flatMap(
            site ->
                BusyWaitSearch.of(site, code)
                    .filter(sites -> sites.pollsForNumber(site.method(), site.line())))
        .findFirst()
        .map(sites -> Set.of(new LoopTarget(LoopTarget.Kind.POLL, "BlockingQueue", "poll")));
  }

  /** Returns whether two threads are at different places of one loop. */
  public boolean areInOneLoop(List<StackTraceElement> stack, List<StackTraceElement> other) {
    return !stack.equals(other)
        && pairs.size() < STACKS
        && pairs.computeIfAbsent(Set.of(stack, other), same -> findOneLoop(stack, other));
  }

  private boolean findOneLoop(List<StackTraceElement> stack, List<StackTraceElement> other) {
    List<Frame> one = around(stack);
    List<Frame> two = around(other);
    if (one.isEmpty() || one.size() != two.size()) {
      return false;
    }
    Frame site = one.getFirst();
    Frame second = two.getFirst();
    return site.qualifiedMethod().equals(second.qualifiedMethod())
        && site.line() > 0
        && second.line() > 0
        && one.subList(1, one.size()).equals(two.subList(1, two.size()))
        && BusyWaitSearch.of(site, code(List.of(site)))
            .anyMatch(sites -> sites.areInOneLoop(site.method(), site.line(), second.line()));
  }

  /** Returns the frames of the application from the one with the loop on. */
  public List<Frame> around(List<StackTraceElement> stack) {
    List<Frame> known = arounds.get(stack);
    if (known == null) {
      known = findAround(stack);
      if (arounds.size() < STACKS) {
        arounds.put(stack, known);
      }
    }
    return known;
  }

  private List<Frame> findAround(List<StackTraceElement> stack) {
    List<Frame> written = written(stack);
    return !written.isEmpty() && isHelper(written, code(written))
        ? written.subList(1, written.size())
        : written;
  }

  /** Returns whether a loop calls the application's code between two waits. */
  public boolean worksInBetween(List<StackTraceElement> stack) {
    return written(stack).stream()
        .limit(1)
        .anyMatch(
            frame ->
                BusyWaitSearch.of(frame, code(List.of(frame)))
                    .anyMatch(sites -> sites.worksInLoop(frame.method(), frame.line())));
  }

  /** Returns whether no other loop leads back to the one that a thread is in: it is no worker. */
  private static boolean isOnlyLoop(List<Frame> written, List<CodeSites> code) {
    Frame site = written.getFirst();
    return BusyWaitSearch.of(site, code)
            .noneMatch(sites -> sites.isInLoops(site.method(), site.line()))
        && !isCalledInLoop(written, code);
  }

  private static boolean isCalledInLoop(List<Frame> written, List<CodeSites> code) {
    return written.stream().skip(1).anyMatch(frame -> mayBeInLoop(frame, code));
  }

  /**
   * Returns whether a field shows that a service, or the program, ends: until then a wait is
   * normal.
   */
  private static boolean isForEnd(LoopTarget target) {
    return (target.kind() == LoopTarget.Kind.STATE
            || !target.name().toLowerCase(Locale.ROOT).startsWith("is"))
        && isForEnd(target.name());
  }

  /** Returns whether a name tells that a service, or the program, ends. */
  public static boolean isForEnd(String name) {
    return FOR_END.stream().anyMatch(name.toLowerCase(Locale.ROOT)::contains);
  }

  /** Returns what a thread waits for that tries this; none if nobody knows. */
  static Set<Awaited.Trait> ends(LoopTarget target) {
    return switch (target.kind()) {
      case POLL -> Set.of(Awaited.Trait.QUEUE);
      case ATTEMPT ->
          switch (target.name()) {
            case "tryLock" -> Set.of(Awaited.Trait.EXCLUSIVE);
            case "tryAcquire" -> Set.of(Awaited.Trait.PERMITS);
            default -> Set.of();
          };
      case QUERY ->
          target.name().equals("isDone")
              ? Set.of(Awaited.Trait.COMPLETABLE, Awaited.Trait.TASK)
              : Set.of();
      case FIELD, STATE -> Set.of();
    };
  }

  /**
   * Returns the calls that change what a loop reads, if these are atomic variables that are no
   * fields; none otherwise.
   */
  public static Set<String> changing(Set<LoopTarget> targets) {
    return targets.stream().allMatch(LoopTargets::isAtomic)
        ? targets.stream()
            .flatMap(target -> Enders.changes(target.owner()))
            .collect(Collectors.toSet())
        : Set.of();
  }

  private static boolean isAtomic(LoopTarget target) {
    return target.kind() == LoopTarget.Kind.QUERY && target.owner().startsWith("Atomic");
  }

  /**
   * The attempts of a loop to get something, which threads may leave for a moment that nobody sees.
   *
   * @param method the method that has the loop
   * @param ends the things that others may give; none if no other loop leads back
   */
  private record Attempts(String method, Set<Awaited.Trait> ends) {
    static final Attempts NONE = new Attempts("", Set.of());
  }

  /**
   * Returns whether threads may leave this loop for a moment that nobody sees: another loop leads
   * back to it, and a thread of another method gives what they try to get.
   */
  public boolean mayBeServed(
      List<StackTraceElement> stack, Enders enders, Consumer<Consumer<Thread>> threads) {
    Attempts tried =
        attempts.size() == STACKS && !attempts.containsKey(stack)
            ? Attempts.NONE
            : attempts.computeIfAbsent(stack, this::findAttempts);
    return tried.ends.stream().anyMatch(end -> enders.find(end, tried.method, threads).isPresent());
  }

  private Attempts findAttempts(List<StackTraceElement> stack) {
    List<Frame> around = around(stack);
    if (around.isEmpty() || isOnlyLoop(around, code(around))) {
      return Attempts.NONE;
    }
    return new Attempts(
        around.getFirst().qualifiedMethod(),
        findTargets(written(stack), false).stream()
            .flatMap(Set::stream)
            .filter(target -> target.kind() == LoopTarget.Kind.ATTEMPT)
            .flatMap(target -> ends(target).stream())
            .collect(Collectors.toSet()));
  }

  /** Returns whether workers, too, ask so for work. */
  private static boolean isOfWorkers(LoopTarget target) {
    return switch (target.kind()) {
      case POLL, STATE -> true;
      case FIELD, QUERY, ATTEMPT -> false;
    };
  }

  /** Returns whether a loop may lead back there: unreadable code may contain one. */
  public static boolean mayBeInLoop(Frame frame, List<CodeSites> code) {
    List<CodeSites> same = BusyWaitSearch.of(frame, code).toList();
    return same.isEmpty()
        || frame.line() <= 0
        || same.stream().anyMatch(sites -> sites.isInLoop(frame.method(), frame.line()));
  }

  /**
   * Returns whether a loop that leads back leads to another queue: a request waits for its answer.
   */
  public static boolean takesFromItsOwn(List<Frame> written, List<CodeSites> code) {
    Optional<Frame> site = written.stream().findFirst();
    List<CodeSites> same = site.stream().flatMap(at -> BusyWaitSearch.of(at, code)).toList();
    return !same.isEmpty()
        && same.stream()
            .allMatch(sites -> sites.takesFromItsOwn(site.get().method(), site.get().line()));
  }

  /** Reads the classes of these frames. */
  public List<CodeSites> code(List<Frame> frames) {
    Set<String> names = new HashSet<>();
    frames.forEach(frame -> names.add(frame.type().name()));
    return classes.code(names);
  }

  /** Reads the loaded classes of that name. */
  List<CodeSites> codeOf(String name) {
    return classes.code(Set.of(name));
  }

  /** Returns the frames that are not the JDK's. */
  public static List<Frame> written(List<StackTraceElement> stack) {
    return WrittenFrames.outsideJdk(ThreadReader.frames(stack)).toList();
  }

  /** Returns whether the innermost method of the application comes to one of these calls. */
  public boolean comesTo(List<StackTraceElement> stack, Set<String> calls) {
    return written(stack).stream()
        .limit(1)
        .anyMatch(
            frame ->
                BusyWaitSearch.of(frame, code(List.of(frame)))
                    .anyMatch(sites -> sites.comesTo(frame.method(), frame.line(), calls)));
  }
}
