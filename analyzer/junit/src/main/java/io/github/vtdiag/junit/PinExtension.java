package io.github.vtdiag.junit;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.InvocationTargetException;
import java.util.Optional;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Checks tests against {@link ShouldNotPin} and {@link ShouldPin}, and a whole suite against its
 * mode.
 */
public final class PinExtension
    implements ExecutionCondition, BeforeEachCallback, AfterEachCallback {
  private static final Logger LOG = Logger.getLogger("io.github.vtdiag.junit");
  private static final Namespace NAMESPACE = Namespace.create(PinExtension.class);

  /** The first Java in which virtual threads are not a preview. */
  private static final int FIRST = 21;

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Optional<AnnotatedElement> element = context.getElement();
    boolean asked =
        AnnotationSupport.isAnnotated(element, ShouldNotPin.class)
            || AnnotationSupport.isAnnotated(element, ShouldPin.class);
    return asked && feature() < FIRST
        ? ConditionEvaluationResult.disabled(
            "@ShouldNotPin and @ShouldPin need Java 21 or later; this is Java "
                + feature()
                + ", which has no virtual threads: not checked")
        : ConditionEvaluationResult.enabled("");
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    SuiteMode mode = SuiteMode.of(context);
    Demand demand = demand(context, mode);
    if (demand == null) {
      // Also without a demand on the test, its threads have to be known as its own.
      if (feature() >= FIRST && isRunning(context)) {
        put(context, watch(context), null);
      }
      return;
    }
    if (feature() < FIRST) {
      warnOnce(context);
      return;
    }
    put(context, watch(context), demand);
  }

  private static void put(ExtensionContext context, Running running, Demand demand) {
    Object test;
    try {
      test = running.watch.begin(demand);
    } catch (IllegalArgumentException e) {
      throw new ExtensionConfigurationException(e.getMessage());
    }
    context.getStore(NAMESPACE).put(context.getUniqueId(), test);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Object test = context.getStore(NAMESPACE).remove(context.getUniqueId());
    if (test == null) {
      return;
    }
    String failure =
        watch(context)
            .watch
            .end(
                test,
                note ->
                    context.publishReportEntry("vtdiag", context.getDisplayName() + ": " + note));
    if (failure != null && SuiteMode.of(context).onlyReports && asked(context) == null) {
      LOG.warning(() -> name(context) + ": " + failure);
    } else if (failure != null) {
      throw failure(context, failure);
    }
  }

  /**
   * Returns the failure of a test. JUnit's own frames tell nothing of a pin, so its stack is the
   * test alone.
   */
  private static AssertionError failure(ExtensionContext context, String message) {
    AssertionError error = new AssertionError(message);
    StackTraceElement place =
        context
            .getTestMethod()
            .map(test -> watch(context).watch.place(test.getDeclaringClass(), test.getName()))
            .orElseGet(
                () ->
                    new StackTraceElement(
                        context.getTestClass().map(Class::getName).orElse("unknown"),
                        "test",
                        null,
                        -1));
    error.setStackTrace(new StackTraceElement[] {place});
    return error;
  }

  private static Demand demand(ExtensionContext context, SuiteMode mode) {
    Demand asked = asked(context);
    return asked != null || !mode.isOn
        ? asked
        : new Demand(name(context), false, mode.longest, 0, mode.maxStall);
  }

  /** Returns the demand of the method, or else of its class, or of a class around that. */
  private static Demand asked(ExtensionContext context) {
    for (Optional<ExtensionContext> at = Optional.of(context);
        at.isPresent();
        at = at.get().getParent()) {
      Optional<AnnotatedElement> element = at.get().getElement();
      Optional<ShouldNotPin> not = AnnotationSupport.findAnnotation(element, ShouldNotPin.class);
      Optional<ShouldPin> must = AnnotationSupport.findAnnotation(element, ShouldPin.class);
      if (not.isPresent() && must.isPresent()) {
        throw new ExtensionConfigurationException(
            "@ShouldNotPin and @ShouldPin exclude each other; leave one on "
                + at.get().getDisplayName());
      }
      if (not.isPresent()) {
        return Demand.of(name(context), not.get());
      }
      if (must.isPresent()) {
        return Demand.of(name(context), must.get());
      }
    }
    return null;
  }

  private static String name(ExtensionContext context) {
    String type = context.getTestClass().map(Class::getName).orElse("");
    String method = context.getTestMethod().map(each -> each.getName()).orElse("");
    return TestNames.of(type, method, context.getDisplayName());
  }

  private static int feature() {
    String version = System.getProperty("java.specification.version");
    return Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version);
  }

  private static Store runStore(ExtensionContext context) {
    return context.getRoot().getStore(NAMESPACE);
  }

  private static boolean isRunning(ExtensionContext context) {
    return runStore(context).get(Running.class) != null;
  }

  private static Running watch(ExtensionContext context) {
    SuiteMode mode = SuiteMode.of(context);
    return runStore(context)
        .getOrComputeIfAbsent(
            Running.class, key -> new Running(start(), mode.unknownFails), Running.class);
  }

  /** Starts the watch by name: without a reference to its class, JVMs without JFR can say so. */
  private static PinWatch start() {
    try {
      return Class.forName(
              "io.github.vtdiag.junit.inside.LivePins", true, PinExtension.class.getClassLoader())
          .asSubclass(PinWatch.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(
          "vtdiag cannot watch for pins: " + reason(e.getCause()), e.getCause());
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IllegalStateException("vtdiag cannot watch for pins: " + reason(e), e);
    }
  }

  private static String reason(Throwable e) {
    return e instanceof LinkageError && String.valueOf(e.getMessage()).contains("jfr")
        ? "this Java has no Flight Recorder (module jdk.jfr); run the tests on a full JDK"
        : e instanceof IllegalStateException ? e.getMessage() : e.toString();
  }

  private static void warnOnce(ExtensionContext context) {
    runStore(context)
        .getOrComputeIfAbsent(
            "told",
            key -> {
              LOG.warning(
                  () ->
                      SuiteMode.MODE
                          + ": not checked, because this is Java "
                          + feature()
                          + ", which has no virtual threads; run the tests on Java 21 or later");
              return key;
            });
  }

  /** The watch of the run, with which it ends. */
  private static final class Running implements Store.CloseableResource, AutoCloseable {
    final PinWatch watch;

    final boolean unknownFails;

    Running(PinWatch watch, boolean unknownFails) {
      this.watch = watch;
      this.unknownFails = unknownFails;
    }

    @Override
    public void close() {
      String failure = watch.close(unknownFails, LOG::warning);
      if (failure != null) {
        throw new AssertionError(failure);
      }
    }
  }
}
