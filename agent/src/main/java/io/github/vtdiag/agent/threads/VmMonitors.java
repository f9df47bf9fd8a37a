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
 * Which monitor a thread waits to enter, and who has it, on a JDK that tells nobody: HotSpot's own
 * record of it, read without stopping anybody. What it says may be over a moment later.
 */
final class VmMonitors {
  /** If it is false, nothing is read. */
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

  /** Where the identity hash is in the word that an object begins with. */
  private static final int HASH_SHIFT = 8;

  private static final long HASH_MASK = 0x7fff_ffffL;

  /** A name longer than this is none. */
  private static final int MOST_NAME = 4_000;

  /** So many monitors are looked at to find one that was made a moment ago. */
  private static final int NEWEST = 1_000;

  private final Field vmThread;
  private final VmStructs structs;
  private boolean hasNames;

  /**
   * A monitor that a thread waits to enter.
   *
   * @param className the class of the object; empty if that cannot be seen
   * @param hash the object's identity hash; of one that nobody has asked for its hash, a number
   *     that no other monitor has now
   * @param owner the id of the platform thread, maybe a carrier, that is in the monitor; empty if
   *     none is, for the moment
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

  /** Whether this machine has the memory of a process as a file, and nobody forbade to read it. */
  static boolean mayRead() {
    return !"false".equals(System.getProperty(PROPERTY)) && ProcessMemory.isThere();
  }

  /** Empty where this JVM or this machine does not let itself be read so. */
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

  /** Whether a monitor of this thread is seen as what it is. */
  @SuppressWarnings("WaitNotInLoop") // for nothing in particular
  private boolean isRight(ProcessMemory memory)
      throws IOException, NoSuchFieldException, IllegalAccessException {
    Object probe = new Object();
    int hash = System.identityHashCode(probe);
    synchronized (probe) {
      try {
        // Who waits makes a monitor of its own for the object.
        probe.wait(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      long monitor = memory.longAt(structs.place(LIST) + structs.place(HEAD));
      for (int i = 0; i < NEWEST && monitor != 0; i++) {
        if (hash(memory, monitor) == hash
            && memory.longAt(monitor + structs.place(OWNER))
                == vmThread.getLong(Thread.currentThread())) {
          // Not with a collector that keeps something else beside an object's address.
          hasNames = readName(memory, monitor).equals(Object.class.getName());
          return true;
        }
        monitor = memory.longAt(monitor + structs.place(NEXT));
      }
      return false;
    }
  }

  /**
   * The monitors that these threads wait to enter, by their ids; none for who waits for none.
   *
   * @param threads platform threads and carriers, all that there are
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
      // Something was gone in that moment: then the rest is not known, this time.
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

  /** The thread that an owner is: as the JVM's thread, or as a place on that thread's stack. */
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

  /** The collector may move the object meanwhile: what is read so is a name, or nothing. */
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
