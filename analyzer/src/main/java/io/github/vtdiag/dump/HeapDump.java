package io.github.vtdiag.dump;

import io.github.vtdiag.hang.LockHolder;
import io.github.vtdiag.hang.LockRef;
import io.github.vtdiag.hang.Reachability;
import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.model.DataException;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;
import org.netbeans.lib.profiler.heap.GCRoot;
import org.netbeans.lib.profiler.heap.Heap;
import org.netbeans.lib.profiler.heap.HeapFactory;
import org.netbeans.lib.profiler.heap.Instance;
import org.netbeans.lib.profiler.heap.JavaClass;
import org.netbeans.lib.profiler.heap.JavaFrameGCRoot;
import org.netbeans.lib.profiler.heap.ThreadObjectGCRoot;

/**
 * The threads of a heap dump (HPROF 1.0.2). Their fields say what they wait for, and a lock's field
 * says who owns it. Objects have no identity hash code there; they are told apart by their number
 * within their class, as VisualVM shows it. Java 21 dumps no stacks of threads without a carrier.
 */
public final class HeapDump implements AutoCloseable {
  private static final String HEAD = "JAVA PROFILE 1.0";
  private static final int GZIP = 0x1f8b;

  /** The kinds of record that can be the last. */
  private static final int HEAP_DUMP = 0x0c;

  private static final int HEAP_DUMP_END = 0x2c;

  private final String source;
  private final Heap heap;
  private final HeapFields fields;
  private final HeapLocks locks;
  private final HeapIndex index;
  private final Map<Long, ThreadObjectGCRoot> roots = new HashMap<>();
  private final Set<Long> jvmRoots = new HashSet<>();
  private final Map<Long, Instance> awaited = new HashMap<>();
  private final Set<Long> stackless = new HashSet<>();

  private HeapDump(String source, HeapIndex index, Heap heap) {
    this.source = source;
    this.index = index;
    this.heap = heap;
    this.fields = new HeapFields(heap);
    this.locks = new HeapLocks(heap, fields);
    for (Object root : heap.getGCRoots()) {
      if (root instanceof ThreadObjectGCRoot thread) {
        roots.put(thread.getInstance().getInstanceId(), thread);
      } else if (root instanceof JavaFrameGCRoot local) {
        locks.add(local);
      } else {
        addRoot(((GCRoot) root).getInstance());
      }
    }
  }

  /** Classes are roots as well, and no instances for the library. */
  private void addRoot(Instance object) {
    if (object != null) {
      jvmRoots.add(object.getInstanceId());
    }
  }

  /** Returns whether a file begins as a heap dump does, packed or not. */
  public static boolean is(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] head = in.readNBytes(HEAD.length());
      return new String(head, StandardCharsets.US_ASCII).equals(HEAD) || isPackedHeap(file, head);
    } catch (IOException e) {
      return false; // The next reader reports why.
    }
  }

  private static boolean isPackedHeap(Path file, byte[] head) throws IOException {
    if (head.length < 2 || (((head[0] & 0xff) << 8) | (head[1] & 0xff)) != GZIP) {
      return false;
    }
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return new String(in.readNBytes(HEAD.length()), StandardCharsets.US_ASCII).equals(HEAD);
    }
  }

  /**
   * Opens a heap dump.
   *
   * @throws DataException if it is packed, damaged, or was cut off
   */
  public static HeapDump open(Path file, String source) throws DataException {
    try (InputStream in = Files.newInputStream(file)) {
      if (in.read() == GZIP >> 8) {
        throw new DataException(
            source + " is a heap dump in gzip; unpack it first: gunzip " + source);
      }
      if (!isWhole(file)) {
        throw damaged(source, null);
      }
      return read(HeapIndex.of(file), source);
    } catch (IOException e) {
      throw new DataException(source + " cannot be read: " + e.getMessage(), e);
    } catch (OutOfMemoryError e) {
      throw new DataException(source + " does not fit into memory (see -Xmx)", e);
    }
  }

  private static HeapDump read(HeapIndex index, String source) throws IOException, DataException {
    try {
      return new HeapDump(source, index, HeapFactory.createHeap(index.dump().toFile()));
    } catch (RuntimeException e) {
      index.close();
      throw damaged(source, e); // The library throws it for damaged bytes.
    } catch (IOException | OutOfMemoryError e) {
      index.close();
      throw e;
    }
  }

  /**
   * Returns whether the last record is complete. The library does not check: it reads what there
   * is.
   */
  private static boolean isWhole(Path file) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      while (in.readByte() != 0) {
        // The name of the format, as a C string.
      }
      in.skipNBytes(Integer.BYTES + Long.BYTES);
      boolean ended = false;
      for (int tag = in.read(); tag >= 0; tag = in.read()) {
        in.skipNBytes(Integer.BYTES);
        in.skipNBytes(Integer.toUnsignedLong(in.readInt()));
        ended = tag == HEAP_DUMP || tag == HEAP_DUMP_END;
      }
      return ended;
    } catch (EOFException e) {
      return false;
    }
  }

  private static DataException damaged(String source, Exception e) {
    return new DataException(
        source
            + " is a heap dump that is damaged or was cut off; make one with jcmd PID GC.heap_dump",
        e);
  }

  /**
   * Returns the version of the Java that wrote it, such as {@code 25.0.3+9-LTS}; empty if unknown.
   */
  String version() {
    JavaClass properties = heap.getJavaClassByName("java.lang.VersionProps");
    return properties != null
            && properties.getValueOfStaticField("java_runtime_version") instanceof Instance text
        ? HeapFields.text(text)
        : "";
  }

  /** Returns the description that the JVM would give of itself. */
  Jvm jvm() {
    Properties needed = new Properties();
    Properties all = heap.getSystemProperties();
    for (String name : Jvm.NEEDED) {
      String value = all == null ? null : all.getProperty(name);
      if (value != null) {
        needed.setProperty(name, value);
      }
    }
    JavaClass virtual = heap.getJavaClassByName(HeapFields.VIRTUAL_THREAD);
    long carriers = roots.values().stream().filter(root -> isCarrier(root.getInstance())).count();
    String scheduler =
        virtual != null
                && virtual.getValueOfStaticField("DEFAULT_SCHEDULER") instanceof Instance pool
            ? "ForkJoinPool[parallelism = %d, size = %d]"
                .formatted(HeapFields.number(pool, "parallelism").orElse(0), carriers)
            : "";
    return new Jvm(needed, scheduler);
  }

  private static boolean isCarrier(Instance thread) {
    return thread.getJavaClass().getName().equals("jdk.internal.misc.CarrierThread");
  }

  /** Hands over all threads. */
  DumpReader.Header read(StackLines stacks, Consumer<DumpedThread> threads) {
    Collection<Instance> virtual = fields.virtualThreads();
    Map<Long, Instance> mounted = new HashMap<>();
    for (Instance thread : virtual) {
      if (thread.getValueOfField("carrierThread") instanceof Instance carrier) {
        mounted.put(carrier.getInstanceId(), thread);
      }
    }
    for (ThreadObjectGCRoot root : roots.values()) {
      if (!fields.isVirtual(root.getInstance())) {
        platform(root, mounted, stacks, threads);
      }
    }
    for (Instance thread : virtual) {
      Optional<Thread.State> state = fields.state(thread);
      if (state.isPresent()
          && state.get() != Thread.State.TERMINATED
          && state.get() != Thread.State.NEW) {
        threads.accept(virtual(thread, state.get(), stacks));
      }
    }
    return new DumpReader.Header(
        source,
        "",
        Instant.ofEpochMilli(heap.getSummary().getTime()).toString(),
        version(),
        false,
        true);
  }

  private void platform(
      ThreadObjectGCRoot root,
      Map<Long, Instance> mounted,
      StackLines stacks,
      Consumer<DumpedThread> threads) {
    Instance thread = root.getInstance();
    HeapStack stack = HeapStack.of(root, heap);
    Instance carried = mounted.get(thread.getInstanceId());
    if (carried != null && !roots.containsKey(carried.getInstanceId())) {
      // Java 21: both are on one stack, the virtual thread's frames first.
      locks.mount(carried, root, stack);
      stack = stack.carrierPart();
    }
    locks.put(thread, root, stack);
    threads.accept(
        dumped(thread, false, fields.state(thread), OptionalLong.empty(), stack, stacks));
  }

  private DumpedThread virtual(Instance thread, Thread.State state, StackLines stacks) {
    ThreadObjectGCRoot root = roots.get(thread.getInstanceId());
    if (root != null) {
      locks.put(thread, root, HeapStack.of(root, heap).virtualPart());
    }
    OptionalLong carrier =
        thread.getValueOfField("carrierThread") instanceof Instance mountedOn
            ? HeapFields.number(mountedOn, "tid")
            : OptionalLong.empty();
    return dumped(thread, true, Optional.of(state), carrier, locks.stack(thread), stacks);
  }

  private DumpedThread dumped(
      Instance thread,
      boolean virtual,
      Optional<Thread.State> state,
      OptionalLong carrier,
      HeapStack stack,
      StackLines stacks) {
    Optional<Instance> blocker =
        thread.getValueOfField("parkBlocker") instanceof Instance object
            ? Optional.of(object)
            : Optional.empty();
    Optional<Instance> monitor = locks.waitedOn(thread);
    if (state.filter(Thread.State.WAITING::equals).isPresent()) {
      blocker.or(() -> monitor).ifPresent(object -> awaited.put(thread.getInstanceId(), object));
    }
    if (virtual && stack.lines().isEmpty() && !fields.isFresh(thread)) {
      stackless.add(thread.getInstanceId());
    }
    return new DumpedThread(
        HeapFields.number(thread, "tid").orElse(-1),
        HeapFields.name(thread),
        HeapFields.container(thread),
        virtual,
        state,
        blocker.map(HeapLocks::reference),
        blocker.map(locks::holder).orElse(new LockHolder.NotKnown()),
        monitor.map(HeapLocks::reference),
        Optional.empty(),
        stacks.stack(stack.lines()),
        List.of(),
        carrier,
        false);
  }

  /** Finds the threads that can end the waits of the threads that were read. */
  Reachability reach() {
    HeapReach.Result found = new HeapReach(fields, locks, jvmRoots).find(awaited, stackless);
    Map<LockRef, Set<Long>> reachedBy = new LinkedHashMap<>();
    found
        .reachedBy()
        .forEach((object, threads) -> reachedBy.put(HeapLocks.reference(object), ids(threads)));
    return new Reachability(ids(found.stranded()), reachedBy);
  }

  private Set<Long> ids(Set<Long> threads) {
    Set<Long> ids = new HashSet<>();
    for (long thread : threads) {
      HeapFields.number(heap.getInstanceByID(thread), "tid").ifPresent(ids::add);
    }
    return ids;
  }

  /**
   * Returns the same thread, with the objects of those monitors that the fields in the heap tell.
   */
  SeenThread exact(SeenThread thread) {
    return locks.exact(thread);
  }

  @Override
  public void close() {
    index.close();
  }
}
