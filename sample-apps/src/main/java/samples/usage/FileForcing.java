package samples.usage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/**
 * 64 threads that each write to a file of their own and force it to disk. File I/O never unmounts,
 * on any Java. For {@code force} the JDK compensates with further carriers, so that there soon is a
 * platform thread for each.
 *
 * <p>In the twin two platform threads write, and the virtual threads wait for them.
 */
public final class FileForcing {
  private static final int WRITING = 64;
  private static final int BYTES = 64 * 1024;

  private static final LongAdder WRITTEN = new LongAdder();

  public static void main(String[] args) throws IOException {
    Setup.twoCarriers();
    Path folder = Files.createTempDirectory("file-forcing");
    try (ExecutorService disk = Executors.newFixedThreadPool(2)) {
      Setup.join(Setup.start(WRITING, "write", () -> journal(folder, disk)));
    } finally {
      Files.delete(folder);
    }
    Setup.done("wrote " + WRITTEN + " records");
  }

  private static void journal(Path folder, ExecutorService disk) {
    Path file = folder.resolve(Thread.currentThread().getName());
    try (FileChannel channel =
        FileChannel.open(
            file,
            List.of(
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.DELETE_ON_CLOSE)
                .toArray(StandardOpenOption[]::new))) {
      ByteBuffer bytes = ByteBuffer.allocateDirect(BYTES);
      while (Setup.timeLeft()) {
        if (Setup.healthy()) {
          disk.submit(() -> append(channel, bytes)).get();
        } else {
          append(channel, bytes);
        }
        WRITTEN.increment();
        Setup.pause(5);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean append(FileChannel channel, ByteBuffer bytes) throws IOException {
    channel.write(bytes.clear(), 0);
    channel.force(true);
    return true;
  }

  private FileForcing() {}
}
