package io.github.vtdiag.agent.threads;

import io.github.vtdiag.watch.CarrierStates;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;

/**
 * The state of carriers according to the operating system and HotSpot's own structures. Where these
 * cannot be read, it is taken from the JVM's management, which stops all threads. That costs more,
 * so it is done less often. What it opens stays open until it is closed: to open it costs more than
 * most questions.
 */
public final class OsThreads implements CarrierStates {
  /** The number of threads that are kept. */
  private static final int KNOWN = 4_000;

  /** The number of bytes that hold number, name and state of a thread, or its times. */
  private static final int HEAD = 64;

  private final Instrumentation instrumentation;
  private final Map<Long, String> folders =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, String> eldest) {
          return size() > KNOWN;
        }
      };

  /**
   * True once HotSpot's structures were looked for. That is done at the first use, which a program
   * without virtual threads does not have.
   */
  private boolean looked;

  private Optional<HotspotThreads> hotspot = Optional.empty();
  private BooleanSupplier full = () -> false;
  private final StoppedThreads stopped = new StoppedThreads();

  /** The memory of the process; null as long as nothing was asked. */
  private ProcessMemory opened;

  public OsThreads(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** Reads something of a thread; fails if the thread has ended. */
  @FunctionalInterface
  private interface Question<T> {
    T ask(HotspotThreads found, ProcessMemory memory) throws IOException, IllegalAccessException;
  }

  private Optional<HotspotThreads> hotspot() {
    if (!looked) {
      looked = true;
      hotspot = HotspotThreads.find(instrumentation);
      try {
        full = MachineLoad.find();
      } catch (LinkageError e) {
        // A JVM without jdk.management: then no thread is assumed to want a processor.
      }
    }
    return hotspot;
  }

  private <T> T ask(HotspotThreads found, T ended, Question<T> question) {
    try {
      if (opened == null) {
        opened = ProcessMemory.open();
      }
      return question.ask(found, opened);
    } catch (IOException e) {
      return ended;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean mayWantProcessor(Thread carrier) {
    if (hotspot().isEmpty()) {
      return full.getAsBoolean();
    }
    return ask(hotspot.get(), false, (found, memory) -> isRunnable(file(found, memory, carrier)));
  }

  @Override
  public boolean isInNative(Thread carrier) {
    return hotspot().isPresent()
        ? ask(hotspot.get(), false, (found, memory) -> found.isInNative(memory, carrier))
        : stopped.isInNative(carrier);
  }

  @Override
  public OptionalInt inNative(List<Thread> carriers) {
    return hotspot().isPresent()
        ? OptionalInt.of(ask(hotspot.get(), 0, (found, memory) -> count(found, memory, carriers)))
        : stopped.inNative(carriers);
  }

  private static int count(HotspotThreads found, ProcessMemory memory, List<Thread> carriers)
      throws IOException, IllegalAccessException {
    int count = 0;
    for (Thread carrier : carriers) {
      count += found.isInNative(memory, carrier) ? 1 : 0;
    }
    return count;
  }

  /**
   * Returns a number that differs from one wait to the next. A thread that waits to be notified or
   * unparked is given no processor meanwhile: the number counts how often it was. A thread that
   * waits for a monitor is woken now and then to try again: there the number is the monitor's
   * address. HotSpot has none for a thread that was notified and waits to go on; such a thread is
   * not woken before the monitor is given up.
   */
  @Override
  public long waitNumber(Thread carrier, Thread.State state) {
    if (hotspot().isEmpty()) {
      return stopped.waits(carrier);
    }
    long number =
        ask(
            hotspot.get(),
            -1L,
            (found, memory) -> {
              long monitor =
                  state == Thread.State.BLOCKED ? found.pendingMonitor(memory, carrier) : 0;
              return monitor == 0 ? runs(file(found, memory, carrier)) : monitor;
            });
    return number == -1 ? stopped.waits(carrier) : number;
  }

  @Override
  public long runs(Thread carrier) {
    return hotspot().isPresent()
        ? ask(hotspot.get(), 0L, (found, memory) -> runs(file(found, memory, carrier)))
        : 0;
  }

  @Override
  public boolean readsPipe(Thread carrier) {
    return hotspot().isPresent()
        && ask(
            hotspot.get(),
            false,
            (found, memory) -> readsPipe(head(file(found, memory, carrier) + "syscall")));
  }

  private static boolean readsPipe(String syscall) throws IOException {
    long file = LinuxTask.file(syscall, LinuxTask.READ).orElse(0);
    return file > 0
        && Files.readSymbolicLink(Path.of("/proc/self/fd/" + file)).toString().startsWith("pipe:");
  }

  @Override
  public OptionalInt reads(Thread thread) {
    return hotspot().isPresent()
        ? ask(
            hotspot.get(),
            OptionalInt.empty(),
            (found, memory) -> descriptor(head(file(found, memory, thread) + "syscall")))
        : OptionalInt.empty();
  }

  private static OptionalInt descriptor(String syscall) {
    OptionalLong file = LinuxTask.file(syscall, LinuxTask.READ);
    return file.isPresent() ? OptionalInt.of((int) file.getAsLong()) : OptionalInt.empty();
  }

  private String file(HotspotThreads found, ProcessMemory memory, Thread thread)
      throws IOException, IllegalAccessException {
    String folder = folders.get(thread.threadId());
    if (folder == null) {
      folder = "/proc/self/task/" + found.number(memory, thread) + "/";
      folders.put(thread.threadId(), folder);
    }
    return folder;
  }

  /** Returns whether the thread runs, or would if it had a processor. */
  private static boolean isRunnable(String folder) throws IOException {
    return LinuxTask.state(head(folder + "stat")) == 'R';
  }

  /** Returns how often the thread was given a processor: the last of Linux's three numbers. */
  private static long runs(String folder) throws IOException {
    String times = head(folder + "schedstat").strip();
    return Long.parseLong(times.substring(times.lastIndexOf(' ') + 1));
  }

  private static String head(String file) throws IOException {
    try (InputStream in = new FileInputStream(file)) {
      return new String(in.readNBytes(HEAD), StandardCharsets.ISO_8859_1);
    }
  }

  /** Closes what is open; a later question opens it again. */
  @Override
  public void close() {
    if (opened != null) {
      try {
        opened.close();
      } catch (IOException e) {
        // It was only read.
      }
      opened = null;
    }
  }
}
