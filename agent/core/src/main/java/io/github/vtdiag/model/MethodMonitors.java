package io.github.vtdiag.model;

import java.util.List;
import java.util.Optional;

/**
 * The monitors that one method holds, and where.
 *
 * @param name the method's name
 * @param descriptor its descriptor
 * @param regions its monitor regions, ordered by {@code enterBci}: outer before inner
 * @param exact whether every {@code monitorenter} was paired with its exits; if not (JSR, or
 *     unstructured locking) the regions are those that could be paired
 * @param callSites the instructions at which a frame below another can be (invokes, and those that
 *     load or initialize a class), ascending by bci
 */
public record MethodMonitors(
    String name,
    String descriptor,
    List<MonitorRegion> regions,
    boolean exact,
    List<CallSite> callSites) {

  /**
   * An instruction that can have a callee.
   *
   * @param line its source line, or -1
   * @param initializes the binary name of the class that it must initialize before it is done;
   *     empty if there is none or it is unknown
   */
  public record CallSite(int bci, int line, String initializes) {
    public CallSite(int bci, int line) {
      this(bci, line, "");
    }
  }

  public MethodMonitors {
    regions = List.copyOf(regions);
    callSites = List.copyOf(callSites);
  }

  /** Returns the regions held at {@code bci}, innermost first. */
  public List<MonitorRegion> heldAt(int bci) {
    if (regions.isEmpty()) {
      return List.of(); // of nearly every frame that is asked about
    }
    return regions.stream().filter(region -> region.holdsAt(bci)).toList().reversed();
  }

  /**
   * Returns whether these can be the bytes that a frame ran: a call begins at its bci, on that
   * line. If not, an agent has inserted code, which shifts bcis.
   */
  public boolean fits(int bci, int line) {
    int index = indexOf(bci);
    return index >= 0 && (line < 0 || callSites.get(index).line == line);
  }

  /** Returns whether a frame is where it enters a block: the interpreter has moved on by then. */
  public boolean entersAt(Frame frame) {
    return regions.stream()
        .anyMatch(
            region ->
                region.kind() == MonitorRegion.Kind.BLOCK
                    && region.enterBci() == frame.monitorEnterBci());
  }

  /**
   * Returns the monitor that a frame waits to enter. If the frame ran other bytecode than this,
   * that is the only monitor that its line allows.
   */
  public Optional<MonitorRegion> entered(Frame frame) {
    int enterBci = frame.monitorEnterBci();
    if (enterBci == MonitorId.METHOD) {
      return regions.stream()
          .filter(region -> region.kind() == MonitorRegion.Kind.METHOD)
          .findFirst();
    }
    List<MonitorRegion> blocks =
        regions.stream()
            .filter(region -> region.kind() == MonitorRegion.Kind.BLOCK)
            .filter(region -> mayEnter(region, frame))
            .toList();
    return blocks.stream()
        .filter(region -> region.enterBci() == enterBci)
        .findFirst()
        .or(
            () ->
                blocks.size() == 1 && frame.line() >= 0
                    ? Optional.of(blocks.getFirst())
                    : Optional.empty());
  }

  /**
   * Returns whether a frame may be about to enter a monitor. HotSpot's interpreter is already at
   * the next instruction, which may be on another line.
   */
  private boolean mayEnter(MonitorRegion region, Frame frame) {
    if (frame.line() < 0 || region.firstLine() < 0) {
      return true;
    }
    int last =
        frame.kind() == Frame.Kind.INTERPRETED
            ? callSites.stream()
                .filter(site -> site.bci() > region.enterBci() && region.holdsAt(site.bci()))
                .findFirst()
                .map(CallSite::line)
                .orElse(region.lastLine())
            : region.firstLine();
    return region.firstLine() <= frame.line() && frame.line() <= last;
  }

  /** Returns the call site at {@code bci}. */
  public Optional<CallSite> callSite(int bci) {
    int index = indexOf(bci);
    return index < 0 ? Optional.empty() : Optional.of(callSites.get(index));
  }

  private int indexOf(int bci) {
    int from = 0;
    int to = callSites.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      int there = callSites.get(middle).bci;
      if (there == bci) {
        return middle;
      }
      if (there < bci) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return -1;
  }
}
