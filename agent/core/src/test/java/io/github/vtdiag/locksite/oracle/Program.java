package io.github.vtdiag.locksite.oracle;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import jdk.jfr.Recording;

/**
 * Runs every construct in a virtual thread: often enough to have it compiled, then three times
 * more, recorded.
 */
public final class Program {
  private Program() {}

  /** A direct call of one construct, which a JIT can inline; reflection it could not. */
  public interface Call {
    void call(Constructs constructs);
  }

  /**
   * Runs all constructs.
   *
   * @param args how often to run each construct before the runs that count, and the recording to
   *     write
   */
  public static void main(String[] args) throws Exception {
    int warmUp = Integer.parseInt(args[0]);
    try (Recording recording = new Recording()) {
      recording.enable("oracle.Hit").withStackTrace().withoutThreshold();
      recording.enable("jdk.VirtualThreadPinned").withStackTrace().withoutThreshold();
      recording.start();
      FutureTask<Void> task = new FutureTask<>(() -> run(warmUp), null);
      Thread.ofVirtual().start(task);
      task.get();
      recording.stop();
      recording.dump(Path.of(args[1]));
    }
  }

  private static void run(int warmUp) {
    Constructs constructs = new Constructs();
    for (Method method : constructs()) {
      Call call = call(method);
      for (int i = 0; i < warmUp; i++) {
        call.call(constructs);
      }
      Probe.construct = method.getName();
      Probe.armed = true;
      for (int i = 0; i < 3; i++) {
        call.call(constructs);
      }
      Probe.armed = false;
    }
  }

  /** By name, so that every run has the same order. */
  static List<Method> constructs() {
    return Stream.of(Constructs.class.getDeclaredMethods())
        .filter(method -> Modifier.isPublic(method.getModifiers()))
        .sorted(Comparator.comparing(Method::getName))
        .toList();
  }

  private static Call call(Method method) {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    try {
      return (Call)
          LambdaMetafactory.metafactory(
                  lookup,
                  "call",
                  methodType(Call.class),
                  methodType(void.class, Constructs.class),
                  lookup.unreflect(method),
                  methodType(void.class, Constructs.class))
              .getTarget()
              .invoke();
    } catch (Throwable e) {
      throw new IllegalStateException("cannot call " + method, e);
    }
  }
}
