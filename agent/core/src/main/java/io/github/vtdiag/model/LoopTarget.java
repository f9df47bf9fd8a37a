package io.github.vtdiag.model;

import java.util.Collection;
import java.util.stream.Collectors;

/**
 * Something that a loop reads or tries, and that another thread has to change.
 *
 * @param owner the class: of a field with its package, of a method without; empty for an element
 * @param name the name of the field or the method
 */
public record LoopTarget(Kind kind, String owner, String name) {
  /** The element of an array, which has no name. */
  public static final LoopTarget ELEMENT = new LoopTarget(Kind.QUERY, "", "an array element");

  /** The ways in which a loop waits. */
  public enum Kind {
    FIELD(" changes"),
    /** A method that returns a state and changes nothing. */
    QUERY(" changes"),
    /** A method of the application, or a question for a file, that returns a state. */
    STATE("() changes"),
    /** A method that changes something only where it ends the loop. */
    ATTEMPT("() succeeds"),
    /** A method that takes from a queue what another thread puts there. */
    POLL("() succeeds");

    private final String end;

    Kind(String end) {
      this.end = end;
    }
  }

  /** Returns {@code com.example.Foo.ready changes}, or {@code ReentrantLock.tryLock() succeeds}. */
  public static String changes(Collection<LoopTarget> targets) {
    return targets.stream().map(LoopTarget::change).sorted().collect(Collectors.joining(" or "));
  }

  private String change() {
    return (owner.isEmpty() ? "" : owner + ".") + name + kind.end;
  }
}
