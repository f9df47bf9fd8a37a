package io.github.vtdiag.agent.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.github.vtdiag.boot.Mounts;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CaughtFailuresTest {
  /** The shape of the timer's class: it catches everything that a task throws, and logs it. */
  public static final class Timeout implements Runnable {
    private final Runnable task;
    private String logged = "";

    public Timeout(Runnable task) {
      this.task = task;
    }

    @Override
    @SuppressWarnings("CatchingUnchecked") // as the timer does
    public void run() {
      try {
        task.run();
      } catch (Throwable t) {
        logged = t.getMessage();
      }
    }

    @Override
    public String toString() {
      return logged;
    }
  }

  /** Loads the woven class beside the one here. */
  private static final class Woven extends ClassLoader {
    Woven() {
      super(CaughtFailuresTest.class.getClassLoader());
    }

    Runnable timeout(Runnable task) throws IOException, ReflectiveOperationException {
      String name = Timeout.class.getName();
      try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] woven = CaughtFailures.weave(in.readAllBytes());
        return (Runnable)
            defineClass(name, woven, 0, woven.length)
                .getConstructor(Runnable.class)
                .newInstance(task);
      }
    }
  }

  /** An Instrumentation lists no classes, not even an empty list, once its JVM has ended. */
  @Test
  void aJvmThatHasEndedIsNoFailure() throws Exception {
    List<String> asked = new ArrayList<>();
    Instrumentation ended =
        (Instrumentation)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Instrumentation.class},
                (self, method, arguments) -> {
                  asked.add(method.getName());
                  return null;
                });
    new CaughtFailures().install(ended);
    assertEquals(List.of("addTransformer", "getAllLoadedClasses"), asked);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aTaskThatFailsIsNotedAndTheTimerGoesOn(boolean fails) throws Exception {
    Runnable timeout =
        new Woven()
            .timeout(
                () -> {
                  if (fails) {
                    throw new IllegalStateException("the task fails");
                  }
                });
    AtomicLong id = new AtomicLong();
    Thread timer =
        new Thread(
            () -> {
              timeout.run();
              id.set(Thread.currentThread().threadId());
            });
    timer.start();
    timer.join();
    assertEquals(fails, Mounts.hasFailed(id.get()));
    assertEquals(fails ? "the task fails" : "", timeout.toString());
  }

  @Test
  void otherClassesStayAsTheyAre() {
    byte[] file = new byte[0];
    assertNull(
        new CaughtFailures()
            .transform(null, null, "io/netty/util/HashedWheelTimer", null, null, file));
  }
}
