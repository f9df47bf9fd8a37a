package io.github.vtdiag.agent.waits;

import io.github.vtdiag.agent.ends.LoopTargets;
import io.github.vtdiag.agent.threads.BusyWaitSearch;
import io.github.vtdiag.agent.threads.ThreadReader;
import io.github.vtdiag.locksite.Asking;
import io.github.vtdiag.locksite.CodeSites;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.KnownLibraries;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.WaitDetail;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Tells from the code whether loops of the application lead back to a wait, as those of workers and
 * event loops do, once for each stack.
 */
final class LoopsBack {
  private static final Set<String> FOR_EACH = Set.of("forEach", "forEachOrdered");

  /** The classes of the JDK that read from connections and write to them. */
  private static final Set<String> CONNECTIONS =
      Set.of("sun.nio.ch.NioSocketImpl", "sun.nio.ch.SocketChannelImpl");

  private final LoopTargets targets;
  private final OncePerStack outside = new OncePerStack(stack -> !isInLoop(stack));
  private final OncePerStack services = new OncePerStack(this::isService);
  private final OncePerStack answers =
      new OncePerStack(stack -> findAnswer(stack, /* endless= */ false));
  private final OncePerStack requests =
      new OncePerStack(stack -> asksFirst(LoopTargets.written(stack), Asking.AS_CLIENT));
  private final OncePerStack asking =
      new OncePerStack(
          stack ->
              asksFirst(LoopTargets.written(stack).stream().limit(1).toList(), Asking.EACH_TIME));
  private final OncePerStack replies =
      new OncePerStack(stack -> asksFirst(fromReceiver(stack), Asking.BY_MESSAGES));
  private final OncePerStack listened =
      new OncePerStack(
          stack ->
              awaited(stack).isQueue()
                  && asksFirst(LoopTargets.written(stack), Asking.BY_LISTENER));
  private final OncePerStack databases = new OncePerStack(this::callsDatabase);
  private final OncePerStack endlessAnswers =
      new OncePerStack(stack -> findAnswer(stack, /* endless= */ true));

  /**
   * @param targets reads the code
   */
  LoopsBack(LoopTargets targets) {
    this.targets = targets;
  }

  /** Returns whether no loop leads back there; false if that is not known. */
  boolean neverLead(List<StackTraceElement> stack) {
    return outside.test(stack);
  }

  /**
   * Returns whether the wait may be in a loop of the application: unreadable code may contain one.
   */
  private boolean isInLoop(List<StackTraceElement> stack) {
    List<Frame> written = LoopTargets.written(stack);
    List<CodeSites> code = targets.code(written);
    // A task may be the JDK's method itself, such as queue::take; the JDK reads connections and
    // waits for events in loops.
    return (written.isEmpty() && isOfLoopsOfJdk(awaited(stack)))
        || (awaited(stack).kind() == Awaited.Kind.DATA && isForEach(stack))
        || (written.stream().anyMatch(frame -> LoopTargets.mayBeInLoop(frame, code))
            && !LoopTargets.takesFromItsOwn(written, code));
  }

  /** Returns whether the JDK reads on for a method that is called with each line that comes. */
  private static boolean isForEach(List<StackTraceElement> stack) {
    return stack.stream()
        .takeWhile(PlatformLoops::isOfJdk)
        .filter(frame -> frame.getClassName().startsWith("java.util.stream.ReferencePipeline"))
        .anyMatch(frame -> FOR_EACH.contains(frame.getMethodName()));
  }

  private static boolean isOfLoopsOfJdk(Awaited awaited) {
    return awaited.kind() == Awaited.Kind.DATA || awaited.is(Awaited.Trait.SELECTOR);
  }

  /**
   * Returns whether a thread waits for events in a loop that ends when it has an answer, and to
   * which no other loop leads back.
   */
  boolean awaitsAnswer(List<StackTraceElement> stack) {
    return answers.test(stack);
  }

  /**
   * The same of a thread whose waits time out again and again, unless the loop may end after some
   * time or rounds.
   */
  boolean awaitsAnswerForEver(List<StackTraceElement> stack) {
    return endlessAnswers.test(stack);
  }

  /**
   * Returns whether a thread reads in a call by the interfaces of {@code java.sql}, whose methods
   * ask for something: then it awaits the answer, whatever loops its driver has.
   */
  boolean isOfDatabase(List<StackTraceElement> stack) {
    return databases.test(stack);
  }

  private boolean callsDatabase(List<StackTraceElement> stack) {
    if (awaited(stack).kind() != Awaited.Kind.DATA) {
      return false;
    }
    List<CodeSites> code = targets.code(LoopTargets.written(stack));
    // The next frame may be that of a proxy, which is the JDK's.
    List<Frame> frames = ThreadReader.frames(stack);
    return stack.stream().anyMatch(LoopsBack::isDriverManager)
        || IntStream.range(1, frames.size())
            .filter(i -> !frames.get(i).type().isJdk())
            .anyMatch(i -> callsDatabase(frames.get(i), frames.get(i - 1), code));
  }

  /**
   * Returns whether the client of a connection awaits an answer there: the code writes before it
   * reads, in each round of a loop if one leads there.
   */
  boolean awaitsAnswerOfServer(List<StackTraceElement> stack) {
    return requests.test(stack);
  }

  /**
   * Returns whether the method that waits puts something into a queue, or writes, before it takes
   * or reads.
   */
  boolean asks(List<StackTraceElement> stack) {
    return asking.test(stack);
  }

  /**
   * Returns whether a thread receives a message by a known library after it has sent one, in each
   * round of a loop if one leads there.
   */
  boolean awaitsReply(List<StackTraceElement> stack) {
    return replies.test(stack);
  }

  /**
   * Returns whether a thread takes from a queue what a listener may put there: the code has sent a
   * message before, in each round of the loop that leads there.
   */
  boolean awaitsListener(List<StackTraceElement> stack) {
    return listened.test(stack);
  }

  /** Returns whether one of these frames asks, up to the first one that may be in a loop. */
  private boolean asksFirst(List<Frame> frames, Asking how) {
    List<CodeSites> code = targets.code(frames);
    for (Frame frame : frames) {
      if (BusyWaitSearch.of(frame, code)
          .anyMatch(sites -> sites.asksFirst(frame.method(), frame.line(), how))) {
        return true;
      }
      if (LoopTargets.mayBeInLoop(frame, code)) {
        return false;
      }
    }
    return false;
  }

  private static boolean callsDatabase(Frame caller, Frame callee, List<CodeSites> code) {
    return BusyWaitSearch.of(caller, code)
        .anyMatch(sites -> sites.callsDatabase(caller.method(), caller.line(), callee.method()));
  }

  private static boolean isDriverManager(StackTraceElement frame) {
    return frame.getClassName().equals("java.sql.DriverManager");
  }

  /**
   * Returns whether a known library waits for something to come, for a loop of the application that
   * goes on as long as its service does.
   */
  boolean areServices(List<StackTraceElement> stack) {
    return services.test(stack);
  }

  private boolean isService(List<StackTraceElement> stack) {
    List<Frame> frames =
        awaited(stack).isSignalOfWorkers() ? fromReceiver(stack) : List.<Frame>of();
    List<CodeSites> code = targets.code(frames);
    return frames.stream()
        .filter(frame -> LoopTargets.mayBeInLoop(frame, code))
        .findFirst()
        .filter(
            frame ->
                BusyWaitSearch.of(frame, code)
                    .anyMatch(sites -> sites.isInService(frame.method(), frame.line())))
        .isPresent();
  }

  /**
   * Returns the frames from the application's one on that receives by a known library; none if none
   * does.
   */
  private static List<Frame> fromReceiver(List<StackTraceElement> stack) {
    Awaited awaited = awaited(stack);
    boolean comesInside =
        awaited.isSignalOfWorkers()
            || awaited.isQueue()
            || awaited.is(Awaited.Trait.SELECTOR)
            || awaited.isPark();
    if (!comesInside) {
      return List.of();
    }
    List<Frame> written = LoopTargets.written(stack);
    return KnownLibraries.caller(ThreadReader.frames(stack))
        .filter(caller -> called(written, caller).filter(KnownLibraries::receives).isPresent())
        .map(caller -> written.stream().dropWhile(frame -> !frame.equals(caller)).toList())
        .orElse(List.of());
  }

  /** Returns the frame that this one called. */
  private static Optional<Frame> called(List<Frame> written, Frame caller) {
    return written.stream()
        .takeWhile(frame -> !frame.equals(caller))
        .reduce((first, second) -> second);
  }

  private boolean findAnswer(List<StackTraceElement> stack, boolean endless) {
    if (!awaited(stack).is(Awaited.Trait.SELECTOR)) {
      return false;
    }
    List<Frame> written = LoopTargets.written(stack);
    List<CodeSites> code = targets.code(written);
    List<Frame> around =
        written.stream().dropWhile(frame -> !LoopTargets.mayBeInLoop(frame, code)).toList();
    Optional<Frame> site = around.stream().findFirst();
    return site.isPresent()
        && BusyWaitSearch.of(site.get(), code)
            .anyMatch(
                sites -> sites.selectsForAnswer(site.get().method(), site.get().line(), endless))
        && around.stream().skip(1).noneMatch(frame -> LoopTargets.mayBeInLoop(frame, code));
  }

  /**
   * Returns how a platform thread waits for events or data of its own, once or until it has an
   * answer; none if it may be an event loop or a service. A task of an executor may submit itself
   * again in place of a loop.
   *
   * @param isClient whether it reads from a connection that this program has made to another one
   */
  WaitDetail ownEvents(List<StackTraceElement> stack, BooleanSupplier isClient) {
    boolean reads = isRead(stack);
    if (reads && (awaited(stack).kind() == Awaited.Kind.ANSWER || isOfDatabase(stack))) {
      return WaitDetail.of(WaitDetail.Kind.READ_ANSWERS);
    }
    List<Frame> written = LoopTargets.written(stack);
    if (written.isEmpty() || !(reads ? isClient.getAsBoolean() : isOwnSelector(stack, written))) {
      return WaitDetail.NONE;
    }
    if (reads && awaitsAnswerOfServer(stack)) {
      return WaitDetail.of(WaitDetail.Kind.READ_ANSWERS);
    }
    if (awaitsAnswer(stack)) {
      return WaitDetail.of(WaitDetail.Kind.UNTIL_ANSWER);
    }
    return neverLead(stack) && !PlatformLoops.isOfExecutor(stack)
        ? WaitDetail.of(WaitDetail.Kind.NO_LOOP)
        : WaitDetail.NONE;
  }

  private static boolean isOwnSelector(List<StackTraceElement> stack, List<Frame> written) {
    return awaited(stack).is(Awaited.Trait.SELECTOR)
        && KnownLibraries.caller(ThreadReader.frames(stack)).equals(written.stream().findFirst());
  }

  /** Returns whether a thread waits for the other end of a connection, without a timeout. */
  static boolean isRead(List<StackTraceElement> stack) {
    return stack.stream().anyMatch(frame -> CONNECTIONS.contains(frame.getClassName()))
        && stack.stream().noneMatch(LoopsBack::isTimedRead)
        && !awaited(stack).is(Awaited.Trait.CONNECTIONS);
  }

  private static boolean isTimedRead(StackTraceElement frame) {
    return frame.getMethodName().equals("timedRead");
  }

  private static Awaited awaited(List<StackTraceElement> stack) {
    return LastingWaits.awaited(stack, Thread.State.WAITING);
  }
}
