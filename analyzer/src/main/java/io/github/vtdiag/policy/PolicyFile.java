package io.github.vtdiag.policy;

import io.github.vtdiag.baseline.Tolerance;
import io.github.vtdiag.gate.Allowance;
import io.github.vtdiag.gate.Measure;
import io.github.vtdiag.gate.Measures;
import io.github.vtdiag.gate.Policy.Evidence;
import io.github.vtdiag.gate.Policy.Limit;
import io.github.vtdiag.gate.Scope;
import io.github.vtdiag.gate.Unit;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.owner.OwnCode;
import io.github.vtdiag.policy.YamlTree.Fields;
import io.github.vtdiag.policy.YamlTree.Text;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The contents of a {@code vtdiag.yml}.
 *
 * @param source the file, as the user knows it
 * @param own the code that the user calls own, beside what jars and recordings tell
 * @param warmUp the part of each recording that does not count
 */
public record PolicyFile(
    String source,
    List<OwnCode.Name> own,
    List<Limit> limits,
    List<Allowance> allowances,
    Optional<WarmUp> warmUp,
    Optional<Baseline> baseline,
    Evidence evidence) {
  /** The default name, which is looked for in the working directory. */
  public static final String NAME = "vtdiag.yml";

  /** The beginning of a recording that does not count. */
  public sealed interface WarmUp {
    /** A length of time. */
    record First(long nanos) implements WarmUp {}

    /** The time up to the first event of this name. */
    record Until(String event) implements WarmUp {}
  }

  /**
   * The baseline of the accepted findings.
   *
   * @param others whether findings other than pins fail too
   * @param origin where it is named
   */
  public record Baseline(Path file, Tolerance tolerance, boolean others, String origin) {}

  public PolicyFile {
    own = List.copyOf(own);
    limits = List.copyOf(limits);
    allowances = List.copyOf(allowances);
  }

  /**
   * Reads a policy.
   *
   * @throws DataException if it cannot be read, or is not a valid policy; names the line
   */
  public static PolicyFile read(Path file) throws DataException {
    return read(file, file.toString());
  }

  /**
   * Reads a policy that the user knows by another path, such as one of a build's module.
   *
   * @param shown the path that is printed
   * @throws DataException if it cannot be read, or is not a valid policy; names the line
   */
  public static PolicyFile read(Path file, String shown) throws DataException {
    try {
      return parse(file, shown, Files.readString(file));
    } catch (CharacterCodingException e) {
      throw new DataException(shown + ": is not UTF-8; write the policy as UTF-8 text", e);
    } catch (IOException e) {
      throw new DataException(
          shown
              + ": "
              + (Files.exists(file) ? "cannot be read" : "no such file")
              + "; name a policy with --policy FILE",
          e);
    }
  }

  /** Reads a policy's text. */
  public static PolicyFile parse(Path file, String text) throws DataException {
    return parse(file, file.toString(), text);
  }

  private static PolicyFile parse(Path file, String shown, String text) throws DataException {
    Fields fields = YamlTree.read(shown, text, Shapes.POLICY);
    List<Limit> limits = new ArrayList<>();
    fields.fields("limits").ifPresent(of -> addLimits(shown, of, Scope.all(), limits));
    for (Fields budget : fields.items("budgets")) {
      addLimits(shown, budget, scope(budget), limits);
    }
    return new PolicyFile(
        shown,
        fields.items("own").stream().map(PolicyFile::name).toList(),
        limits,
        fields.items("allowances").stream().map(each -> allowance(shown, each)).toList(),
        fields
            .text("warm-up")
            .<WarmUp>map(first -> new WarmUp.First((long) Unit.DURATION.parse(first.text())))
            .or(
                () ->
                    fields
                        .fields("warm-up")
                        .map(until -> new WarmUp.Until(required(until, "until")))),
        baseline(file, shown, fields),
        evidence(fields.fields("evidence")));
  }

  private static String origin(String file, int line) {
    return file + ", line " + line;
  }

  private static void addLimits(String file, Fields from, Scope scope, List<Limit> to) {
    for (Measure measure : Measures.ALL) {
      from.text(Shapes.member(measure))
          .ifPresent(
              value ->
                  to.add(
                      new Limit(
                          measure,
                          measure.unit().parse(value.text()),
                          scope,
                          origin(file, value.line()))));
    }
  }

  private static OwnCode.Name name(Fields of) {
    String text = of.text("package").or(() -> of.text("library")).orElseThrow().text();
    return OwnCode.Name.of(text).orElseThrow();
  }

  private static Scope scope(Fields budget) {
    Optional<Scope> ofOwner =
        budget
            .text("owner")
            .map(
                owner ->
                    switch (owner.text()) {
                      case "application" -> new Scope.Application();
                      case "libraries" -> new Scope.Libraries();
                      default -> new Scope.Jdk();
                    });
    Optional<Scope> ofPackage =
        budget.text("package").map(name -> new Scope.InPackage(name.text()));
    return ofOwner
        .or(() -> ofPackage)
        .orElseGet(
            () -> {
              String[] coordinates = required(budget, "library").split(":", 2);
              return new Scope.Library(coordinates[0], coordinates[1]);
            });
  }

  private static Allowance allowance(String file, Fields of) {
    return new Allowance(
        required(of, "site"),
        required(of, "reason"),
        required(of, "owner"),
        LocalDate.parse(required(of, "expires")),
        origin(file, of.line()));
  }

  private static Optional<Baseline> baseline(Path file, String shown, Fields fields) {
    Optional<Text> name =
        fields.text("baseline").or(() -> fields.fields("baseline").flatMap(of -> of.text("file")));
    Tolerance normal = Tolerance.NORMAL;
    Tolerance tolerance =
        fields
            .fields("baseline")
            .flatMap(of -> of.fields("tolerance"))
            .map(
                of ->
                    new Tolerance(
                        number(of, "factor", Double::parseDouble, normal.factor()),
                        nanos(of, "longest", normal.longestNanos()),
                        nanos(of, "median", normal.typicalNanos()),
                        number(of, "pins", Long::parseLong, normal.pins()),
                        nanos(of, "new", normal.newNanos())))
            .orElse(normal);
    return name.map(
        of ->
            new Baseline(
                file.toAbsolutePath().resolveSibling(of.text()),
                tolerance,
                isSet(fields.fields("baseline"), "others"),
                of.text() + " (" + origin(shown, of.line()) + ")"));
  }

  private static long nanos(Fields of, String name, long otherwise) {
    return number(of, name, text -> (long) Unit.DURATION.parse(text), otherwise);
  }

  private static <T> T number(Fields of, String name, Function<String, T> read, T otherwise) {
    return of.text(name).map(Text::text).map(read).orElse(otherwise);
  }

  private static Evidence evidence(Optional<Fields> of) {
    return new Evidence(
        isSet(of, "allow-no-data"),
        isSet(of, "allow-incomplete"),
        isSet(of, "strict"),
        isSet(of, "allow-unwatched"),
        isSet(of, "allow-hang"));
  }

  private static boolean isSet(Optional<Fields> of, String name) {
    return of.flatMap(fields -> fields.text(name))
        .filter(on -> on.text().equals("true"))
        .isPresent();
  }

  private static String required(Fields of, String name) {
    return of.text(name).orElseThrow().text();
  }
}
