package io.github.vtdiag.attach;

import io.github.vtdiag.hang.DiagnosisKind;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * A hang that vtdiag's agent in a JVM tells while it lasts.
 *
 * @param text as the agent tells it: the verdict, which begins with the title of its kind and a
 *     colon, and a line for each piece of evidence
 */
public record ToldHang(String text) {
  private static final String PROPERTY = "vtdiag.hang.";

  /** Those of now, the first that began first. */
  static List<ToldHang> of(Properties said) {
    return said.stringPropertyNames().stream()
        .filter(name -> name.startsWith(PROPERTY))
        .sorted(Comparator.comparingInt(String::length).thenComparing(name -> name))
        .map(said::getProperty)
        .filter(text -> !text.isEmpty())
        .map(ToldHang::new)
        .toList();
  }

  /** What it is; empty if a newer agent tells of a kind that is not known here. */
  public Optional<DiagnosisKind> kind() {
    return Arrays.stream(DiagnosisKind.values())
        .filter(kind -> head().equals(kind.title()) || head().equals("probably a " + kind.title()))
        .findFirst();
  }

  /** {@code probably a deadlock}; of a kind that is not known here, {@code hangs}. */
  public String title() {
    return kind().isPresent() ? head() : "hangs";
  }

  private String verdict() {
    return text.lines().findFirst().orElse("");
  }

  private String head() {
    return verdict().split(": ", 2)[0];
  }

  /** Whether it never ends, as far as the agent can see: a stall may. */
  public boolean isCertain() {
    return kind().filter(DiagnosisKind.STALLED::equals).isEmpty();
  }

  /** The verdict without the title of its kind. */
  public String statement() {
    return kind().isPresent() ? verdict().substring(head().length() + 2) : verdict();
  }

  /** What was seen of it. */
  public List<String> evidence() {
    return text.lines().skip(1).map(String::strip).toList();
  }
}
