package io.github.vtdiag.agent.lifecycle;

import io.github.vtdiag.agent.jvm.AgentProperties;
import io.github.vtdiag.agent.jvm.AgentThread;
import io.github.vtdiag.agent.jvm.JdkInternals;
import io.github.vtdiag.agent.jvm.Log;
import io.github.vtdiag.agent.options.AgentOptions;
import io.github.vtdiag.agent.probe.CallCounter;
import io.github.vtdiag.agent.probe.WhatIf;
import io.github.vtdiag.agent.recording.LoadedClasses;
import io.github.vtdiag.agent.recording.WorkCounts;
import io.github.vtdiag.agent.threads.InsideSnapshot;
import io.github.vtdiag.rewrite.CannotRewriteException;
import io.github.vtdiag.rewrite.RewriteScope;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntToLongFunction;
import java.util.stream.Collectors;

/**
 * The entry to which {@code io.github.vtdiag.entry} hands over, before {@code main} or when
 * attached. It does as little as possible itself: it reads the options, and starts a daemon thread
 * that starts the recording.
 */
public final class Premain {
  private static final AtomicBoolean ENTERED = new AtomicBoolean();

  /**
   * The option of {@code vtdiag hang --inside}: the nanoseconds between two snapshots, a colon, and
   * the folder for them.
   */
  private static final String LOOK = "look=";

  private Premain() {}

  /**
   * Starts the agent, or says in one line why not.
   *
   * @param attached whether the program runs already, so that nothing here may end it
   * @param failOnError whether the program must not start without the agent
   */
  @SuppressWarnings("SystemExitOutsideMain") // help and onerror=fail ask for that
  public static void enter(
      String arguments, Instrumentation instrumentation, boolean attached, boolean failOnError) {
    long startNanos = System.nanoTime();
    if (attached) {
      AgentProperties.open(instrumentation);
      AgentProperties.remove(AgentProperties.REFUSED);
    }
    try {
      if (attached && arguments != null && arguments.startsWith(LOOK)) {
        look(arguments.substring(LOOK.length()), instrumentation);
        return;
      }
      String environment = System.getenv(AgentOptions.ENVIRONMENT_VARIABLE);
      AgentOptions options = AgentOptions.parse(environment, arguments);
      if (options.help()) {
        Log.print(AgentOptions.HELP);
        if (!attached) {
          System.exit(0);
        }
        return;
      }
      if (attached && options.rewrite().isPresent()) {
        throw new AgentOptions.OptionException(
            "rewrite works only from the program's start, with -javaagent");
      }
      if (ENTERED.getAndSet(true)) {
        String message = "vtdiag is already in this JVM; ignoring the second one";
        AgentProperties.set(AgentProperties.REFUSED, message);
        Log.line(message);
        return;
      }
      if (options.rewrite().isPresent()) {
        rewrite(options.rewrite().get(), instrumentation);
      }
      if (!options.count().isEmpty()) {
        boolean mayStop = options.failOnError() && !attached;
        count(options, mayStop, startNanos, instrumentation);
      }
      Session.begin(options, instrumentation, attached);
    } catch (AgentOptions.OptionException e) {
      fail(e.getMessage(), attached, failOnError);
    } catch (Throwable e) {
      // An exception that leaves premain would abort the JVM.
      fail("the agent cannot start: " + e, attached, failOnError);
    }
  }

  /** Takes the snapshots. Nothing is printed, because the output belongs to the application. */
  private static void look(String asked, Instrumentation instrumentation) {
    String refused = "";
    int colon = asked.indexOf(':');
    try {
      boolean looked =
          InsideSnapshot.write(
              Path.of(asked.substring(colon + 1)),
              Duration.ofNanos(Long.parseLong(asked.substring(0, colon))),
              new LoadedClasses(instrumentation),
              instrumentation);
      if (!looked) {
        refused = "no virtual thread has been started yet";
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      refused = e.toString();
    } catch (Throwable e) {
      refused = e.toString();
    }
    if (!refused.isEmpty()) {
      AgentProperties.set(AgentProperties.REFUSED, refused);
    }
  }

  /** Called when the agent has left, or could not begin; another one may come. */
  static void left() {
    ENTERED.set(false);
  }

  /** Starts the what-if first, so that as few classes as possible are loaded already. */
  private static void rewrite(RewriteScope scope, Instrumentation instrumentation) {
    checkSites(scope);
    String classes = scope.all() ? "all classes of the application" : scope.text();
    Log.line(
        "what-if: replacing the monitors of "
            + (scope.onlyBins() ? "" : classes + (scope.bins() ? ", and of " : ""))
            + (scope.bins() ? "ConcurrentHashMap's bins" : "")
            + " with ReentrantLocks; this is an experiment, not for production");
    if (!scope.all() && !scope.onlyBins()) {
      Log.line(
          "what-if: you assert that no other class locks the same objects; if one does, mutual"
              + " exclusion is lost");
    }
    try {
      WhatIf.install(instrumentation, scope, Premain::stop);
    } catch (IOException
        | ReflectiveOperationException
        | CannotRewriteException
        | RuntimeException
        | LinkageError e) {
      stop("cannot start: " + e);
    }
    if (scope.file().isPresent()) {
      AgentThread.atExit("vtdiag what-if", () -> tellNotLoaded(scope, instrumentation));
    }
  }

  /** Checks the sites before anything runs, so that all mismatches are reported at once. */
  private static void checkSites(RewriteScope scope) {
    try {
      Optional<String> mismatch = scope.mismatch(ClassLoader.getSystemClassLoader());
      if (mismatch.isPresent()) {
        Log.line("what-if: " + mismatch.get() + "; not starting the program");
        Runtime.getRuntime().halt(2);
      }
    } catch (IOException | RuntimeException e) {
      // A class that cannot be read now is checked when it loads.
      Log.failure("what-if: the class path cannot be read", e);
    }
  }

  private static void tellNotLoaded(RewriteScope scope, Instrumentation instrumentation) {
    Set<String> loaded =
        JdkInternals.loadedClasses(instrumentation).stream()
            .map(Class::getName)
            .collect(Collectors.toSet());
    List<String> missing = scope.notAmong(loaded);
    if (!missing.isEmpty()) {
      int most = 10;
      Log.line(
          "what-if: nothing was rewritten in these classes, which were never loaded: "
              + String.join(", ", missing.subList(0, Math.min(most, missing.size())))
              + (missing.size() > most ? ", and " + (missing.size() - most) + " more" : ""));
    }
  }

  /**
   * Halts the JVM, because some code takes an object's lock and other code its monitor. No thread,
   * and no shutdown hook of the application, may run on then.
   */
  private static void stop(String reason) {
    try {
      Log.line(
          "what-if: " + reason + "; stopping the program, because continuing could corrupt data");
    } finally {
      Runtime.getRuntime().halt(2);
    }
  }

  private static void count(
      AgentOptions options, boolean mayStop, long startNanos, Instrumentation instrumentation)
      throws AgentOptions.OptionException,
          IOException,
          ReflectiveOperationException,
          UnmodifiableClassException {
    CountFile file;
    try {
      file = new CountFile(options.countOutput().orElseThrow(), startNanos, options.count().size());
    } catch (IOException e) {
      // Nothing was changed yet: a user who attaches may try again.
      ENTERED.set(false);
      throw new AgentOptions.OptionException("cannot write the counts to " + e.getMessage());
    }
    IntToLongFunction count =
        CallCounter.install(
            instrumentation, options.count(), complaint -> cannotCount(complaint, mayStop));
    WorkCounts.count(
        options.count().stream().map(method -> method.className() + "#" + method.method()).toList(),
        count);
    file.start(count);
  }

  /**
   * Reports a method that cannot be counted, and halts the JVM if asked. Not by an exit: this
   * thread loads a class, for which shutdown hooks could wait forever.
   */
  private static void cannotCount(String complaint, boolean mayStop) {
    if (mayStop) {
      Log.line(complaint + "; stopping the program (onerror=fail)");
      Runtime.getRuntime().halt(2);
    }
    Log.line(complaint + "; continuing without it");
  }

  @SuppressWarnings("SystemExitOutsideMain")
  private static void fail(String message, boolean attached, boolean failOnError) {
    if (attached) {
      AgentProperties.set(AgentProperties.REFUSED, message);
      Log.line(message + "; not attached");
    } else if (failOnError) {
      Log.line(message + "; not starting the program (onerror=fail)");
      System.exit(2);
    } else {
      Log.line(message + "; running without the agent");
    }
  }
}
