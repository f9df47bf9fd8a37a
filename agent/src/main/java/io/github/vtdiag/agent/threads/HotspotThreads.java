package io.github.vtdiag.agent.threads;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * HotSpot's own records of platform threads, read without stopping the thread and without walking
 * its stack. They give the thread's number in Linux, whether it runs native code, and the monitor
 * that it waits to enter. They may be outdated a moment later.
 */
final class HotspotThreads {
  private static final Path SELF = Path.of("/proc/thread-self");
  private static final String NUMBER = "OSThread._thread_id";
  private static final String STATE = "JavaThread._thread_state";
  private static final String PENDING = "JavaThread._current_pending_monitor";
  private static final String IN_NATIVE = "_thread_in_native";

  private final Field vmThread;
  private final long osThreadAt;
  private final long numberAt;
  private final long stateAt;
  private final long pendingAt;
  private final int inNative;

  private HotspotThreads(ProcessMemory memory, String osThread)
      throws ReflectiveOperationException, IOException {
    this.vmThread = Thread.class.getDeclaredField("eetop");
    vmThread.setAccessible(true);
    VmStructs structs = new VmStructs(memory, Set.of(osThread, NUMBER, STATE, PENDING));
    this.osThreadAt = structs.place(osThread);
    this.numberAt = structs.place(NUMBER);
    this.stateAt = structs.place(STATE);
    this.pendingAt = structs.place(PENDING);
    this.inNative = VmStructs.constant(memory, IN_NATIVE);
  }

  /** Returns empty where this JVM or this machine cannot be read so. */
  static Optional<HotspotThreads> find(Instrumentation instrumentation) {
    if (!VmMonitors.mayRead()) {
      return Optional.empty();
    }
    try (ProcessMemory memory = ProcessMemory.open()) {
      ThreadInternals.open(instrumentation, "java.lang", "jdk.internal.loader");
      HotspotThreads found;
      try {
        found = new HotspotThreads(memory, "JavaThread._osthread");
      } catch (NoSuchFieldException e) {
        // JDK 24 and later.
        found = new HotspotThreads(memory, "Thread._osthread");
      }
      return found.isRight(memory) ? Optional.of(found) : Optional.empty();
    } catch (ReflectiveOperationException | IOException | RuntimeException | LinkageError e) {
      return Optional.empty();
    }
  }

  /** Returns whether this thread's record is right: while it reads, it runs native code. */
  private boolean isRight(ProcessMemory memory) throws IOException, IllegalAccessException {
    Thread self = Thread.currentThread();
    String number = Files.readSymbolicLink(SELF).getFileName().toString();
    return number.equals(Integer.toString(number(memory, self)))
        && isInNative(memory, self)
        && pendingMonitor(memory, self) == 0;
  }

  /**
   * Returns the number that Linux has for the thread.
   *
   * @throws IOException if the thread has ended
   */
  int number(ProcessMemory memory, Thread thread) throws IOException, IllegalAccessException {
    return memory.intAt(memory.longAt(at(thread, osThreadAt)) + numberAt);
  }

  /**
   * Returns whether it runs native code.
   *
   * @throws IOException if the thread has ended
   */
  boolean isInNative(ProcessMemory memory, Thread thread)
      throws IOException, IllegalAccessException {
    return memory.intAt(at(thread, stateAt)) == inNative;
  }

  /**
   * Returns the address of HotSpot's monitor that the thread waits to enter; 0 for none.
   *
   * @throws IOException if the thread has ended
   */
  long pendingMonitor(ProcessMemory memory, Thread thread)
      throws IOException, IllegalAccessException {
    return memory.longAt(at(thread, pendingAt));
  }

  private long at(Thread thread, long field) throws IOException, IllegalAccessException {
    long vm = vmThread.getLong(thread);
    if (vm == 0) {
      throw new IOException("ended");
    }
    return vm + field;
  }
}
