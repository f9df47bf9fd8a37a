package vtdiag.agent.threads;

import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import vtdiag.pin.SeenPool;

/**
 * The pools of this JVM that say how large they are: through the platform's beans where they are
 * registered, and HikariCP's through the task of its housekeeper. Of all others nothing is known.
 */
final class PoolObjects {
  private static final String HIKARI = "HikariCP";
  private static final String HOUSEKEEPER = "com.zaxxer.hikari.pool.HikariPool$HouseKeeper";

  /** The packages of the pools that can be asked, with their names in the table of known pools. */
  private static final Map<String, String> PACKAGES =
      Map.of(
          "com.zaxxer.hikari.", HIKARI,
          "org.apache.commons.pool2.", "commons-pool2",
          "org.apache.tomcat.jdbc.pool.", "Tomcat JDBC");

  private final Instrumentation instrumentation;
  private final Map<String, Field> fields = new HashMap<>();
  private boolean opened;

  PoolObjects(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** The pool whose code is on a stack, if it is one that can be asked. */
  static Optional<String> onStack(List<StackTraceElement> stack) {
    for (StackTraceElement frame : stack) {
      for (Map.Entry<String, String> each : PACKAGES.entrySet()) {
        if (frame.getClassName().startsWith(each.getKey())) {
          return Optional.of(each.getValue());
        }
      }
    }
    return Optional.empty();
  }

  /** What the pools of these sorts say of themselves now. */
  List<SeenPool> look(long look, Set<String> sorts) {
    List<SeenPool> seen = new ArrayList<>();
    if (sorts.contains(HIKARI)) {
      addHikari(look, seen);
    }
    try {
      PoolBeans.add(look, sorts, seen);
    } catch (LinkageError e) {
      // A Java without the module java.management.
    }
    return seen;
  }

  private void addHikari(long look, List<SeenPool> seen) {
    if (!opened) {
      opened = true;
      ThreadInternals.open(instrumentation, "java.lang", "java.util.concurrent");
    }
    for (Thread thread : Looks.platformThreads()) {
      if (thread.getName().contains("housekeeper")) {
        try {
          Object worker = get(get(thread, "holder"), "task");
          if (get(worker, "this$0") instanceof ScheduledThreadPoolExecutor executor) {
            for (Object task : executor.getQueue().toArray()) {
              addHikari(look, task, seen);
            }
          }
        } catch (ReflectiveOperationException | RuntimeException e) {
          // Another version of it, or a thread of that name that is something else.
        }
      }
    }
  }

  private void addHikari(long look, Object task, List<SeenPool> seen)
      throws ReflectiveOperationException {
    if (!(task instanceof FutureTask<?> future)
        || !(get(future, "callable") instanceof Callable<?> call)) {
      return;
    }
    Object keeper = get(call, "task");
    if (keeper.getClass().getName().equals(HOUSEKEEPER)) {
      Object pool = get(keeper, "this$0");
      Object config = get(pool, "config");
      seen.add(
          new SeenPool(
              look,
              HIKARI,
              String.valueOf(call(config, "getPoolName")),
              ((Number) call(config, "getMaximumPoolSize")).longValue(),
              ((Number) call(pool, "getActiveConnections")).longValue(),
              ((Number) call(pool, "getThreadsAwaitingConnection")).longValue()));
    }
  }

  private Object get(Object of, String name) throws ReflectiveOperationException {
    Class<?> type = of.getClass();
    Field field = fields.get(type.getName() + "." + name);
    if (field == null || !field.getDeclaringClass().isInstance(of)) {
      field = field(type, name);
      field.setAccessible(true);
      fields.put(type.getName() + "." + name, field);
    }
    return field.get(of);
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      for (Field field : each.getDeclaredFields()) {
        if (field.getName().equals(name)) {
          return field;
        }
      }
    }
    throw new NoSuchFieldException(type.getName() + "." + name);
  }

  private static Object call(Object of, String method) throws ReflectiveOperationException {
    return of.getClass().getMethod(method).invoke(of);
  }
}
