/// story: Object.wait gives its own monitor back, but keeps the carrier.
/// java: 21
/// kind: pin
/// holder: WaitForNotification$Mailbox.take
/// truth: JEP 444: Object.wait blocks the carrier; JEP 491 ended that
class WaitForNotification {
  static class Mailbox {
    synchronized void take() throws Exception {
      wait(40);
    }
  }

  public static void main(String[] args) throws Exception {
    Case.repeat(() -> new Mailbox().take());
  }
}
