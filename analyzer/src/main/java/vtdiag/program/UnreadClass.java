package vtdiag.program;

/**
 * A class file of a program that could not be read: what it locks, extends and calls is not known.
 *
 * @param name the class that the file should define, with dots; empty if nothing tells
 * @param location the jar or directory it is in
 * @param why one clause
 */
public record UnreadClass(String name, String location, String why) {
  /** The class and where it is. */
  public String text() {
    return (name.isEmpty() ? "a class" : name) + " in " + location;
  }

  /** One sentence for the user. */
  public String problem() {
    return text() + " could not be read (" + why + "): what it locks is not known";
  }
}
