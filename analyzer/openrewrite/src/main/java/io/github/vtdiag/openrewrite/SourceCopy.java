package io.github.vtdiag.openrewrite;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.openrewrite.SourceFile;
import org.openrewrite.java.tree.JavaSourceFile;

/**
 * A folder with the sources as OpenRewrite has them, for the time of a run. They are in UTF-8
 * there, so that no text depends on the encoding of its file.
 */
final class SourceCopy implements Closeable {
  private static final Pattern PACKAGE =
      Pattern.compile("(?m)^\\s*package\\s+([\\w.]+)\\s*;?\\s*(//.*)?$");

  final Path folder;

  /** The folders that packages begin in, from the top of the copy; none is in another one. */
  final Set<Path> roots = new TreeSet<>();

  private final Map<Path, String> texts = new LinkedHashMap<>();

  SourceCopy(Iterable<SourceFile> files) throws IOException {
    folder = Files.createTempDirectory("vtdiag-recipe").toRealPath();
    Set<Path> all = new TreeSet<>();
    for (SourceFile file : files) {
      Path path = file.getSourcePath();
      String text = GivenSources.text(file);
      texts.put(path, text);
      Path copy = folder.resolve("sources").resolve(path);
      Files.createDirectories(copy.getParent());
      Files.write(copy, text.getBytes(StandardCharsets.UTF_8));
      all.add(rootOf(file, text));
    }
    for (Path root : all) {
      if (roots.stream().noneMatch(root::startsWith)) {
        roots.add(root);
      }
    }
  }

  Path sources() {
    return folder.resolve("sources");
  }

  /** Returns the texts that are others now than when they were copied. */
  Map<Path, String> changed() throws IOException {
    Map<Path, String> changed = new LinkedHashMap<>();
    for (Map.Entry<Path, String> file : texts.entrySet()) {
      byte[] bytes = Files.readAllBytes(sources().resolve(file.getKey()));
      String text = new String(bytes, StandardCharsets.UTF_8);
      if (!text.equals(file.getValue())) {
        changed.put(file.getKey(), text);
      }
    }
    return changed;
  }

  /** Returns the folder that the packages of a file begin in; its own, if it does not tell. */
  private static Path rootOf(SourceFile file, String text) {
    Path in = file.getSourcePath().getParent();
    if (in == null) {
      return file.getSourcePath().getFileSystem().getPath("");
    }
    Path packages = in.getFileSystem().getPath(packageOf(file, text).replace('.', '/'));
    if (packages.toString().isEmpty() || !in.endsWith(packages)) {
      return in;
    }
    int above = in.getNameCount() - packages.getNameCount();
    return above == 0 ? in.getFileSystem().getPath("") : in.subpath(0, above);
  }

  private static String packageOf(SourceFile file, String text) {
    if (file instanceof JavaSourceFile) {
      JavaSourceFile parsed = (JavaSourceFile) file;
      return parsed.getPackageDeclaration() == null
          ? ""
          : parsed.getPackageDeclaration().getPackageName();
    }
    Matcher declared = PACKAGE.matcher(text);
    return declared.find() ? declared.group(1) : "";
  }

  @Override
  public void close() throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException e)
              throws IOException {
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
