package io.github.vtdiag.agent.ends;

import io.github.vtdiag.agent.threads.ThreadInternals;
import io.github.vtdiag.agent.threads.ThreadSnapshots;
import io.github.vtdiag.pin.SeenPool;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/**
 * The pools of this JVM that report their size: through the platform's beans where they are
 * registered, those of HikariCP and Agroal through the tasks of their housekeepers. Other pools are
 * unknown.
 */
public final class PoolObjects {
  private static final String HIKARI = "HikariCP";
  private static final String AGROAL = "Agroal";
  private static final String AGROAL_PACKAGE = "io.agroal.pool.";

  /** The packages of the pools that can be asked, with their names in the table of known pools. */
  private static final Map<String, String> PACKAGES =
      Map.of(
          "com.zaxxer.hikari.",
          HIKARI,
          AGROAL_PACKAGE,
          AGROAL,
          "org.apache.commons.pool2.",
          "commons-pool2",
          "org.apache.tomcat.jdbc.pool.",
          "Tomcat JDBC",
          "com.mchange.v2.",
          "c3p0",
          "org.vibur.",
          "Vibur",
          "oracle.ucp.",
          "Oracle UCP");

  /**
   * A housekeeping thread of a pool.
   *
   * @param thread a part of its name
   * @param task the beginning of the name of its task's class, which is the pool's inner class
   */
  private record Keeper(String pool, String thread, String task) {}

  private static final List<Keeper> KEEPERS =
      List.of(
          new Keeper(HIKARI, "housekeeper", "com.zaxxer.hikari.pool.HikariPool$HouseKeeper"),
          // It has tasks if idle connections are checked or given up, as Quarkus does.
          new Keeper(AGROAL, "agroal-", AGROAL_PACKAGE + "ConnectionPool$"));

  private final Instrumentation instrumentation;
  private final Map<String, Field> fields = new HashMap<>();

  public PoolObjects(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** Returns the pool whose code is on a stack, if it is one that can be asked. */
  public static Optional<String> onStack(List<StackTraceElement> stack) {
    for (StackTraceElement frame : stack) {
      for (Map.Entry<String, String> each : PACKAGES.entrySet()) {
        if (frame.getClassName().startsWith(each.getKey())) {
          return Optional.of(each.getValue());
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the current figures of the pools of these sorts. */
  public List<SeenPool> look(long look, Set<String> sorts) {
    List<SeenPool> seen = new ArrayList<>();
    if (KEEPERS.stream().anyMatch(keeper -> sorts.contains(keeper.pool))) {
      addKept(look, sorts, seen);
    }
    try {
      PoolBeans.add(look, sorts, seen);
    } catch (LinkageError e) {
      // A Java without the module java.management.
    }
    return seen;
  }

  private void addKept(long look, Set<String> sorts, List<SeenPool> seen) {
    Set<Object> known = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Thread thread : ThreadSnapshots.platformThreads()) {
      for (Keeper keeper : KEEPERS) {
        if (sorts.contains(keeper.pool) && thread.getName().contains(keeper.thread)) {
          try {
            Object worker = get(get(thread, "holder"), "task");
            if (get(worker, "this$0") instanceof ScheduledThreadPoolExecutor executor) {
              for (Object task : executor.getQueue().toArray()) {
                pool(task, keeper).filter(known::add).ifPresent(pool -> add(look, pool, seen));
              }
            }
          } catch (ReflectiveOperationException | RuntimeException e) {
            // Another version of the pool, or a thread of that name that is something else.
          }
        }
      }
    }
  }

  /** Returns the pool whose housekeeper has that task to do. */
  private Optional<Object> pool(Object task, Keeper keeper) throws ReflectiveOperationException {
    if (!(task instanceof FutureTask<?> future)
        || !(get(future, "callable") instanceof Callable<?> call)) {
      return Optional.empty();
    }
    Object keeps = get(call, "task");
    return keeps.getClass().getName().startsWith(keeper.task)
        ? Optional.of(get(keeps, "this$0"))
        : Optional.empty();
  }

  private void add(long look, Object pool, List<SeenPool> seen) {
    try {
      seen.add(
          pool.getClass().getName().startsWith(AGROAL_PACKAGE)
              ? new SeenPool(
                  look,
                  AGROAL,
                  "",
                  call(get(pool, "configuration"), "maxSize"),
                  checkedOut(pool),
                  call(pool, "awaitingCount"))
              : new SeenPool(
                  look,
                  HIKARI,
                  String.valueOf(get(get(pool, "config"), "poolName")),
                  call(get(pool, "config"), "getMaximumPoolSize"),
                  call(pool, "getActiveConnections"),
                  call(pool, "getThreadsAwaitingConnection")));
    } catch (ReflectiveOperationException | RuntimeException e) {
      // Another version of the pool.
    }
  }

  /** Counts the connections in use; Agroal itself counts them only if its metrics are on. */
  private long checkedOut(Object pool) throws ReflectiveOperationException {
    long count = 0;
    for (Object connection : (Object[]) get(get(pool, "allConnections"), "data")) {
      if (get(connection, "state").toString().equals("CHECKED_OUT")) {
        count++;
      }
    }
    return count;
  }

  private Object get(Object of, String name) throws ReflectiveOperationException {
    Class<?> type = of.getClass();
    Field field = fields.get(type.getName() + "." + name);
    if (field == null || !field.getDeclaringClass().isInstance(of)) {
      field = field(type, name);
      ThreadInternals.open(instrumentation, field.getDeclaringClass());
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

  private long call(Object of, String name) throws ReflectiveOperationException {
    Method method = of.getClass().getMethod(name);
    ThreadInternals.open(instrumentation, method.getDeclaringClass());
    method.setAccessible(true);
    return ((Number) method.invoke(of)).longValue();
  }
}
