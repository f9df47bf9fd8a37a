package io.github.vtdiag.report.ci;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The workflow commands that GitHub's runner reads from a job's output, and shows at the line of
 * the source. A name can end neither a command nor one of its properties.
 */
final class Annotations implements BuildFormat {
  @Override
  public String option() {
    return "--annotations";
  }

  @Override
  public String description() {
    return "Commands for GitHub's runner, which shows them beside the code; - is standard output.";
  }

  @Override
  public boolean isPrinted() {
    return true;
  }

  @Override
  public String write(BuildReport report) {
    return AnnotationList.of(report).all().stream()
        .flatMap(annotation -> command(annotation, report).stream())
        .map(command -> command + "\n")
        .collect(Collectors.joining());
  }

  private static Optional<String> command(Annotation annotation, BuildReport report) {
    return switch (annotation.level()) {
      case ERROR -> Optional.of(command("error", "FAIL", annotation, report));
      case NO_DATA -> Optional.of(command("error", "NO_DATA", annotation, report));
      case WARNING -> Optional.of(command("notice", "note", annotation, report));
      case NOTE -> Optional.empty();
    };
  }

  private static String command(
      String name, String verdict, Annotation annotation, BuildReport report) {
    List<String> properties = new ArrayList<>();
    SourceLocation.of(annotation, report.sources())
        .filter(SourceLocation::own)
        .ifPresent(
            spot -> {
              properties.add("file=" + property(SafeText.name(spot.path())));
              if (spot.line() > 0) {
                properties.add("line=" + spot.line());
              }
            });
    properties.add(
        "title=" + property(SafeText.text("vtdiag: " + verdict + ": " + annotation.title())));
    return "::"
        + name
        + " "
        + String.join(",", properties)
        + "::"
        + annotation.lines().stream()
            .map(SafeText::text)
            .map(Annotations::data)
            .collect(Collectors.joining("%0A"));
  }

  private static String data(String text) {
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
  }

  private static String property(String text) {
    return data(text).replace(":", "%3A").replace(",", "%2C");
  }
}
