package io.github.vtdiag.program;

/** The result of a search for the bytes of a class that a recording names. */
public sealed interface ClassLookup {

  /**
   * The bytes are at hand. If its monitors are unknown all the same, these are not the bytes that
   * ran: another version, or another agent changed them.
   *
   * @param recorded whether the recording has its lock map
   */
  record Found(boolean recorded) implements ClassLookup {}

  /**
   * Nothing on the class path, in the recording or in the JDK's image has that name.
   *
   * @param named whether a class path was named at all
   */
  record NotFound(boolean named) implements ClassLookup {}

  /** The class was made while the program ran: no jar has it. */
  record Generated() implements ClassLookup {}

  /** A class file of that name is there and cannot be read. */
  record Unreadable(UnreadClass unread) implements ClassLookup {}
}
