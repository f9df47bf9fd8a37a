package io.github.vtdiag.cli;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.program.Owner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Source files of each language, and the folders in which Maven and Gradle expect them. */
final class UsualSources {
  private static final Map<String, String> LANGUAGES =
      Map.of("java", "java", "kt", "kotlin", "scala", "scala", "groovy", "groovy");

  /** The endings of source files, with the dot. */
  static final List<String> ENDINGS =
      LANGUAGES.keySet().stream().map(ending -> "." + ending).toList();

  private UsualSources() {}

  /**
   * Returns the folders of the code of the application that pinned, as far as they exist.
   *
   * @param here the folder from which they are named
   */
  static List<String> foldersOf(Findings findings, Path here) {
    List<ClassRef> own =
        findings.pins().stream().flatMap(UsualSources::frames).map(Frame::type).toList();
    return (own.isEmpty()
            ? Stream.of(usual("")).filter(usual -> Files.isDirectory(here.resolve(usual)))
            : own.stream().flatMap(type -> folderOf(type, here).stream()))
        .distinct()
        .sorted()
        .toList();
  }

  /** Returns the frames of the application that hold, or that led there. */
  static Stream<Frame> frames(Pin pin) {
    Owner owner = pin.caller().map(Pin.Caller::owner).orElse(pin.owner());
    return Stream.concat(
        pin.place().stream().filter(frame -> owner instanceof Owner.Application),
        pin.reachedFrom().stream().map(Pin.ReachedFrom::frame));
  }

  /**
   * Returns the folder of a class: the usual one, or {@code src} if the class has its file there.
   */
  private static Optional<String> folderOf(ClassRef type, Path here) {
    String usual = usual(type.file());
    if (Files.isDirectory(here.resolve(usual))) {
      return Optional.of(usual);
    }
    String name = type.name();
    String file = name.substring(0, name.lastIndexOf('.') + 1).replace('.', '/') + type.file();
    return !type.file().isEmpty() && Files.isRegularFile(here.resolve("src").resolve(file))
        ? Optional.of("src")
        : Optional.empty();
  }

  private static String usual(String file) {
    return "src/main/" + LANGUAGES.getOrDefault(file.substring(file.lastIndexOf('.') + 1), "java");
  }
}
