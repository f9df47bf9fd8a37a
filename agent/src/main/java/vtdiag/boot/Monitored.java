package vtdiag.boot;

/**
 * Implemented, under the what-if, by a class that locks its own instances: its objects carry their
 * lock. The methods have names that no application uses.
 */
public interface Monitored {
  CanonicalLock vtdiag$lock();

  void vtdiag$lock(CanonicalLock lock);
}
