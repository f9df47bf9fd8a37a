package io.github.vtdiag.scan;

import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.program.MethodName;
import java.util.List;
import java.util.Optional;

/**
 * The result of a scan.
 *
 * @param monitors those from which a wait can be reached, the most likely first
 * @param classes how many classes of the program were read
 * @param sites how many monitors these take
 * @param files how many monitors reach reads and writes of files and nothing else that waits
 * @param unclear how many methods lock in a way that could not be followed
 * @param missing the packages of libraries that are called while a monitor is held and that are not
 *     on the class path, the most used first
 * @param problems what could not be read, one sentence each
 */
public record Scan(
    List<Monitor> monitors,
    int classes,
    int sites,
    int files,
    int unclear,
    List<String> missing,
    List<String> problems) {

  public Scan {
    monitors = List.copyOf(monitors);
    missing = List.copyOf(missing);
    problems = List.copyOf(problems);
  }

  /**
   * A second path to a wait: the kind of wait, the line of the first call, and the methods called.
   */
  public record Also(Wait waits, int line, List<MethodName> path) {
    public Also {
      path = List.copyOf(path);
    }
  }

  /**
   * A monitor that a thread can hold while it waits.
   *
   * @param site the place that takes it
   * @param others for a monitor in the JDK, those that the same call holds in its place, or too
   * @param owner the owner of the code
   * @param caller for a monitor in the JDK, the method of the program that leads there
   * @param waits the kind of wait
   * @param line the line of the call while it is held that leads there; -1 if it is not known
   * @param path the methods called, one by the other: the last is the one that waits, or that of
   *     the JDK which is known to
   * @param onHeld whether it waits on this very monitor, which it releases meanwhile
   * @param also if it waits for other threads, the path to a wait for the network, a database or
   *     time, if there is one
   * @param cost the distance to the wait, and the number of other possible targets: lower is
   *     likelier
   * @param entries the number of public methods of the program from which the method that takes it
   *     is reached
   */
  public record Monitor(
      LockSite site,
      List<LockSite> others,
      Owner owner,
      Optional<MethodName> caller,
      Wait waits,
      int line,
      List<MethodName> path,
      boolean onHeld,
      Optional<Also> also,
      double cost,
      int entries) {
    public Monitor {
      others = List.copyOf(others);
      path = List.copyOf(path);
    }

    /**
     * Returns the rank; a lower one is likelier. Twice as many entries count as much as one call
     * less to the wait.
     */
    double rank() {
      return cost - Math.log(1.0 + entries) / Math.log(2);
    }

    Monitor withEntries(int count) {
      return new Monitor(site, others, owner, caller, waits, line, path, onHeld, also, cost, count);
    }
  }
}
