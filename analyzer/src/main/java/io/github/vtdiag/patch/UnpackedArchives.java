package io.github.vtdiag.patch;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.TemporaryFolders;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * A class path as javac reads it. It reads no jars inside of others, so archives of Spring Boot and
 * wars are unpacked for it, with the classes beside them.
 *
 * @param classPath the entries, with the unpacked ones in the place of each archive
 * @param folders where they were unpacked, which are deleted at the end
 */
record UnpackedArchives(List<String> classPath, List<Path> folders) implements Closeable {
  private static final List<String> INF = List.of("BOOT-INF/", "WEB-INF/");

  UnpackedArchives {
    classPath = List.copyOf(classPath);
    folders = List.copyOf(folders);
  }

  /**
   * Unpacks the archives that javac cannot read.
   *
   * @param entries one by one
   * @throws DataException if there is no place for it
   */
  static UnpackedArchives of(List<String> entries) throws DataException {
    List<String> classPath = new ArrayList<>();
    List<Path> folders = new ArrayList<>();
    try {
      for (String entry : entries) {
        classPath.addAll(unpacked(entry, folders));
      }
    } catch (IOException e) {
      folders.forEach(TemporaryFolders::delete);
      throw new DataException(
          "the jars inside of the class path cannot be unpacked for javac ("
              + e.getMessage()
              + "); make room for them, or add --no-verify",
          e);
    }
    return new UnpackedArchives(classPath, folders);
  }

  /** Returns the entries that replace an entry; a folder is added if one was needed. */
  private static List<String> unpacked(String entry, List<Path> folders) throws IOException {
    if (!Files.isRegularFile(Path.of(entry))) {
      return List.of(entry);
    }
    try (ZipFile archive = new ZipFile(entry)) {
      List<? extends ZipEntry> all =
          archive.stream()
              .filter(each -> INF.stream().anyMatch(each.getName()::startsWith))
              .toList();
      if (all.isEmpty()) {
        return List.of(entry);
      }
      Path folder = Files.createTempDirectory("vtdiag-classpath");
      folders.add(folder);
      List<String> classPath = new ArrayList<>();
      // The application's own classes come first, as in its launcher.
      for (String inf : INF) {
        Path classes = folder.resolve(inf + "classes");
        if (unpackClasses(archive, all, inf + "classes/", classes)) {
          classPath.add(classes.toString());
        }
      }
      for (ZipEntry each : all) {
        if (isLibrary(each.getName())) {
          classPath.add(unpackLibrary(archive, each, folder, classPath.size()).toString());
        }
      }
      return classPath;
    }
  }

  private static boolean isLibrary(String name) {
    return INF.stream().anyMatch(inf -> name.startsWith(inf + "lib")) && name.endsWith(".jar");
  }

  private static boolean unpackClasses(
      ZipFile archive, List<? extends ZipEntry> all, String prefix, Path classes)
      throws IOException {
    boolean any = false;
    for (ZipEntry each : all) {
      if (each.isDirectory() || !each.getName().startsWith(prefix)) {
        continue;
      }
      Path file = classes.resolve(each.getName().substring(prefix.length())).normalize();
      // A name can have leading dots, and must not leave the folder.
      if (file.startsWith(classes)) {
        Files.createDirectories(file.getParent());
        copy(archive, each, file);
        any = true;
      }
    }
    return any;
  }

  /**
   * Unpacks a library into a folder of its own: messages have its name, and two of them may have
   * the same.
   */
  private static Path unpackLibrary(ZipFile archive, ZipEntry library, Path folder, int number)
      throws IOException {
    String name = library.getName().substring(library.getName().lastIndexOf('/') + 1);
    Path file = Files.createDirectories(folder.resolve("lib" + number)).resolve(name);
    copy(archive, library, file);
    return file;
  }

  private static void copy(ZipFile archive, ZipEntry entry, Path file) throws IOException {
    try (InputStream in = archive.getInputStream(entry)) {
      Files.copy(in, file);
    }
  }

  @Override
  public void close() {
    folders.forEach(TemporaryFolders::delete);
  }
}
