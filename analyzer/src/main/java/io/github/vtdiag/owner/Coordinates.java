package io.github.vtdiag.owner;

import java.util.List;
import java.util.Set;

/**
 * A library's Maven coordinates, as far as its jar tells them.
 *
 * @param group the group id; empty if nothing tells it
 * @param artifact the artifact id; if only the manifest tells one, a name that need not be the id
 * @param version the version; empty if it is not known
 * @param evidence the source of the coordinates
 * @param names other names in the manifest: bundle, module and title
 */
public record Coordinates(
    String group, String artifact, String version, Evidence evidence, List<String> names) {

  /** The packages that contain libraries of many groups. */
  private static final Set<String> MANY_OWNERS = Set.of("org.apache", "com.github", "io.github");

  /** The source of coordinates, the surest first. */
  public enum Evidence {
    POM("its pom.properties"),
    REPOSITORY_PATH("its path in a repository"),
    NAME_AND_MANIFEST("its file name and manifest"),
    FILE_NAME("its file name"),
    MANIFEST("its manifest");

    private final String text;

    Evidence(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }

    /** Returns whether a tool that built or stored the jar wrote the coordinates down as such. */
    public boolean isSure() {
      return switch (this) {
        case POM, REPOSITORY_PATH -> true;
        case NAME_AND_MANIFEST, FILE_NAME, MANIFEST -> false;
      };
    }
  }

  public Coordinates {
    names = List.copyOf(names);
  }

  public Coordinates(String group, String artifact, String version, Evidence evidence) {
    this(group, artifact, version, evidence, List.of());
  }

  /** Creates the coordinates in a POM. */
  public Coordinates(String group, String artifact, String version) {
    this(group, artifact, version, Evidence.POM);
  }

  /** Returns {@code org.postgresql:postgresql}, or the artifact id if the group is not known. */
  public String name() {
    return group.isEmpty() ? artifact : group + ":" + artifact;
  }

  /** Returns {@code org.postgresql:postgresql 42.5.4}, without unknown parts. */
  public String text() {
    return version.isEmpty() ? name() : name() + " " + version;
  }

  /** Returns the text, with the source if there is only one. */
  public String textWithEvidence() {
    return switch (evidence) {
      case POM, REPOSITORY_PATH, NAME_AND_MANIFEST -> text();
      case FILE_NAME -> text() + ", by " + evidence.text();
      case MANIFEST -> "probably " + text() + ", by " + evidence.text();
    };
  }

  /**
   * Returns whether this is that library, as far as known. A known group has to be the same. An
   * unknown group has to go with the class's package or with a name in the manifest: many libraries
   * have the same artifact id.
   *
   * @param className a class of this library
   */
  public boolean isLikely(String otherGroup, String otherArtifact, String className) {
    if (!group.isEmpty()) {
      return group.equals(otherGroup) && artifact.equals(otherArtifact);
    }
    boolean isInGroup =
        isInside(className, otherGroup)
            || isInside(artifact, otherGroup)
            || names.stream().anyMatch(name -> isInside(name, otherGroup))
            || (names.isEmpty() && goesWith(className, otherGroup, otherArtifact));
    return isInGroup && isNamed(otherGroup, otherArtifact);
  }

  /**
   * Returns, for a jar without a manifest, whether the package belongs to the group's owner, or is
   * named by the library.
   */
  private static boolean goesWith(String className, String group, String artifact) {
    List<String> parts = List.of(className.split("\\.", -1));
    List<String> groupParts = List.of(group.split("\\.", -1));
    if (parts.size() < 3 || groupParts.size() < 2) {
      return false;
    }
    String last = groupParts.getLast();
    boolean isOwners = parts.subList(0, 2).equals(groupParts.subList(0, 2));
    boolean isOneOfMany = MANY_OWNERS.contains(String.join(".", parts.subList(0, 2)));
    String second = parts.get(1);
    return (isOwners && (!isOneOfMany || parts.contains(last)))
        || second.equals(artifact)
        || second.equals(artifact.split("-", 2)[0])
        || second.equals(last);
  }

  private boolean isNamed(String otherGroup, String otherArtifact) {
    if (artifact.equals(otherArtifact)) {
      return true;
    }
    // A file name has the artifact id itself; a manifest's names only resemble it.
    return evidence == Evidence.MANIFEST
        && (isNameOf(artifact, otherGroup, otherArtifact)
            || names.stream().anyMatch(name -> isNameOf(name, otherGroup, otherArtifact)));
  }

  private static boolean isNameOf(String name, String group, String artifact) {
    return name.equals(artifact)
        || name.endsWith("." + artifact)
        || (name.equals(group) && group.substring(group.lastIndexOf('.') + 1).startsWith(artifact));
  }

  private static boolean isInside(String name, String group) {
    return name.equals(group) || name.startsWith(group + ".");
  }
}
