package io.github.vtdiag.dump;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.netbeans.lib.profiler.heap.Field;
import org.netbeans.lib.profiler.heap.FieldValue;
import org.netbeans.lib.profiler.heap.Heap;
import org.netbeans.lib.profiler.heap.Instance;
import org.netbeans.lib.profiler.heap.JavaClass;
import org.netbeans.lib.profiler.heap.ObjectArrayInstance;
import org.netbeans.lib.profiler.heap.ObjectFieldValue;
import org.netbeans.lib.profiler.heap.PrimitiveArrayInstance;

/** Reads the fields of threads, in the JDKs that have virtual threads. */
final class HeapFields {
  static final String VIRTUAL_THREAD = "java.lang.VirtualThread";

  /** The bits of a platform thread's status, as JVM TI defines them. */
  private static final int ALIVE = 0x1;

  private static final int TERMINATED = 0x2;
  private static final int RUNNABLE = 0x4;
  private static final int WAITING = 0x10;
  private static final int TIMED_WAITING = 0x20;
  private static final int BLOCKED = 0x400;

  private static final int SUSPENDED = 0x100;

  private final Heap heap;
  private final Map<Integer, String> virtualStates = new HashMap<>();
  private final Set<Long> timed = new HashSet<>();

  HeapFields(Heap heap) {
    this.heap = heap;
    JavaClass virtual = heap.getJavaClassByName(VIRTUAL_THREAD);
    if (virtual != null) {
      // Each JDK has numbers of its own; their names say what they mean.
      for (Object each : virtual.getStaticFieldValues()) {
        FieldValue value = (FieldValue) each;
        Field field = value.getField();
        if (field.getType().getName().equals("int") && !field.getName().equals("SUSPENDED")) {
          virtualStates.put(Integer.parseInt(value.getValue()), field.getName());
        }
      }
      if (virtual.getValueOfStaticField("UNPARKER") instanceof Instance unparker) {
        sleepers(unparker);
      }
    }
  }

  /**
   * Finds the sleeping threads. Java 21 has one state for parked threads; those that wake up by
   * themselves are queued here.
   */
  private void sleepers(Instance unparker) {
    if (unparker.getValueOfField("workQueue") instanceof Instance tasks
        && tasks.getValueOfField("queue") instanceof ObjectArrayInstance queue) {
      for (Object task : queue.getValues()) {
        if (task instanceof Instance future
            && future.getValueOfField("callable") instanceof Instance callable
            && callable.getValueOfField("task") instanceof Instance lambda) {
          for (Object captured : lambda.getFieldValues()) {
            if (captured instanceof ObjectFieldValue value && value.getInstance() != null) {
              timed.add(value.getInstance().getInstanceId());
            }
          }
        }
      }
    }
  }

  Collection<Instance> virtualThreads() {
    List<Instance> all = new ArrayList<>();
    JavaClass virtual = heap.getJavaClassByName(VIRTUAL_THREAD);
    if (virtual != null) {
      for (Object each : virtual.getInstances()) {
        all.add((Instance) each);
      }
    }
    return all;
  }

  boolean isVirtual(Instance thread) {
    return thread.getJavaClass().getName().equals(VIRTUAL_THREAD);
  }

  /** Returns the state of a thread; empty if this JDK is not known. */
  Optional<Thread.State> state(Instance thread) {
    return isVirtual(thread) ? virtualState(thread) : Optional.of(platformState(thread));
  }

  private Optional<Thread.State> virtualState(Instance thread) {
    int state = (int) number(thread, "state").orElse(-1) & ~SUSPENDED;
    boolean isTimed = timed.contains(thread.getInstanceId());
    return Optional.ofNullable(virtualStates.get(state))
        .map(
            name ->
                switch (name) {
                  case "NEW" -> Thread.State.NEW;
                  case "RUNNING" ->
                      thread.getValueOfField("carrierThread") instanceof Instance carrier
                          ? platformState(carrier)
                          : Thread.State.RUNNABLE;
                  case "PARKED", "PINNED" ->
                      isTimed ? Thread.State.TIMED_WAITING : Thread.State.WAITING;
                  case "WAIT" -> Thread.State.WAITING;
                  case "TIMED_PARKED", "TIMED_PINNED", "TIMED_WAIT" -> Thread.State.TIMED_WAITING;
                  case "BLOCKED" -> Thread.State.BLOCKED;
                  case "TERMINATED" -> Thread.State.TERMINATED;
                  // On the way from one to the other, or woken.
                  default -> Thread.State.RUNNABLE;
                });
  }

  private static Thread.State platformState(Instance thread) {
    int status =
        thread.getValueOfField("holder") instanceof Instance holder
            ? (int) number(holder, "threadStatus").orElse(0)
            : 0;
    if ((status & RUNNABLE) != 0) {
      return Thread.State.RUNNABLE;
    } else if ((status & BLOCKED) != 0) {
      return Thread.State.BLOCKED;
    } else if ((status & WAITING) != 0) {
      return Thread.State.WAITING;
    } else if ((status & TIMED_WAITING) != 0) {
      return Thread.State.TIMED_WAITING;
    } else if ((status & TERMINATED) != 0) {
      return Thread.State.TERMINATED;
    }
    return (status & ALIVE) == 0 ? Thread.State.NEW : Thread.State.RUNNABLE;
  }

  /** Returns whether a virtual thread has never run, so that it has no frames. */
  boolean isFresh(Instance thread) {
    return "STARTED".equals(virtualStates.get((int) number(thread, "state").orElse(-1)));
  }

  /** Returns whether it is a thread that has been started and has not ended. */
  boolean isAlive(Instance object) {
    return isThread(object)
        && state(object)
            .filter(state -> state != Thread.State.NEW && state != Thread.State.TERMINATED)
            .isPresent();
  }

  static boolean isThread(Instance object) {
    return isA(object, "java.lang.Thread");
  }

  /** Returns whether it is a thread of a JDK class, in which no program has fields. */
  static boolean isThreadOfTheJdk(Instance thread) {
    return thread.getJavaClass().getClassLoader() == null;
  }

  static boolean isA(Instance object, String className) {
    for (JavaClass type = object.getJavaClass(); type != null; type = type.getSuperClass()) {
      if (type.getName().equals(className)) {
        return true;
      }
    }
    return false;
  }

  static String name(Instance thread) {
    return thread.getValueOfField("name") instanceof Instance text ? text(text) : "";
  }

  /** Returns the name of what started the thread, as in thread dumps. */
  static String container(Instance thread) {
    if (!(thread.getValueOfField("container") instanceof Instance container)) {
      return "";
    }
    return container.getValueOfField("name") instanceof Instance name
        ? text(name)
        : container.getJavaClass().getName();
  }

  static OptionalLong number(Instance object, String field) {
    return object.getValueOfField(field) instanceof Number number
        ? OptionalLong.of(number.longValue())
        : OptionalLong.empty();
  }

  /** Returns the text of a {@link String}. */
  static String text(Instance text) {
    if (!(text.getValueOfField("value") instanceof PrimitiveArrayInstance value)) {
      return "";
    }
    byte[] bytes = new byte[value.getLength()];
    int at = 0;
    for (Object each : value.getValues()) {
      bytes[at++] = Byte.parseByte((String) each);
    }
    return new String(
        bytes,
        number(text, "coder").orElse(0) == 0
            ? StandardCharsets.ISO_8859_1
            : StandardCharsets.UTF_16LE);
  }
}
