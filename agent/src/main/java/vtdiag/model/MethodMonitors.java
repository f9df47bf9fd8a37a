package vtdiag.model;

import java.util.List;

/**
 * Where one method holds monitors.
 *
 * @param name the method's name
 * @param descriptor its descriptor
 * @param regions its monitor regions, ordered by {@code enterBci}: outer before inner
 * @param exact whether every {@code monitorenter} was paired with its exits; when not (JSR, or
 *     unstructured locking) the regions are those that could be paired
 * @param callSites the instructions at which a frame below another can stand (invokes, and those
 *     that load or initialize a class), ascending by bci
 */
public record MethodMonitors(
    String name,
    String descriptor,
    List<MonitorRegion> regions,
    boolean exact,
    List<CallSite> callSites) {

  /** An instruction that can have a callee, with its source line (-1 if unknown). */
  public record CallSite(int bci, int line) {}

  public MethodMonitors {
    regions = List.copyOf(regions);
    callSites = List.copyOf(callSites);
  }

  /** The regions held at {@code bci}, innermost first. */
  public List<MonitorRegion> heldAt(int bci) {
    if (regions.isEmpty()) {
      return List.of(); // of nearly every frame that is asked about
    }
    return regions.stream().filter(region -> region.holdsAt(bci)).toList().reversed();
  }

  /**
   * Whether these can be the bytes a frame ran: its bci starts a call, and on that line. Agents
   * that insert code shift bcis; this tells.
   */
  public boolean fits(int bci, int line) {
    int from = 0;
    int to = callSites.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      CallSite site = callSites.get(middle);
      if (site.bci == bci) {
        return line < 0 || site.line == line;
      }
      if (site.bci < bci) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return false;
  }
}
