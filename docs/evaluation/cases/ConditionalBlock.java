/// story: A method waits on two paths, and only the one that is taken holds a monitor.
/// java: 21
/// kind: pin
/// holder: ConditionalBlock$Writer.flush
/// truth: bytecode: of the two calls of send only the second stands between monitorenter and monitorexit; the first is never made
/// advice: rewrite Writer
/// proof: run Fixed
import java.util.concurrent.locks.ReentrantLock;

class ConditionalBlock {
  static class Writer {
    private final boolean buffered;
    private final Object buffer = new Object();

    Writer(boolean buffered) {
      this.buffered = buffered;
    }

    void flush() throws Exception {
      if (!buffered) {
        send();
        return;
      }
      synchronized (buffer) {
        send();
      }
    }

    private void send() throws Exception {
      Thread.sleep(40);
    }
  }

  public static void main(String[] args) throws Exception {
    Case.repeat(() -> new Writer(true).flush());
  }

  static class Fixed {
    private final ReentrantLock buffer = new ReentrantLock();

    void flush() throws Exception {
      buffer.lock();
      try {
        new Writer(false).flush();
      } finally {
        buffer.unlock();
      }
    }

    public static void main(String[] args) throws Exception {
      Case.repeat(() -> new Fixed().flush());
    }
  }
}
