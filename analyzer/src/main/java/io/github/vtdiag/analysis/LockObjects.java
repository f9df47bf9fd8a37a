package io.github.vtdiag.analysis;

/**
 * The locked objects of one site, as sampled: one contended lock, a few locks, or a lock for each
 * request.
 *
 * @param samples the number of pins that were sampled
 * @param objects the number of distinct objects seen in them
 * @param threads the number of distinct threads seen in them
 * @param threadsOfBusiest the number of threads seen with the object that most threads locked
 * @param objectsOfSeveral the number of objects that were seen with more than one thread
 * @param samplesOfRarest the number of samples of the object that was seen least
 */
public record LockObjects(
    int samples,
    int objects,
    int threads,
    int threadsOfBusiest,
    int objectsOfSeveral,
    int samplesOfRarest) {

  /** Returns whether one object was seen with several threads. */
  public boolean shared() {
    return threadsOfBusiest > 1;
  }
}
