package io.github.vtdiag.agent.threads;

import io.github.vtdiag.watch.Scheduling;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the operating system tells of a thread. On Linux that is whether it wants a processor; the
 * number by which Linux knows the thread is in HotSpot's own structures. Elsewhere all that can be
 * told is whether there is a processor to spare.
 */
public final class OsThreads implements Scheduling {
  private static final Path SELF = Path.of("/proc/thread-self");
  private static final String NUMBER = "OSThread._thread_id";

  /** More than that would be other threads by then. */
  private static final int KNOWN = 4_000;

  /** Number, name and state of a thread. */
  private static final int HEAD = 64;

  private final Instrumentation instrumentation;
  private final Map<Long, String> files =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, String> eldest) {
          return size() > KNOWN;
        }
      };

  /** Looked for when it is needed first, which it is not in a program whose threads do not wait. */
  private boolean looked;

  private Optional<Numbers> numbers = Optional.empty();
  private Scheduling elsewhere = thread -> false;

  public OsThreads(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  /** Where HotSpot has the number of a thread. */
  private static final class Numbers {
    private final Field vmThread;
    private final VmStructs structs;
    private final String osThread;

    Numbers(ProcessMemory memory, String osThread)
        throws ReflectiveOperationException, IOException {
      this.vmThread = Thread.class.getDeclaredField("eetop");
      vmThread.setAccessible(true);
      this.structs = new VmStructs(memory, Set.of(osThread, NUMBER));
      this.osThread = osThread;
    }

    static Optional<Numbers> find(Instrumentation instrumentation) {
      if (!VmMonitors.mayRead()) {
        return Optional.empty();
      }
      try (ProcessMemory memory = ProcessMemory.open()) {
        ThreadInternals.open(instrumentation, "java.lang", "jdk.internal.loader");
        Numbers found;
        try {
          found = new Numbers(memory, "JavaThread._osthread");
        } catch (NoSuchFieldException e) {
          // JDK 24 and later.
          found = new Numbers(memory, "Thread._osthread");
        }
        String self = Files.readSymbolicLink(SELF).getFileName().toString();
        boolean right = self.equals(Integer.toString(found.of(memory, Thread.currentThread())));
        return right ? Optional.of(found) : Optional.empty();
      } catch (ReflectiveOperationException | IOException | RuntimeException | LinkageError e) {
        return Optional.empty();
      }
    }

    private int of(ProcessMemory memory, Thread thread)
        throws IOException, ReflectiveOperationException {
      long vm = vmThread.getLong(thread);
      return memory.intAt(memory.longAt(vm + structs.place(osThread)) + structs.place(NUMBER));
    }

    int of(Thread thread) throws IOException, ReflectiveOperationException {
      try (ProcessMemory memory = ProcessMemory.open()) {
        return of(memory, thread);
      }
    }
  }

  @Override
  public boolean mayWantProcessor(Thread thread) {
    if (!looked) {
      looked = true;
      numbers = Numbers.find(instrumentation);
      try {
        elsewhere = MachineLoad.find();
      } catch (LinkageError e) {
        // A JVM without jdk.management: then nobody is taken to want a processor.
      }
    }
    if (numbers.isEmpty()) {
      return elsewhere.mayWantProcessor(thread);
    }
    try {
      return isRunnable(file(thread, numbers.get()));
    } catch (IOException e) {
      // It has ended.
      files.remove(thread.threadId());
      return false;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private String file(Thread thread, Numbers found)
      throws IOException, ReflectiveOperationException {
    String file = files.get(thread.threadId());
    if (file == null) {
      file = "/proc/self/task/" + found.of(thread) + "/stat";
      files.put(thread.threadId(), file);
    }
    return file;
  }

  /** {@code 4711 (ForkJoi..rker-1) R ...}: it runs, or would if it had a processor. */
  private static boolean isRunnable(String file) throws IOException {
    try (InputStream in = new FileInputStream(file)) {
      String head = new String(in.readNBytes(HEAD), StandardCharsets.ISO_8859_1);
      int state = head.lastIndexOf(") ") + 2;
      return state > 1 && state < head.length() && head.charAt(state) == 'R';
    }
  }
}
