package vtdiag.analysis;

/**
 * What sampling saw of the locked objects of one site: one hot lock, or a lock for each request.
 *
 * @param samples the pins that were sampled
 * @param objects the distinct objects seen in them
 * @param threads the distinct threads seen in them
 * @param threadsOfBusiest the threads seen with the object that most threads locked
 */
public record LockObjects(int samples, int objects, int threads, int threadsOfBusiest) {

  /** Whether one object was seen with several threads. */
  public boolean shared() {
    return threadsOfBusiest > 1;
  }
}
