/** Ends once its first virtual thread has. */
public final class Brief {
  private Brief() {}

  public static void main(String[] args) throws InterruptedException {
    Thread.startVirtualThread(() -> {}).join();
    // A second is what a short job takes; all that starts with the program has started by then.
    Thread.sleep(1000);
  }
}
