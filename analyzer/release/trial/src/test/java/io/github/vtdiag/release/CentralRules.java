package io.github.vtdiag.release;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * What Central's portal asks of each component of a bundle
 * (central.sonatype.org/publish/requirements), held against a repository of files.
 */
final class CentralRules {
  /** The checksums that the portal insists on. */
  private static final Map<String, String> CHECKSUMS = Map.of("md5", "MD5", "sha1", "SHA-1");

  private final List<String> problems = new ArrayList<>();

  private CentralRules() {}

  /** What is wrong with the components below a folder; none if the portal takes them. */
  static List<String> problems(Path repository) throws IOException {
    CentralRules rules = new CentralRules();
    List<Path> poms;
    try (Stream<Path> files = Files.walk(repository)) {
      poms = files.filter(file -> file.toString().endsWith(".pom")).sorted().toList();
    }
    if (poms.isEmpty()) {
      rules.problems.add("no component in " + repository);
    }
    for (Path pom : poms) {
      rules.check(repository, pom);
    }
    return List.copyOf(rules.problems);
  }

  private void check(Path repository, Path pom) throws IOException {
    Path folder = pom.getParent();
    String version = folder.getFileName().toString();
    String artifact = folder.getParent().getFileName().toString();
    Element project = parse(pom);
    String group = repository.relativize(folder.getParent().getParent()).toString();
    require(pom, text(project, "groupId").equals(group.replace('/', '.')), "another groupId");
    require(pom, text(project, "artifactId").equals(artifact), "another artifactId");
    require(pom, text(project, "version").equals(version), "another version");
    require(pom, !Files.readString(pom).contains("SNAPSHOT"), "a snapshot");
    require(pom, !Files.readString(pom).contains("${revision}"), "a version that is not filled in");
    require(pom, child(project, "parent").isEmpty(), "a parent, which is not published");
    for (String member : List.of("name", "description", "url")) {
      require(pom, !text(project, member).isBlank(), "no <" + member + ">");
    }
    for (String path :
        List.of(
            "licenses/license/name",
            "licenses/license/url",
            "developers/developer/name",
            "scm/connection",
            "scm/developerConnection",
            "scm/url")) {
      require(pom, !text(project, path).isBlank(), "no <" + path + ">");
    }
    String packaging = text(project, "packaging");
    if (!packaging.equals("pom")) {
      jar(folder, artifact + "-" + version + ".jar", true);
      jar(folder, artifact + "-" + version + "-sources.jar", false);
      jar(folder, artifact + "-" + version + "-javadoc.jar", false);
    }
    files(folder);
  }

  private void jar(Path folder, String name, boolean licensed) throws IOException {
    Path jar = folder.resolve(name);
    if (!Files.isRegularFile(jar)) {
      problems.add(name + ": missing");
      return;
    }
    try (JarFile file = new JarFile(jar.toFile())) {
      boolean empty =
          file.stream()
              .allMatch(entry -> entry.isDirectory() || entry.getName().startsWith("META-INF/"));
      require(jar, !empty, "nothing in it");
      if (licensed) {
        require(jar, file.getEntry("META-INF/LICENSE") != null, "no META-INF/LICENSE");
        require(jar, file.getEntry("META-INF/NOTICE") != null, "no META-INF/NOTICE");
      }
    }
  }

  private void files(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.sorted().toList();
    }
    boolean signed = files.stream().anyMatch(file -> file.toString().endsWith(".asc"));
    for (Path file : files) {
      String name = file.getFileName().toString();
      if (name.matches(".*\\.(md5|sha1|sha256|sha512)")) {
        continue;
      }
      // Newer Mavens write none of a signature, and the portal asks for none.
      for (Map.Entry<String, String> kind :
          name.endsWith(".asc") ? Map.<String, String>of().entrySet() : CHECKSUMS.entrySet()) {
        Path sum = folder.resolve(name + "." + kind.getKey());
        if (!Files.isRegularFile(sum)) {
          problems.add(name + ": no ." + kind.getKey());
        } else {
          require(
              file,
              Files.readString(sum).strip().equals(digest(file, kind.getValue())),
              "another ." + kind.getKey());
        }
      }
      if (signed && !name.endsWith(".asc")) {
        require(file, Files.isRegularFile(folder.resolve(name + ".asc")), "no signature");
      }
    }
  }

  private void require(Path file, boolean holds, String otherwise) {
    if (!holds) {
      problems.add(file.getFileName() + ": " + otherwise);
    }
  }

  private static String digest(Path file, String algorithm) throws IOException {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance(algorithm).digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Element parse(Path pom) throws IOException {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new ByteArrayInputStream(Files.readAllBytes(pom)))
          .getDocumentElement();
    } catch (ParserConfigurationException | SAXException e) {
      throw new UncheckedIOException(new IOException(pom.toString(), e));
    }
  }

  /** The text at a path of elements, empty if there is none. */
  private static String text(Element parent, String path) {
    Optional<Element> element = Optional.of(parent);
    for (String name : path.split("/", -1)) {
      element = element.flatMap(of -> child(of, name));
    }
    return element.map(Node::getTextContent).map(String::strip).orElse("");
  }

  private static Optional<Element> child(Element parent, String name) {
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element && element.getTagName().equals(name)) {
        return Optional.of(element);
      }
    }
    return Optional.empty();
  }
}
