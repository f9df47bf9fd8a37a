/// story: A thread reads from a pipe, whose read method is synchronized and waits.
/// java: 21
/// kind: pin
/// holder: java.io.PipedInputStream.read
/// truth: bytecode: PipedInputStream.read is ACC_SYNCHRONIZED and calls wait
import java.io.PipedInputStream;
import java.io.PipedOutputStream;

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
}
