package io.github.vtdiag.advice;

import io.github.vtdiag.advice.DesignPattern.Many;
import io.github.vtdiag.advice.DesignPattern.Place;
import io.github.vtdiag.advice.DesignPattern.Reach;
import io.github.vtdiag.advice.Recommendation.ChangePattern;
import io.github.vtdiag.advice.Recommendation.Keep;
import io.github.vtdiag.advice.Recommendation.Rewrite;
import io.github.vtdiag.advice.Recommendation.UpgradeJdk;
import io.github.vtdiag.advice.Recommendation.UpgradeLibrary;
import io.github.vtdiag.advice.Recommendation.Why;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.HarmlessPins;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.findings.KnownCollections;
import io.github.vtdiag.findings.LazyValues;
import io.github.vtdiag.model.NativeFrame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.owner.Owner;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The changes of design that vtdiag knows. To add one, add a constant here. */
final class DesignPatterns {
  private static final String MAP = "java.util.concurrent.ConcurrentHashMap";

  /** Methods whose callers have no key to look a future up by: they replace what is there. */
  private static final Set<String> REPLACING =
      Set.of("compute", "computeIfPresent", "merge", "replaceNode");

  /** Methods that call a function of their caller for each element. */
  private static final Set<String> VISITING = Set.of("forEach", "replaceAll", "removeIf", "sort");

  private static final Set<String> PIPES =
      Set.of("java.io.PipedInputStream", "java.io.PipedReader");

  static final DesignPattern ASYNC_CACHE =
      new DesignPattern(
          "ASYNC_CACHE",
          "use Caffeine's AsyncCache (buildAsync): it keeps a future, and loads outside the map",
          "the loader runs while the cache holds the monitor of its map's bin",
          Reach.LIBRARY,
          place -> place.isMonitor() && isCache(place.site()),
          DesignPatterns::besidesNone);

  static final DesignPattern ONE_FUTURE =
      new DesignPattern(
          "ONE_FUTURE",
          "keep one CompletableFuture of the value, or compute it once under a ReentrantLock",
          "the supplier runs while the wrapper holds its monitor",
          Reach.LIBRARY,
          place ->
              place.isMonitor()
                  && place.site().className().startsWith("com.google.common.base.Suppliers$"),
          DesignPatterns::besidesNone);

  static final DesignPattern LAZY_PROPERTY =
      new DesignPattern(
          "LAZY_PROPERTY",
          LazyValues.TO_DO,
          "Kotlin's lazy computes the value while it holds its monitor",
          Reach.CLASS,
          place -> place.isMonitor() && LazyValues.areOf(place.site().className()),
          DesignPatterns::besidesNone);

  static final DesignPattern FOREIGN_MAP =
      new DesignPattern(
          "FOREIGN_MAP",
          "make the same call once at start-up on a platform thread, before the first request, or"
              + " keep waits out of your code that it calls back",
          "the map belongs to a library, which fills it while it holds a monitor of the map",
          Reach.LIBRARY,
          place -> isMap(place) && !place.ownCaller(),
          DesignPatterns::besidesNone);

  static final DesignPattern FUTURE_IN_MAP =
      new DesignPattern(
          "FUTURE_IN_MAP",
          "put a CompletableFuture into the map and complete it outside, or use Caffeine's"
              + " AsyncCache",
          "a lock of your own does not help: the monitor belongs to the map",
          Reach.LIBRARY,
          place ->
              (isMap(place) && !REPLACING.contains(place.site().method()))
                  || (isSynchronizedCollection(place)
                      && place.site().method().equals("computeIfAbsent")),
          DesignPatterns::besidesNone);

  static final DesignPattern PER_KEY_LOCK =
      new DesignPattern(
          "PER_KEY_LOCK",
          "do the slow work under your own ReentrantLock per key, and store the result afterwards",
          "other keys are not blocked, and threads that wait for the same key release their"
              + " carrier",
          Reach.LIBRARY,
          place ->
              (isMap(place) || isSynchronizedCollection(place))
                  && REPLACING.contains(place.site().method()),
          (of, other) -> is(FUTURE_IN_MAP, other));

  static final DesignPattern WORK_ON_COPY =
      new DesignPattern(
          "WORK_ON_COPY",
          "copy the elements, and do the slow work on the copy; store its results afterwards",
          "the function runs while the collection holds its only monitor",
          Reach.CLASS,
          place -> isSynchronizedCollection(place) && VISITING.contains(place.site().method()),
          DesignPatterns::besidesNone);

  static final DesignPattern CONCURRENT_COLLECTION =
      new DesignPattern(
          "CONCURRENT_COLLECTION",
          "use a collection of java.util.concurrent, such as ConcurrentHashMap, and do no slow work"
              + " inside it",
          "each call takes the collection's only monitor: while one runs long, all others wait",
          Reach.CLASS,
          DesignPatterns::isSynchronizedCollection,
          (of, other) -> is(WORK_ON_COPY, other));

  static final DesignPattern QUEUE_FOR_PIPE =
      new DesignPattern(
          "QUEUE_FOR_PIPE",
          "pass the data through a BlockingQueue of buffers (ArrayBlockingQueue) in place of the"
              + " pipe",
          "both ends of a pipe wait in Object.wait inside its monitor, where no thread unmounts"
              + " before Java 24; a thread that waits for a BlockingQueue does",
          Reach.CLASS,
          place ->
              place.ownCaller()
                  && (place.isMonitor() || place.cause() instanceof PinCause.ObjectWait)
                  && PIPES.contains(place.site().className()),
          DesignPatterns::besidesNone);

  /** No place suits it: whether it applies depends on the code that the library calls. */
  static final DesignPattern NO_WAIT_IN_CALLBACK =
      new DesignPattern(
          "NO_WAIT_IN_CALLBACK",
          "keep waits out of your code that the library calls inside its monitor: fetch what it"
              + " needs at start-up, or pass the work to another thread through a queue",
          "as long as your code waits, the library holds its monitor; on Java 24 and later that"
              + " keeps no carrier, but other threads still wait for the monitor",
          Reach.SITE,
          DesignPatterns::nowhere,
          (of, other) -> other instanceof UpgradeLibrary && OwnCallbacks.inside(of).isPresent());

  static final DesignPattern OUT_OF_INITIALIZER =
      new DesignPattern(
          "OUT_OF_INITIALIZER",
          "move the slow work out of the class initializer: to start-up, or to a lazy getter under"
              + " a ReentrantLock",
          "a class initializer runs in a frame that no JDK can unmount; since Java 26 threads that"
              + " wait for an initializer unmount, but not the thread that runs it. The holder"
              + " idiom only moves the work to another initializer",
          Reach.SITE,
          place -> place.isInitialization() && place.own() && !place.site().className().isEmpty(),
          DesignPatterns::besidesNone);

  static final DesignPattern WARM_UP_CLASS =
      new DesignPattern(
          "WARM_UP_CLASS",
          "load and initialize the class at start-up on a platform thread (Class.forName), before"
              + " the first request",
          "classes are loaded and initialized in frames that no JDK can unmount; since Java 26"
              + " threads that wait for an initializer unmount, but not the thread that runs it",
          Reach.SITE,
          place ->
              place.cause() instanceof PinCause.ClassLoading
                  || isLoader(place)
                  || (place.isInitialization()
                      && (!place.own() || place.site().className().isEmpty())),
          (of, other) -> is(OUT_OF_INITIALIZER, other),
          Optional.of(
              new Many(
                  "class loading and initialization",
                  "load and initialize these classes at start-up on a platform thread"
                      + " (Class.forName), before the first request")));

  /** No place suits it: whether it applies depends on the hang. */
  static final DesignPattern BREAK_CIRCLE =
      new DesignPattern(
          "BREAK_CIRCLE",
          "break the circle of initializers: load one of these classes before any thread needs"
              + " another, or have one of them no longer need the other",
          "each of these threads initializes a class that another one waits for",
          Reach.SITE,
          DesignPatterns::nowhere,
          DesignPatterns::besidesNone,
          Optional.of(
              new Many(
                  "a circle of class initializers",
                  "break the circle of initializers: load one of these classes before any thread"
                      + " needs another, or have one of them no longer need the other")));

  static final DesignPattern WARM_UP_CALL =
      new DesignPattern(
          "WARM_UP_CALL",
          "make the same call once at start-up on a platform thread, before the first request: it"
              + " loads the classes that it needs",
          "the JDK's reflection has these classes loaded below a native frame, which pins on every"
              + " JDK, and only the first time",
          Reach.LIBRARY,
          DesignPatterns::isReflection,
          DesignPatterns::besidesNone);

  static final DesignPattern OUT_OF_NATIVE_CALL =
      new DesignPattern(
          "OUT_OF_NATIVE_CALL",
          "do not block inside a native call: fetch what it needs beforehand, or run the whole call"
              + " on a platform thread",
          "a native frame pins on every JDK; no lock and no upgrade changes that",
          Reach.LIBRARY,
          place -> place.cause() instanceof NativeFrame call && call.calledBack().isPresent(),
          DesignPatterns::besidesNone);

  /** No place suits it: whether it applies depends on the lock. */
  static final DesignPattern WAIT_TO_CONDITION =
      new DesignPattern(
          "WAIT_TO_CONDITION",
          "replace Object.wait with a Condition of a ReentrantLock, or with a CompletableFuture",
          "before Java 24 a thread in Object.wait does not unmount; the scheduler compensates with"
              + " another carrier, up to maxPoolSize",
          Reach.SITE,
          DesignPatterns::nowhere,
          DesignPatterns::besidesNone);

  /** No place suits it: whether it applies depends on the lock. */
  static final DesignPattern LOCK_IN_MAP =
      new DesignPattern(
          "LOCK_IN_MAP",
          "put a ReentrantLock for each key into the map, in place of the object that is locked,"
              + " and change all code that locks these objects together",
          "a virtual thread that holds a ReentrantLock can unmount; a patch cannot do it, because"
              + " which objects the map has is not known for sure",
          Reach.SITE,
          DesignPatterns::nowhere,
          DesignPatterns::besidesNone);

  static final DesignPattern BLOCK_OUTSIDE_LOCK =
      new DesignPattern(
          "BLOCK_OUTSIDE_LOCK",
          "make the blocking call before or after holding the lock",
          "a lock that is never held while blocking holds up no carrier and no other thread",
          Reach.SITE,
          DesignPatterns::nowhere,
          (of, other) ->
              // Waiting in its monitor for as long as it takes is the purpose of Object.wait.
              (other instanceof Rewrite && !(of.cause() instanceof PinCause.ObjectWait))
                  || other instanceof Keep(Why.Refused refused)
                  || other instanceof Keep(Why.HeldTogether held));

  static final DesignPattern PLATFORM_EXECUTOR =
      new DesignPattern(
          "PLATFORM_EXECUTOR",
          "call it on a pool of platform threads, and wait for the Future",
          "the pool bounds how many calls block at a time, and none of them blocks a carrier",
          Reach.LIBRARY,
          // The native code itself waits, so nothing can be fetched beforehand.
          place -> place.cause() instanceof NativeFrame call && call.calledBack().isEmpty(),
          (of, other) ->
              other instanceof UpgradeLibrary
                  // Where no code of the application is on the stacks, a server's own threads call
                  // it, and nobody can make them call it elsewhere.
                  || (other instanceof UpgradeJdk
                      && of.owner() instanceof Owner.Library
                      && !of.reachedFrom().isEmpty()));

  /** The patterns after which no thread waits inside the lock any more. */
  static final Set<DesignPattern> WAIT_OUTSIDE = Set.of(WORK_ON_COPY, NO_WAIT_IN_CALLBACK);

  /** All patterns; the first that suits a place is the advice. */
  private static final List<DesignPattern> ALL =
      List.of(
          ASYNC_CACHE,
          ONE_FUTURE,
          LAZY_PROPERTY,
          FOREIGN_MAP,
          FUTURE_IN_MAP,
          PER_KEY_LOCK,
          WORK_ON_COPY,
          CONCURRENT_COLLECTION,
          QUEUE_FOR_PIPE,
          NO_WAIT_IN_CALLBACK,
          OUT_OF_INITIALIZER,
          WARM_UP_CLASS,
          BREAK_CIRCLE,
          WARM_UP_CALL,
          OUT_OF_NATIVE_CALL,
          WAIT_TO_CONDITION,
          LOCK_IN_MAP,
          BLOCK_OUTSIDE_LOCK,
          PLATFORM_EXECUTOR);

  private DesignPatterns() {}

  /** Returns the pattern to follow at a place, if there is one. */
  static Optional<DesignPattern> suiting(Place place) {
    return ALL.stream().filter(pattern -> pattern.suits().test(place)).findFirst();
  }

  /** Returns the patterns that are alternatives to the recommendation. */
  static List<DesignPattern> besides(Pin finding, Recommendation recommendation) {
    return ALL.stream().filter(pattern -> pattern.besides().test(finding, recommendation)).toList();
  }

  private static boolean nowhere(Place place) {
    return false;
  }

  private static boolean besidesNone(Pin finding, Recommendation recommendation) {
    return false;
  }

  private static boolean isCache(Site site) {
    return site.caller().startsWith("com.github.benmanes.caffeine.")
        || site.className().startsWith("com.github.benmanes.caffeine.")
        || site.className().startsWith("com.google.common.cache.LocalCache");
  }

  /**
   * Returns whether a class loader of the JDK is at work: it holds its own monitors, and its caller
   * loads a class.
   */
  private static boolean isLoader(Place place) {
    return place.isMonitor() && HarmlessPins.isOfLoader(place.site());
  }

  /** Returns whether a native method of the JDK, such as getDeclaredMethods, loads a class. */
  private static boolean isReflection(Place place) {
    return place.cause() instanceof NativeFrame call
        && call.kind() == NativeFrame.Kind.JDK
        && call.calledBack().filter(back -> back.method().equals("loadClass")).isPresent();
  }

  /**
   * Returns whether a collection belongs to the JDK's own code, such as a cache of {@code
   * java.time} or the connections of its HTTP server: then the application cannot change what is in
   * it.
   */
  static boolean isCollectionOfJdk(Site site, Pin finding) {
    String type = site.className();
    return type.startsWith("java.util.")
        && finding.stack().frames().stream()
            .dropWhile(frame -> !frame.type().name().equals(type))
            .filter(frame -> !frame.type().name().startsWith("java.util."))
            .findFirst()
            .filter(frame -> frame.type().isJdk())
            .isPresent();
  }

  private static boolean isMap(Place place) {
    return place.isMonitor() && place.site().className().equals(MAP);
  }

  /**
   * Returns whether the monitor is that of a synchronized collection that no library uses:
   * Hashtable and the like, or what {@code Collections.synchronizedMap} and the like return.
   */
  private static boolean isSynchronizedCollection(Place place) {
    String type = place.site().className();
    return place.isMonitor() && place.ownCaller() && KnownCollections.isSynchronized(type);
  }

  private static boolean is(DesignPattern pattern, Recommendation recommendation) {
    return recommendation instanceof ChangePattern change && change.pattern().equals(pattern);
  }
}
