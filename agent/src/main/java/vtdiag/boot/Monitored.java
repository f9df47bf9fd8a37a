package vtdiag.boot;

/**
 * What a class that locks its own instances becomes under the what-if: its objects carry their
 * lock. The methods are named so that no application's can be meant.
 */
public interface Monitored {
  CanonicalLock vtdiag$lock();

  void vtdiag$lock(CanonicalLock lock);
}
