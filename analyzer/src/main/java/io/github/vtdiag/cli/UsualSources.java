package io.github.vtdiag.cli;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.program.Owner;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Source files of each language, and the folders in which Maven and Gradle expect them. */
final class UsualSources {
  private static final Map<String, String> LANGUAGES =
      Map.of("java", "java", "kt", "kotlin", "scala", "scala", "groovy", "groovy");

  /** The endings of source files, with the dot. */
  static final List<String> ENDINGS =
      LANGUAGES.keySet().stream().map(ending -> "." + ending).toList();

  private UsualSources() {}

  /** Returns the folders of the code of the application that pinned; Java's if there is none. */
  static List<String> foldersOf(Findings findings) {
    List<String> folders =
        findings.pins().stream()
            .flatMap(UsualSources::own)
            .map(type -> folderOf(type.file()))
            .distinct()
            .sorted()
            .toList();
    return folders.isEmpty() ? List.of(folderOf("")) : folders;
  }

  /** Returns the classes of the application that hold, or that led there. */
  private static Stream<ClassRef> own(Pin pin) {
    Owner owner = pin.caller().map(Pin.Caller::owner).orElse(pin.owner());
    return Stream.concat(
            pin.place().stream().filter(frame -> owner instanceof Owner.Application),
            pin.reachedFrom().stream().map(Pin.ReachedFrom::frame))
        .map(Frame::type);
  }

  private static String folderOf(String file) {
    return "src/main/" + LANGUAGES.getOrDefault(file.substring(file.lastIndexOf('.') + 1), "java");
  }
}
