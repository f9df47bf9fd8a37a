package io.github.vtdiag.fleet;

import java.util.List;

/**
 * The verdict on whether the groups of a fleet keep a policy. It fails if one of them does.
 *
 * @param by the properties by which the recordings are grouped
 * @param groups those that fail first
 */
public record FleetVerdict(List<String> by, List<Group> groups) {
  /** The possible verdicts, the worst last. */
  public enum Kind {
    PASS,
    NO_DATA,
    FAIL
  }

  /**
   * A group.
   *
   * @param name its values, such as {@code shop 1.10}
   * @param broken the limits that are broken, and hangs, one sentence each
   * @param unproven why its recordings prove nothing
   * @param shownBy recordings that show what is broken
   */
  public record Group(
      String name,
      Kind kind,
      long recordings,
      List<String> broken,
      List<String> unproven,
      List<String> warnings,
      List<String> shownBy) {
    public Group {
      broken = List.copyOf(broken);
      unproven = List.copyOf(unproven);
      warnings = List.copyOf(warnings);
      shownBy = List.copyOf(shownBy);
    }
  }

  public FleetVerdict {
    by = List.copyOf(by);
    groups = List.copyOf(groups);
  }

  /** Returns the worst of its groups' verdicts; without groups nothing is proved. */
  public Kind kind() {
    return groups.stream().map(Group::kind).max(Kind::compareTo).orElse(Kind.NO_DATA);
  }
}
