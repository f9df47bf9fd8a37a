package io.github.vtdiag.analysis;

/**
 * What sampling saw of the locked objects of one site: one hot lock, a few that take turns, or a
 * lock for each request.
 *
 * @param samples the pins that were sampled
 * @param objects the distinct objects seen in them
 * @param threads the distinct threads seen in them
 * @param threadsOfBusiest the threads seen with the object that most threads locked
 * @param objectsOfSeveral the objects that were seen with more than one thread
 * @param samplesOfRarest how often the object was seen that was seen least
 */
public record LockObjects(
    int samples,
    int objects,
    int threads,
    int threadsOfBusiest,
    int objectsOfSeveral,
    int samplesOfRarest) {

  /** Whether one object was seen with several threads. */
  public boolean shared() {
    return threadsOfBusiest > 1;
  }
}
