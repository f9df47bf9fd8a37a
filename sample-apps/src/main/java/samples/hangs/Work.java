package samples.hangs;

import java.util.List;

/** The work of many threads with a pool. */
@FunctionalInterface
interface Work {
  void once() throws Exception;

  default void repeat() {
    for (int i = 0; i < Integer.getInteger("rounds", 1); i++) {
      try {
        once();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Takes the time of the other side. */
  static void think() {
    try {
      Thread.sleep(Long.getLong("think", 5));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Reports how it ends, whichever way that is. */
  static void seeToTheEnd(List<Thread> threads, String why) throws InterruptedException {
    var carriers = new Carriers(threads);
    Story.until(() -> threads.stream().noneMatch(Thread::isAlive) || carriers.standStill());
    if (threads.stream().anyMatch(Thread::isAlive)) {
      Story.standsStill(why);
    }
    Story.ended(threads.toArray(Thread[]::new));
  }
}
