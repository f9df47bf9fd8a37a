package io.github.vtdiag.policy;

import java.util.List;

/** What may stand at a place of a policy. The reader and the JSON schema both follow it. */
sealed interface Shape {
  /** A value. */
  record Scalar(ValueKind value) implements Shape {}

  /** Several of a sort, of which there has to be one. */
  record Sequence(Members of) implements Shape {}

  /**
   * Members by name.
   *
   * @param all those there are
   * @param oneOf of these there is exactly one; empty for none
   * @param least so many at the least, of all
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
