package io.github.vtdiag.report.ci;

import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.github.vtdiag.report.json.JsonObject;
import java.util.Collection;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Writes JSON whose members are defined by others. */
final class BuildJson {
  private BuildJson() {}

  static String of(Consumer<JsonObject> members) {
    return JsonObject.text(printer(), members) + "\n";
  }

  static <T> String of(Collection<T> elements, BiConsumer<JsonObject, T> members) {
    return JsonObject.text(printer(), elements, members) + "\n";
  }

  private static PrettyPrinter printer() {
    DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
    return new DefaultPrettyPrinter().withObjectIndenter(indenter).withArrayIndenter(indenter);
  }
}
