/// story: Two virtual threads take two monitors in opposite order.
/// java: 21 25
/// kind: stands still
/// names: first second
/// truth: each of the two owns the monitor that the other wants to enter
class MonitorDeadlock {
  private static final Object ONE = new Object();
  private static final Object TWO = new Object();

  private static void first() throws Exception {
    synchronized (ONE) {
      Thread.sleep(200);
      synchronized (TWO) {
        Thread.sleep(1);
      }
    }
  }

  private static void second() throws Exception {
    synchronized (TWO) {
      Thread.sleep(200);
      synchronized (ONE) {
        Thread.sleep(1);
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Case.standStill(MonitorDeadlock::first, MonitorDeadlock::second);
  }
}
