package io.github.vtdiag.policy;

import io.github.vtdiag.gate.Measure;
import io.github.vtdiag.gate.Measures;
import io.github.vtdiag.policy.Shape.Either;
import io.github.vtdiag.policy.Shape.Member;
import io.github.vtdiag.policy.Shape.Members;
import io.github.vtdiag.policy.Shape.Scalar;
import io.github.vtdiag.policy.Shape.Sequence;
import java.util.ArrayList;
import java.util.List;

/** The syntax of a policy. Its limits are those of {@link Measures}. */
final class Shapes {
  static final Members BUDGET = budget();
  static final Members OWN =
      new Members(
          List.of(
              optional("package", ValueKind.PACKAGE, "This package and those below it."),
              optional("library", ValueKind.LIBRARY, "This library, or all of a group.")),
          List.of("package", "library"),
          1);
  static final Members ALLOWANCE =
      members(
          required(
              "site",
              ValueKind.TEXT,
              "Where: a method (com.example.Foo.bar), a class, all in a package (com.example.*), or"
                  + " the identity or fingerprint of a finding in JSON."),
          required("reason", ValueKind.TEXT, "Why it is allowed."),
          required("owner", ValueKind.TEXT, "Who sees to it that it goes."),
          required(
              "expires",
              ValueKind.DATE,
              "The last day on which it is allowed; after it the gate fails."));
  static final Members TOLERANCE =
      members(
          optional("factor", ValueKind.FACTOR, "Worse is more than so many times the figure; 2."),
          optional("longest", ValueKind.DURATION, "And so much more, of the longest pin; 500ms."),
          optional("median", ValueKind.DURATION, "And so much more, of the median; 20ms."),
          optional("pins", ValueKind.COUNT, "And so many more pins, in the same time; 10."),
          optional(
              "new",
              ValueKind.DURATION,
              "A new finding counts if it took more than this in all; 100ms."));
  static final Members POLICY =
      new Members(
          List.of(
              new Member("limits", limits(), false, "Limits on the whole run."),
              new Member(
                  "budgets",
                  new Sequence(BUDGET),
                  false,
                  "Limits on the pins of an owner. Owners are known where the class path is."),
              new Member(
                  "warm-up",
                  new Either(
                      new Scalar(ValueKind.DURATION),
                      members(
                          required(
                              "until",
                              ValueKind.TEXT,
                              "The name of an event: com.example.Ready. What was before the first"
                                  + " one does not count."))),
                  false,
                  "The beginning of each recording that does not count."),
              new Member(
                  "allowances",
                  new Sequence(ALLOWANCE),
                  false,
                  "Pins that do not count for a while."),
              new Member(
                  "baseline",
                  new Either(
                      new Scalar(ValueKind.TEXT),
                      members(
                          required("file", ValueKind.TEXT, "A file that vtdiag baseline wrote."),
                          new Member("tolerance", TOLERANCE, false, "What counts as noise."),
                          flag(
                              "others",
                              "Fail also on what threads wait for or use besides pins, if it is"
                                  + " new or worse."))),
                  false,
                  "Findings that are accepted: new and worse ones fail. A path from this file."),
              new Member(
                  "evidence",
                  members(
                      flag("allow-no-data", "Pass NO_DATA, with a warning."),
                      flag(
                          "allow-incomplete",
                          "Accept damaged recordings, lost events, and a missing beginning or"
                              + " end."),
                      flag("strict", "NO_DATA also where a threshold hides pins from a sum."),
                      flag("allow-unwatched", "Accept recordings without the agent's watch."),
                      flag(
                          "allow-hang",
                          "Only warn of a hang; with a baseline, only of those in it.")),
                  false,
                  "What to make of recordings that do not tell all, as the options of these"
                      + " names."),
              new Member(
                  "own",
                  new Sequence(OWN),
                  false,
                  "Code of yours that is in a library's jar, as --own names it.")),
          List.of(),
          1);

  private Shapes() {}

  /** Returns the member that limits a measure: its option without the dashes. */
  static String member(Measure measure) {
    return measure.option().substring(2);
  }

  private static Members limits() {
    return new Members(Measures.ALL.stream().map(Shapes::limit).toList(), List.of(), 1);
  }

  private static Members budget() {
    List<Member> all = new ArrayList<>();
    all.add(
        optional(
            "owner",
            ValueKind.OWNER,
            "Whose pins: the application's, all libraries', or the JDK's. A pin in the JDK is also"
                + " that of who called into it."));
    all.add(optional("package", ValueKind.PACKAGE, "Pins in this package and those below it."));
    all.add(optional("library", ValueKind.LIBRARY, "Pins in this library, or in all of a group."));
    Measures.ALL.stream()
        .filter(measure -> measure.about() == Measure.About.PINS)
        .map(Shapes::limit)
        .forEach(all::add);
    return new Members(all, List.of("owner", "package", "library"), 2);
  }

  private static Member limit(Measure measure) {
    ValueKind value =
        switch (measure.unit()) {
          case DURATION -> ValueKind.DURATION;
          case COUNT -> ValueKind.COUNT;
          case RATE -> ValueKind.RATE;
          case PERCENT -> ValueKind.PERCENT;
        };
    return optional(member(measure), value, measure.description());
  }

  private static Member optional(String name, ValueKind value, String description) {
    return new Member(name, new Scalar(value), false, description);
  }

  private static Member required(String name, ValueKind value, String description) {
    return new Member(name, new Scalar(value), true, description);
  }

  private static Member flag(String name, String description) {
    return optional(name, ValueKind.FLAG, description);
  }

  private static Members members(Member... members) {
    return new Members(List.of(members), List.of(), 1);
  }
}
