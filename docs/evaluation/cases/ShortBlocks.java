/// story: Many threads take a monitor for a moment, and wait only without it.
/// java: 21 25
/// kind: healthy
/// truth: bytecode: nothing in the block can wait
/// advice: none
class ShortBlocks {
  private static final Object LOCK = new Object();
  private static long count;

  private static void work() throws Exception {
    synchronized (LOCK) {
      count++;
    }
    Thread.sleep(5);
  }

  public static void main(String[] args) throws Exception {
    Case.repeat(ShortBlocks::work);
  }
}
