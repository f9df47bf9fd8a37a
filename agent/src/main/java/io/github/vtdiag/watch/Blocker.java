package io.github.vtdiag.watch;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.ThreadRef;
import java.lang.reflect.Field;
import java.util.Optional;
import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.LockSupport;

/**
 * The object that a parked thread waits for.
 *
 * @param className the class of the object; for a synchronizer's own object, the class around it
 * @param identity the object's identity hash; 0 if there is no object
 * @param owner the thread that owns it; its id is -1 if there is none or it is unknown
 */
record Blocker(String className, int identity, ThreadRef owner) {
  static final ThreadRef NOBODY = new ThreadRef(-1, "", false);
  static final Blocker NOTHING = new Blocker("", 0, NOBODY);

  /** Reads the owner of locks; the package {@code java.util.concurrent.locks} must be open. */
  static final class Owners {
    private final Field owner;

    Owners() throws ReflectiveOperationException {
      owner = AbstractOwnableSynchronizer.class.getDeclaredField("exclusiveOwnerThread");
      owner.setAccessible(true);
    }

    private ThreadRef of(Object blocker) {
      try {
        return blocker instanceof AbstractOwnableSynchronizer
                && owner.get(blocker) instanceof Thread thread
            ? ref(thread)
            : NOBODY;
      } catch (IllegalAccessException e) {
        return NOBODY;
      }
    }
  }

  /** Returns what that thread waits for now, or did a moment ago. */
  static Blocker of(Thread thread, Optional<Owners> owners) {
    Object blocker = LockSupport.getBlocker(thread);
    if (blocker == null) {
      return NOTHING;
    }
    String name = ClassRef.withoutHiddenSuffix(blocker.getClass().getName());
    int inner = name.indexOf("$", name.lastIndexOf('.') + 2);
    // ReentrantLock$NonfairSync says no more than ReentrantLock.
    return new Blocker(
        inner > 0 && name.startsWith("java.util.concurrent.") && name.endsWith("Sync")
            ? name.substring(0, inner)
            : name,
        System.identityHashCode(blocker),
        owners.map(read -> read.of(blocker)).orElse(NOBODY));
  }

  static ThreadRef ref(Thread thread) {
    return new ThreadRef(thread.threadId(), thread.getName(), thread.isVirtual());
  }
}
