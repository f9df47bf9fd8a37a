package io.github.vtdiag.maven;

import io.github.vtdiag.maven.Place.Name;
import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.maven.model.DistributionManagement;
import org.apache.maven.model.Model;
import org.apache.maven.model.Relocation;
import org.apache.maven.model.io.xpp3.MavenXpp3Reader;
import org.codehaus.plexus.util.xml.pull.XmlPullParserException;

/**
 * The parts of a POM that locate its library.
 *
 * @param relocation where it has moved
 * @param hasGradleMetadata whether Gradle wrote it, which then says more in a file beside it
 */
record Pom(Optional<Place> relocation, boolean hasGradleMetadata) {
  /** A comment that Gradle asks to leave where it is. */
  private static final String MARK = "published-with-gradle-metadata";

  /**
   * Reads a POM.
   *
   * @param of its own place
   */
  static Pom read(Path pom, Place of) throws DataException {
    try {
      String text = Files.readString(pom);
      Model model = new MavenXpp3Reader().read(new StringReader(text), false);
      DistributionManagement management = model.getDistributionManagement();
      return new Pom(
          Optional.ofNullable(management)
              .map(DistributionManagement::getRelocation)
              .map(to -> place(to, of)),
          text.contains(MARK));
    } catch (IOException | XmlPullParserException e) {
      throw new DataException(pom + " is no POM", e);
    }
  }

  private static Place place(Relocation to, Place from) {
    return new Place(
        new Name(
            to.getGroupId() == null ? from.name().group() : to.getGroupId(),
            to.getArtifactId() == null ? from.name().artifact() : to.getArtifactId()),
        to.getVersion() == null ? from.version() : to.getVersion());
  }
}
