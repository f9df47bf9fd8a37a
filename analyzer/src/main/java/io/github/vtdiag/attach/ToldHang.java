package io.github.vtdiag.attach;

import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.hang.RecordedKind;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * A hang that vtdiag's agent in a JVM reports while it lasts.
 *
 * @param kind of the hang; empty if an older agent, which does not say so, reports it
 * @param sure whether it is more than probable
 * @param statement the verdict; without its title where the kind is known here
 * @param text of the agent: the verdict, and a line for each piece of evidence
 */
public record ToldHang(Optional<RecordedKind> kind, boolean sure, String statement, String text) {
  private static final String PROPERTY = "vtdiag.hang.";
  private static final String KIND = "vtdiag.hangKind.";

  /** Returns the current hangs, the one that began first at the head. */
  static List<ToldHang> of(Properties said) {
    return said.stringPropertyNames().stream()
        .filter(name -> name.startsWith(PROPERTY))
        .filter(name -> !said.getProperty(name).isEmpty())
        .sorted(Comparator.comparingInt(String::length).thenComparing(name -> name))
        .map(
            name ->
                of(
                    said.getProperty(name),
                    said.getProperty(KIND + name.substring(PROPERTY.length()), "")
                        .lines()
                        .toList()))
        .toList();
  }

  private static ToldHang of(String text, List<String> kind) {
    String verdict = text.lines().findFirst().orElse("");
    if (kind.size() < 3) {
      return new ToldHang(Optional.empty(), true, verdict, text);
    }
    RecordedKind told = RecordedKind.parse(kind.get(0));
    return new ToldHang(
        Optional.of(told),
        Boolean.parseBoolean(kind.get(1)),
        told.known().isPresent() ? kind.get(2) : verdict,
        text);
  }

  /** Returns its kind, if this version knows it. */
  public Optional<DiagnosisKind> known() {
    return kind.flatMap(RecordedKind::known);
  }

  /** Returns the title, such as {@code probably a deadlock}; of an unknown kind, {@code hangs}. */
  public String title() {
    return known().map(known -> known.title(sure)).orElse("hangs");
  }

  /** Returns whether it never ends, as far as the agent can see: a stall may. */
  public boolean isCertain() {
    return kind.map(RecordedKind::isCertain).orElse(true);
  }

  /** Returns the evidence. */
  public List<String> evidence() {
    return text.lines().skip(1).map(String::strip).toList();
  }
}
