package io.github.vtdiag.gate;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;

/** The owners whose pins a limit is about. */
public sealed interface Scope {
  /** Returns the scope of all pins. */
  static Scope all() {
    return new Everybody();
  }

  /** The answer to whether a pin is in a scope. */
  enum Belongs {
    YES,
    NO,
    /** The classes that decide it were missing. */
    NOT_KNOWN
  }

  /** All pins. */
  record Everybody() implements Scope {}

  /** The application's own pins. */
  record Application() implements Scope {}

  /** The pins of libraries. */
  record Libraries() implements Scope {}

  /** The pins of the JDK, whoever called it. */
  record Jdk() implements Scope {}

  /** The pins of a package and the packages below it. */
  record InPackage(String name) implements Scope {
    private Belongs has(String className) {
      if (className.isEmpty()) {
        return Belongs.NOT_KNOWN;
      }
      return className.startsWith(name + ".") ? Belongs.YES : Belongs.NO;
    }
  }

  /**
   * The pins of one library.
   *
   * @param artifact {@code *} for all of the group
   */
  record Library(String group, String artifact) implements Scope {
    /** The artifact that stands for a whole group. */
    public static final String ANY = "*";

    private Belongs is(Owner owner, String className) {
      return switch (owner) {
        case Owner.Library library -> is(library.coordinates(), className);
        // A module of one's own may have a budget of its own.
        case Owner.Application application ->
            application.coordinates().map(jar -> is(jar, className)).orElse(Belongs.NO);
        case Owner.Jdk jdk -> Belongs.NO;
        case Owner.UnknownJar unknown -> Belongs.NOT_KNOWN;
      };
    }

    private Belongs is(Coordinates library, String className) {
      if (!artifact.equals(ANY)) {
        return library.isLikely(group, artifact, className) ? Belongs.YES : Belongs.NO;
      }
      if (library.group().isEmpty()) {
        return className.startsWith(group + ".") ? Belongs.YES : Belongs.NOT_KNOWN;
      }
      return library.group().equals(group) ? Belongs.YES : Belongs.NO;
    }
  }

  /** Returns the name in a verdict. */
  default String text() {
    return switch (this) {
      case Everybody all -> "all";
      case Application application -> "application";
      case Libraries libraries -> "libraries";
      case Jdk jdk -> "JDK";
      case InPackage in -> "package " + in.name();
      case Library library -> library.group() + ":" + library.artifact();
    };
  }

  /**
   * Returns whether a finding is in this scope. One in the JDK is also in the scope of its caller,
   * because nobody else can do anything about it.
   */
  default Belongs has(Pin finding) {
    Owner owner = finding.caller().map(Pin.Caller::owner).orElseGet(finding::owner);
    return switch (this) {
      case Everybody all -> Belongs.YES;
      case Application application -> isApplication(owner);
      case Libraries libraries -> isLibrary(owner);
      case Jdk jdk -> isJdk(finding);
      case InPackage in -> in.has(className(finding));
      case Library library -> library.is(owner, className(finding));
    };
  }

  private static String className(Pin finding) {
    return finding
        .caller()
        .map(caller -> caller.frame().type().name())
        .orElseGet(() -> finding.site().className());
  }

  private static Belongs isApplication(Owner owner) {
    return switch (owner) {
      case Owner.Application application -> Belongs.YES;
      case Owner.Library library -> Belongs.NO;
      case Owner.Jdk jdk -> Belongs.NO;
      case Owner.UnknownJar unknown -> Belongs.NOT_KNOWN;
    };
  }

  private static Belongs isLibrary(Owner owner) {
    return switch (owner) {
      case Owner.Library library -> Belongs.YES;
      case Owner.Application application -> Belongs.NO;
      case Owner.Jdk jdk -> Belongs.NO;
      case Owner.UnknownJar unknown -> Belongs.NOT_KNOWN;
    };
  }

  private static Belongs isJdk(Pin finding) {
    if (finding.owner() instanceof Owner.Jdk) {
      return Belongs.YES;
    }
    return finding.site().className().isEmpty() ? Belongs.NOT_KNOWN : Belongs.NO;
  }
}
