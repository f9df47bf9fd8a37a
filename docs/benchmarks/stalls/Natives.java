import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Calls of native code that do not return, by the interface that is final since Java 22. */
final class Natives {
  private static final Linker LINKER = Linker.nativeLinker();

  private Natives() {}

  private static MethodHandle function(String name) {
    return LINKER.downcallHandle(
        LINKER.defaultLookup().find(name).orElseThrow(),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  }

  private static void call(String name, int argument) throws Exception {
    try {
      int unused = (int) function(name).invokeExact(argument);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** A thread waits in native code for a signal, and others for its result. */
  @Programs.StandsStill(value = "pauseInNative|native code|CompletableFuture", java = 25)
  static void pauseInNative() {
    CompletableFuture<Integer> result = new CompletableFuture<>();
    Programs.start(
        () -> {
          call("sleep", 1_000_000);
          result.complete(1);
        });
    Programs.start(5, result::join);
  }

  /** A thread waits in native code, and nobody waits for it. */
  @Programs.StandsStill(value = "sleepInNative|native code", java = 25)
  static void sleepInNative() {
    Programs.start(() -> call("sleep", 1_000_000));
  }

  /** Two threads wait in native code on both carriers, and others need one. */
  @Programs.StandsStill(value = "sleepOnAllCarriers|native code", java = 25)
  static void sleepOnAllCarriers() throws InterruptedException {
    Programs.start(2, () -> call("sleep", 1_000_000));
    Programs.sleep(1);
    Programs.start(10, () -> Programs.sleep(0.1));
  }

  /** A thread waits for the lock of a file that another process has. */
  @Programs.StandsStill(value = "lockOfFile|native code", java = 25)
  static void lockOfFile() throws Exception {
    Path file = Files.createTempFile("stalls", ".lock");
    new ProcessBuilder("flock", file.toString(), "sleep", "" + Programs.duration().toSeconds())
        .start();
    Programs.sleep(1);
    RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw");
    MethodHandle flock =
        LINKER.downcallHandle(
            LINKER.defaultLookup().find("flock").orElseThrow(),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    int descriptor = descriptor(file);
    Programs.start(
        () -> {
          try {
            int unused = (int) flock.invokeExact(descriptor, 2);
            open.close();
          } catch (Throwable e) {
            throw new IllegalStateException(e);
          }
        });
  }

  private static int descriptor(Path file) throws Exception {
    try (var files = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path each : files) {
        if (Files.isSymbolicLink(each) && Files.readSymbolicLink(each).equals(file)) {
          return Integer.parseInt(each.getFileName().toString());
        }
      }
    }
    throw new IllegalStateException("not open: " + file);
  }

  /** Threads call native code for a second at a time. */
  @Programs.Healthy(java = 25)
  static void shortNativeCalls() {
    Programs.repeat(
        1,
        () -> {
          call("sleep", 1);
          Programs.sleep(0.5);
        });
  }
}
