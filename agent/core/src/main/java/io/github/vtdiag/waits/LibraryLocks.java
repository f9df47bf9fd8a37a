package io.github.vtdiag.waits;

import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.KnownLibraries;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds waits for locks and permits that libraries make themselves, such as distributed ones. The
 * wait for a notification or the park inside looks like one of an idle worker.
 */
final class LibraryLocks {
  private static final Set<String> LOCKING =
      Set.of("lock", "lockInterruptibly", "lockUninterruptibly", "readLock", "writeLock");

  private static final Set<String> ACQUIRING =
      Set.of("acquire", "acquireInterruptibly", "acquireUninterruptibly", "acquirePermit");

  private LibraryLocks() {}

  /**
   * Returns the lock or semaphore of a known library that the application asks for; empty if its
   * code calls another method of the library, which may use such a lock to be the only worker.
   *
   * @param frames the innermost first
   */
  static Optional<Awaited> askedFor(List<Frame> frames) {
    List<Frame> written = frames.stream().filter(frame -> frame.type().isWritten()).toList();
    List<Frame> library =
        written.stream().takeWhile(frame -> KnownLibraries.has(frame.type().name())).toList();
    // A library may itself be the program: then nobody who asks is seen.
    if (library.isEmpty() || library.size() == written.size()) {
      return Optional.empty();
    }
    Frame asked = library.getLast();
    boolean acquires = ACQUIRING.contains(asked.method());
    if (!acquires && !LOCKING.contains(asked.method())) {
      return Optional.empty();
    }
    String name = asked.type().simpleName();
    boolean exclusive = !acquires || name.contains("Lock") || name.contains("Mutex");
    return Optional.of(
        new Awaited(
            exclusive ? Awaited.Kind.LOCK : Awaited.Kind.SEMAPHORE,
            name.substring(name.lastIndexOf('$') + 1),
            Set.of(Awaited.Trait.OF_CALLER),
            Optional.of(asked)));
  }
}
