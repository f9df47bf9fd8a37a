package io.github.vtdiag.cli;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.owner.Owner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Source files of each language, and the folders in which Maven and Gradle expect them. */
final class UsualSources {
  private static final Map<String, String> LANGUAGES =
      Map.of("java", "java", "kt", "kotlin", "scala", "scala", "groovy", "groovy");

  /** The endings of source files, with the dot. */
  static final List<String> ENDINGS =
      LANGUAGES.keySet().stream().map(ending -> "." + ending).toList();

  /** The folder of a module, where Maven or Gradle has built its classes or its jar. */
  private static final Pattern MODULE =
      Pattern.compile("(.*[/\\\\])?(?:target|build[/\\\\](?:libs|classes))[/\\\\].*");

  /**
   * A class of the application.
   *
   * @param location the folder or jar with its class file; empty if it is not known
   */
  private record Own(ClassRef type, String location) {}

  private UsualSources() {}

  /**
   * Returns the folders of the code of the application that pinned, as far as they exist.
   *
   * @param here the folder from which they are named
   */
  static List<String> foldersOf(Findings findings, Path here) {
    List<Own> own =
        findings.pins().stream()
            .flatMap(pin -> frames(pin).map(frame -> new Own(frame.type(), location(pin, frame))))
            .toList();
    return (own.isEmpty()
            ? Stream.of(usual("")).filter(usual -> Files.isDirectory(here.resolve(usual)))
            : own.stream().flatMap(each -> folderOf(each, here).stream()))
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

  private static String location(Pin pin, Frame frame) {
    Owner owner = pin.caller().map(Pin.Caller::owner).orElse(pin.owner());
    return owner instanceof Owner.Application own && pin.place().filter(frame::equals).isPresent()
        ? own.location()
        : "";
  }

  /**
   * Returns the folder of a class: the usual one here, that of the module which has the class's
   * file, or {@code src} if it is there.
   */
  private static Optional<String> folderOf(Own own, Path here) {
    String usual = usual(own.type.file());
    String name = own.type.name();
    String file = name.substring(0, name.lastIndexOf('.') + 1).replace('.', '/') + own.type.file();
    Optional<String> ofModule =
        module(own.location)
            .map(module -> module + usual)
            .filter(folder -> !Files.isRegularFile(here.resolve(usual).resolve(file)))
            .filter(folder -> Files.isRegularFile(here.resolve(folder).resolve(file)));
    if (ofModule.isPresent()) {
      return ofModule.map(folder -> fromHere(folder, here));
    }
    if (Files.isDirectory(here.resolve(usual))) {
      return Optional.of(usual);
    }
    return !own.type.file().isEmpty() && Files.isRegularFile(here.resolve("src").resolve(file))
        ? Optional.of("src")
        : Optional.empty();
  }

  /** Returns a module's folder with its last separator; empty if a location shows none. */
  private static Optional<String> module(String location) {
    Matcher built = MODULE.matcher(location + "/");
    return built.matches()
        ? Optional.of(built.group(1) == null ? "" : built.group(1))
        : Optional.empty();
  }

  /** Returns a path from here, if it is below. */
  private static String fromHere(String folder, Path here) {
    Path path = Path.of(folder);
    Path absolute = here.toAbsolutePath();
    return path.isAbsolute() && path.startsWith(absolute)
        ? absolute.relativize(path).toString()
        : folder;
  }

  private static String usual(String file) {
    return "src/main/" + LANGUAGES.getOrDefault(file.substring(file.lastIndexOf('.') + 1), "java");
  }
}
