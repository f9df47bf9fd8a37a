/// story: A thread reads from a pipe, whose read method is synchronized and waits.
/// java: 21
/// kind: pin
/// holder: java.io.PipedInputStream.read
/// truth: bytecode: PipedInputStream.read is ACC_SYNCHRONIZED and calls wait
/// advice: pattern BlockingQueue
/// proof: run Fixed
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.concurrent.ArrayBlockingQueue;

class PipeReader {
  public static void main(String[] args) throws Exception {
    Case.repeat(
        () -> {
          PipedInputStream in = new PipedInputStream();
          PipedOutputStream out = new PipedOutputStream(in);
          Thread writer =
              Thread.ofPlatform()
                  .start(
                      () -> {
                        try {
                          Thread.sleep(40);
                          out.write(1);
                          out.flush();
                          out.close();
                        } catch (Exception e) {
                          throw new IllegalStateException(e);
                        }
                      });
          in.read();
          writer.join();
        });
  }

  static class Fixed {
    public static void main(String[] args) throws Exception {
      Case.repeat(
          () -> {
            ArrayBlockingQueue<byte[]> queue = new ArrayBlockingQueue<>(1);
            Thread.ofPlatform()
                .start(
                    () -> {
                      try {
                        Thread.sleep(40);
                        queue.put(new byte[] {1});
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                    });
            queue.take();
          });
    }
  }
}
