package io.github.vtdiag.agent.threads;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The monitors that threads wait to enter, and their owners, on a JDK that does not report them.
 * They are read from HotSpot's own records without stopping a thread, and may be outdated a moment
 * later.
 */
final class VmMonitors {
  /** A property that, if it is false, prevents all reading. */
  private static final String PROPERTY = "vtdiag.vmstructs";

  private static final String PENDING = "JavaThread._current_pending_monitor";
  private static final String STACK_BASE = "JavaThread._stack_base";
  private static final String STACK_SIZE = "JavaThread._stack_size";
  private static final String OWNER = "ObjectMonitor._owner";
  private static final String OBJECT = "ObjectMonitor._object";
  private static final String HEADER = "ObjectMonitor._header";
  private static final String LIST = "ObjectSynchronizer._in_use_list";
  private static final String HEAD = "MonitorList._head";
  private static final String NEXT = "ObjectMonitor._next_om";
  private static final String KLASS = "oopDesc._metadata._compressed_klass";
  private static final String KLASS_BASE = "CompressedKlassPointers._narrow_klass._base";
  private static final String KLASS_SHIFT = "CompressedKlassPointers._narrow_klass._shift";
  private static final String KLASS_NAME = "Klass._name";
  private static final String SYMBOL_LENGTH = "Symbol._length";
  private static final String SYMBOL_BODY = "Symbol._body[0]";

  /** The position of the identity hash in the header word of an object. */
  private static final int HASH_SHIFT = 8;

  private static final long HASH_MASK = 0x7fff_ffffL;

  /** The longest class name; a longer text is no name. */
  private static final int MOST_NAME = 4_000;

  /** The number of monitors that are searched for one that was created a moment ago. */
  private static final int NEWEST = 1_000;

  private final Field vmThread;
  private final VmStructs structs;
  private boolean hasNames;

  /**
   * A monitor that a thread waits to enter.
   *
   * @param className the class of the object; empty if that cannot be seen
   * @param hash the object's identity hash; if it has none yet, a number that no other monitor has
   *     now
   * @param owner the id of the platform thread, maybe a carrier, that is in the monitor; empty if
   *     there is none at the moment
   */
  record Pending(String className, int hash, OptionalLong owner) {}

  private VmMonitors(ProcessMemory memory) throws ReflectiveOperationException, IOException {
    this.vmThread = Thread.class.getDeclaredField("eetop");
    vmThread.setAccessible(true);
    this.structs =
        new VmStructs(
            memory,
            Set.of(
                PENDING,
                STACK_BASE,
                STACK_SIZE,
                OWNER,
                OBJECT,
                HEADER,
                LIST,
                HEAD,
                NEXT,
                KLASS,
                KLASS_BASE,
                KLASS_SHIFT,
                KLASS_NAME,
                SYMBOL_LENGTH,
                SYMBOL_BODY));
  }

  /**
   * Returns whether the memory of a process is a file on this machine, and reading is not disabled.
   */
  static boolean mayRead() {
    return !"false".equals(System.getProperty(PROPERTY)) && ProcessMemory.isThere();
  }

  /** Returns empty where this JVM or this machine cannot be read so. */
  static Optional<VmMonitors> find(Instrumentation instrumentation) {
    if (!mayRead()) {
      return Optional.empty();
    }
    try (ProcessMemory memory = ProcessMemory.open()) {
      ThreadInternals.open(instrumentation, "java.lang", "jdk.internal.loader");
      VmMonitors found = new VmMonitors(memory);
      return found.isRight(memory) ? Optional.of(found) : Optional.empty();
    } catch (ReflectiveOperationException | IOException | RuntimeException | LinkageError e) {
      return Optional.empty();
    }
  }

  /** Returns whether a monitor of this thread is found with its true owner and hash. */
  @SuppressWarnings("WaitNotInLoop") // it only inflates the monitor
  private boolean isRight(ProcessMemory memory)
      throws IOException, NoSuchFieldException, IllegalAccessException {
    Object probe = new Object();
    int hash = System.identityHashCode(probe);
    synchronized (probe) {
      try {
        // A thread that waits inflates the object's monitor.
        probe.wait(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      long monitor = memory.longAt(structs.place(LIST) + structs.place(HEAD));
      for (int i = 0; i < NEWEST && monitor != 0; i++) {
        if (hash(memory, monitor) == hash
            && memory.longAt(monitor + structs.place(OWNER))
                == vmThread.getLong(Thread.currentThread())) {
          // Names are wrong with a collector that keeps something else beside an object's address.
          hasNames = readName(memory, monitor).equals(Object.class.getName());
          return true;
        }
        monitor = memory.longAt(monitor + structs.place(NEXT));
      }
      return false;
    }
  }

  /**
   * Returns the monitors that these threads wait to enter, by the threads' ids.
   *
   * @param threads all platform threads and carriers
   * @param waiting the ids of the threads to look up
   */
  Map<Long, Pending> pending(Iterable<Thread> threads, Set<Long> waiting) {
    Map<Long, Pending> found = new HashMap<>();
    try (ProcessMemory memory = ProcessMemory.open()) {
      for (Thread thread : threads) {
        if (waiting.contains(thread.threadId())) {
          pending(memory, thread, threads).ifPresent(seen -> found.put(thread.threadId(), seen));
        }
      }
    } catch (IOException e) {
      // Something was gone at that moment: then the rest is unknown, this time.
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    return found;
  }

  private Optional<Pending> pending(ProcessMemory memory, Thread thread, Iterable<Thread> all)
      throws IOException, ReflectiveOperationException {
    long waiter = vmThread.getLong(thread);
    long monitor = waiter == 0 ? 0 : memory.longAt(waiter + structs.place(PENDING));
    if (monitor == 0) {
      return Optional.empty();
    }
    long owner = memory.longAt(monitor + structs.place(OWNER));
    OptionalLong ownerId = owner == 0 ? OptionalLong.empty() : id(memory, owner, all);
    int hash = hash(memory, monitor);
    String className = hasNames ? readName(memory, monitor) : "";
    boolean same =
        vmThread.getLong(thread) == waiter
            && memory.longAt(waiter + structs.place(PENDING)) == monitor
            && memory.longAt(monitor + structs.place(OWNER)) == owner;
    if (!same || (owner != 0 && ownerId.isEmpty())) {
      return Optional.empty();
    }
    int number = (int) ((monitor >>> 3) & HASH_MASK);
    return Optional.of(new Pending(className, hash == 0 ? number : hash, ownerId));
  }

  /**
   * Returns the id of the thread that owns a monitor. The owner is recorded as the JVM's thread, or
   * as an address on that thread's stack.
   */
  private OptionalLong id(ProcessMemory memory, long owner, Iterable<Thread> all)
      throws IOException, ReflectiveOperationException {
    for (Thread thread : all) {
      long vm = vmThread.getLong(thread);
      if (vm == 0) {
        continue;
      }
      long base = memory.longAt(vm + structs.place(STACK_BASE));
      long size = memory.longAt(vm + structs.place(STACK_SIZE));
      if (owner == vm || (owner < base && owner >= base - size)) {
        return OptionalLong.of(thread.threadId());
      }
    }
    return OptionalLong.empty();
  }

  private int hash(ProcessMemory memory, long monitor) throws IOException, NoSuchFieldException {
    long header = memory.longAt(monitor + structs.place(HEADER));
    return (int) ((header >>> HASH_SHIFT) & HASH_MASK);
  }

  /**
   * Returns the class name of a monitor's object; empty if the collector moves the object
   * meanwhile.
   */
  private String readName(ProcessMemory memory, long monitor) throws NoSuchFieldException {
    try {
      long object = memory.longAt(memory.longAt(monitor + structs.place(OBJECT)));
      long narrow = Integer.toUnsignedLong(memory.intAt(object + structs.place(KLASS)));
      long klass =
          memory.longAt(structs.place(KLASS_BASE))
              + (narrow << memory.intAt(structs.place(KLASS_SHIFT)));
      long symbol = memory.longAt(klass + structs.place(KLASS_NAME));
      int length = memory.unsignedShortAt(symbol + structs.place(SYMBOL_LENGTH));
      return length > MOST_NAME
          ? ""
          : memory.textAt(symbol + structs.place(SYMBOL_BODY), length).replace('/', '.');
    } catch (IOException e) {
      return "";
    }
  }
}
