package io.github.vtdiag.cli;

import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/** The classes of a Maven project that was built, as far as its folder and the disk tell. */
final class BuiltProject {
  private static final String COPY = "mvn dependency:copy-dependencies";

  private BuiltProject() {}

  /**
   * Returns what to scan for a program that the user names: the program itself, or for a {@code
   * pom.xml} its classes, and the jars that {@code mvn dependency:copy-dependencies} leaves beside
   * them.
   *
   * @param notes is told what is missing
   */
  static List<String> classPath(String program, Consumer<String> notes) throws DataException {
    Path pom = Path.of(program);
    if (!pom.getFileName().toString().endsWith(".xml")) {
      return List.of(program);
    }
    int dependencies = dependencies(pom);
    Path target = pom.toAbsolutePath().resolveSibling("target");
    Path classes = target.resolve("classes");
    if (!Files.isDirectory(classes)) {
      throw new DataException(
          program + " was not built: there is no " + classes + "; run mvn compile");
    }
    List<String> path = new ArrayList<>(List.of(classes.toString()));
    Path copied = target.resolve("dependency");
    if (Files.isDirectory(copied)) {
      path.addAll(jars(copied));
    } else if (dependencies > 0) {
      notes.accept(
          program
              + " declares dependencies that are not scanned; run "
              + COPY
              + " beside it, or name them with --classpath");
    }
    return path;
  }

  private static List<String> jars(Path folder) throws DataException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(Path::toString).filter(file -> file.endsWith(".jar")).sorted().toList();
    } catch (IOException e) {
      throw new DataException(folder + " cannot be read; run " + COPY + " again", e);
    }
  }

  /** Counts the dependencies that it declares, by itself or for its modules. */
  private static int dependencies(Path pom) throws DataException {
    XMLInputFactory factory = XMLInputFactory.newInstance();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    int dependencies = 0;
    boolean project = false;
    try (var in = Files.newInputStream(pom)) {
      XMLStreamReader reader = factory.createXMLStreamReader(in);
      while (reader.hasNext()) {
        if (reader.next() == XMLStreamConstants.START_ELEMENT) {
          project |= reader.getLocalName().equals("project");
          dependencies += reader.getLocalName().equals("dependency") ? 1 : 0;
        }
      }
    } catch (IOException | XMLStreamException e) {
      throw new DataException(pom + " is not a pom.xml that can be read; check it", e);
    }
    if (!project) {
      throw new DataException(pom + " is not a pom.xml: it has no project; check it");
    }
    return dependencies;
  }
}
