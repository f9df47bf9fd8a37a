package io.github.vtdiag.release;

import io.github.vtdiag.testing.Jdks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the pages tell users to write, with the version of the release in place of the one in the
 * sources.
 */
final class Snippets {
  private static final String OF_SOURCES = "0.1.0-SNAPSHOT";

  private Snippets() {}

  /** The first block of a language below a heading of a page. */
  static String of(String page, String heading, String language) throws IOException {
    Path file = Jdks.projectFolder().resolve("docs").resolve(page);
    String text = Files.readString(file);
    Matcher block =
        Pattern.compile(
                "\n#+ " + Pattern.quote(heading) + "\n.*?\n```" + language + "\n(.*?)\n```",
                Pattern.DOTALL)
            .matcher(text);
    if (!block.find()) {
      throw new IllegalStateException("no " + language + " below '" + heading + "' in " + file);
    }
    return block.group(1).replace(OF_SOURCES, Released.VERSION);
  }
}
