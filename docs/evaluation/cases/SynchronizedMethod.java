/// story: A synchronized method sleeps.
/// java: 21
/// kind: pin
/// holder: SynchronizedMethod$Account.charge
/// truth: bytecode: charge is ACC_SYNCHRONIZED
class SynchronizedMethod {
  static class Account {
    synchronized void charge() throws Exception {
      Thread.sleep(40);
    }
  }

  public static void main(String[] args) throws Exception {
    Case.repeat(() -> new Account().charge());
  }
}
