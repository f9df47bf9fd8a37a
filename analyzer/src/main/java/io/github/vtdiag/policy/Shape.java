package io.github.vtdiag.policy;

import java.util.List;

/** The syntax of a part of a policy. The reader and the JSON schema both follow it. */
sealed interface Shape {
  /** A value. */
  record Scalar(ValueKind value) implements Shape {}

  /** A list of at least one item of a kind. */
  record Sequence(Members of) implements Shape {}

  /**
   * Members by name.
   *
   * @param all the possible members
   * @param oneOf of these there is exactly one; empty for none
   * @param least the fewest of all members
   */
  record Members(List<Member> all, List<String> oneOf, int least) implements Shape {
    public Members {
      all = List.copyOf(all);
      oneOf = List.copyOf(oneOf);
    }

    List<String> names() {
      return all.stream().map(Member::name).toList();
    }
  }

  /** A value, or members that say more. */
  record Either(Scalar brief, Members full) implements Shape {}

  /** Something with a name. */
  record Member(String name, Shape shape, boolean required, String description) {}
}
