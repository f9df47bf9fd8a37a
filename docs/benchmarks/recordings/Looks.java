package load;

import jdk.jfr.Category;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * The agent's looks at threads that wait, as it writes them: a program cannot wait for a million of
 * the real ones.
 */
final class Looks {
  private static final int CROWDS = 9;

  private Looks() {}

  @Name("vtdiag.WaitLook")
  @Category("vtdiag")
  @StackTrace(false)
  static final class Look extends Event {
    long look;
    long alive;
    int looked;
    int waiting;
  }

  @Name("vtdiag.WaitCrowd")
  @Category("vtdiag")
  @StackTrace(false)
  static final class Crowd extends Event {
    long look;
    int stack;
    String state;
    String lockClass;
    int lockIdentity;
    int locks;
    int threads;
    int ownerStack;
    int free;
  }

  /** Looks with what they saw, until there are so many events. */
  static void write(long events) {
    for (long number = 0; number < events / (1 + CROWDS); number++) {
      Look look = new Look();
      look.look = number;
      look.alive = 500;
      look.looked = 90;
      look.waiting = 90;
      look.commit();
      for (int i = 0; i < CROWDS; i++) {
        Crowd crowd = new Crowd();
        crowd.look = number;
        crowd.stack = 1 + i;
        crowd.state = "PARKED";
        crowd.lockClass = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
        crowd.lockIdentity = 1_000 + i;
        crowd.locks = 1;
        crowd.threads = 10;
        crowd.commit();
      }
    }
  }
}
