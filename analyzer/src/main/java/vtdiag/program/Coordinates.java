package vtdiag.program;

/**
 * A library's Maven coordinates, as far as its jar tells them.
 *
 * @param group the group id; empty where only a manifest or the file's name was there to tell
 * @param artifact the artifact id
 * @param version the version; empty if it is not told
 */
public record Coordinates(String group, String artifact, String version) {

  /** {@code org.postgresql:postgresql 42.5.4}, without what is not known. */
  public String text() {
    String name = group.isEmpty() ? artifact : group + ":" + artifact;
    return version.isEmpty() ? name : name + " " + version;
  }
}
