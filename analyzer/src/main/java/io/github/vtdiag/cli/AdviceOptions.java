package io.github.vtdiag.cli;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.Advisor;
import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.advice.OwnSources;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.maven.LocalJars;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.owner.OwnCode;
import io.github.vtdiag.pipeline.LibraryVersions;
import io.github.vtdiag.policy.PolicyFile;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.safety.Assumptions;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.safety.LockSafety;
import io.github.vtdiag.safety.RefusalReason;
import io.github.vtdiag.upgrade.Upgrade;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options for advice, and the way from findings to advice. */
final class AdviceOptions {
  @Option(
      names = "--sources",
      paramLabel = "DIR",
      description =
          "A folder of your own sources, or of a project that has them in src/main/java of its"
              + " modules; repeatable. Classes with a source there count as yours, even if their"
              + " jar looks like a library's.")
  List<Path> sources = List.of();

  @Option(
      names = "--own",
      paramLabel = "NAME",
      converter = OwnName.class,
      description =
          "Code of yours that is in a library's jar: a package as com.acme, or Maven coordinates as"
              + " com.acme:common or com.acme:*; repeatable.")
  List<OwnCode.Name> own = List.of();

  @Option(
      names = "--known-fixes",
      paramLabel = "FILE",
      description = "A file of more libraries that are known to pin; docs/advice.md describes it.")
  Path knownFixes;

  private List<Upgrade> read = List.of();

  /** Reads the name of code that the user calls own. */
  static final class OwnName implements ITypeConverter<OwnCode.Name> {
    @Override
    public OwnCode.Name convert(String text) {
      return OwnCode.Name.of(text)
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      text + " is neither a package nor Maven coordinates without a version"));
    }
  }

  /**
   * Returns the options that give the sources to another command. Where none are named, they are
   * the folders in the working directory that have the code that pinned; often none.
   */
  List<String> sourcesAsTyped(Findings findings) {
    Stream<String> folders =
        sources.isEmpty()
            ? UsualSources.foldersOf(findings, Path.of("")).stream()
            : sources.stream().map(Path::toString);
    return folders.flatMap(folder -> Stream.of("--sources", folder)).toList();
  }

  /**
   * Advice on findings.
   *
   * @param findings with what could not be read for the advice
   */
  record Given(Findings findings, Advice advice) {}

  /** Advises on findings of a whole program, as far as it is named. */
  Given advise(Findings findings, InputOptions input) throws DataException {
    return advise(findings, input, (advice, program) -> {});
  }

  /** Advises, and passes the advice and the program on. */
  Given advise(Findings findings, InputOptions input, AssumptionOptions assuming, WithProgram then)
      throws DataException {
    return advise(findings, input, assuming.assumptions(), assuming::check, then);
  }

  /** The use of advice while the program that it was read from is open. */
  interface WithProgram {
    void take(Advice advice, Program program) throws DataException;
  }

  /** Advises, and passes on the program that was read because a lock could be rewritten. */
  Given advise(Findings findings, InputOptions input, WithProgram then) throws DataException {
    return advise(findings, input, Assumptions.WHOLE_PROGRAM, ladder -> {}, then);
  }

  private Given advise(
      Findings findings,
      InputOptions input,
      Assumptions assumed,
      Consumer<LockSafety> check,
      WithProgram then)
      throws DataException {
    if (input.classPath.isEmpty()) {
      return new Given(findings, advise(findings, Advisor::unknown, List.of()));
    }
    try (LazyLadder ladder = new LazyLadder(findings, input, assumed, check)) {
      Advice advice = advise(findings, ladder::decide, input.classPath);
      if (ladder.program != null) {
        then.take(advice, ladder.program);
      }
      return new Given(findings.withGaps(ladder.gaps()), advice);
    }
  }

  /** Returns the advice that needs no classes. */
  Advice advise(Findings findings) throws DataException {
    return advise(findings, AdviceOptions::notAsked);
  }

  Advice advise(Findings findings, Function<LockSite, Decision> ladder) throws DataException {
    return advise(findings, ladder, List.of());
  }

  private Advice advise(
      Findings findings, Function<LockSite, Decision> ladder, List<String> classPath)
      throws DataException {
    KnownFixes fixes = fixes();
    if (fixes.read().isEmpty()) {
      fixes =
          fixes.withRead(
              new LibraryVersions(findings, classPath, fixes, problem -> {}, note -> {})
                  .readListed(LocalJars.ofUser()));
    }
    return Advisor.advise(findings, fixes, ladder, ownSources());
  }

  private static Decision notAsked(LockSite site) {
    return new Decision.Declined(
        RefusalReason.CLASS_UNKNOWN,
        "vtdiag advise decides that: it reads all classes of the application",
        List.of(site));
  }

  /** Reads the program when a lock is asked for that could be rewritten, and only then. */
  private static final class LazyLadder implements Closeable {
    private final Findings findings;
    private final InputOptions input;
    private final Assumptions assumed;
    private final Consumer<LockSafety> check;
    private Program program;
    private Function<LockSite, Decision> ladder;

    LazyLadder(
        Findings findings, InputOptions input, Assumptions assumed, Consumer<LockSafety> check) {
      this.check = check;
      this.assumed = assumed;
      this.findings = findings;
      this.input = input;
    }

    Decision decide(LockSite site) {
      if (ladder == null) {
        // Uses the oldest JDK as vtdiag patch does, which writes what is safe on all that ran.
        int jdk = findings.oldestJdk();
        try {
          program = input.pipeline().program(jdk, findings.launches());
          LockSafety whole = new LockSafety(program, assumed);
          check.accept(whole);
          ladder = whole::decide;
        } catch (DataException e) {
          ladder =
              any ->
                  new Decision.Declined(RefusalReason.CLASS_UNKNOWN, e.getMessage(), List.of(any));
        }
      }
      return ladder.apply(site);
    }

    /** Returns what could not be read. */
    List<Gap> gaps() {
      return program == null
          ? List.of()
          : program.problems().stream()
              .map(problem -> new Gap(Gap.Kind.CLASS_PATH_PROBLEM, "", problem))
              .toList();
    }

    @Override
    public void close() {
      if (program != null) {
        program.close();
      }
    }
  }

  /** Adds what was read of other versions. */
  void read(List<Upgrade> upgrades) {
    read = upgrades;
  }

  KnownFixes fixes() throws DataException {
    KnownFixes own = KnownFixes.load().withRead(read);
    if (knownFixes == null) {
      return own;
    }
    try {
      return own.with(KnownFixes.parse(knownFixes.toString(), Files.readString(knownFixes)));
    } catch (CharacterCodingException e) {
      throw new DataException(knownFixes + " is not text in UTF-8; save it as such", e);
    } catch (IOException e) {
      throw new DataException(knownFixes + " cannot be read; check --known-fixes", e);
    }
  }

  /**
   * Returns which code is the user's own, as far as recordings and jars do not tell. The policy in
   * the working directory counts, too.
   */
  OwnCode own() throws DataException {
    Path policy = Path.of(PolicyFile.NAME);
    return own(Files.exists(policy) ? PolicyFile.read(policy).own() : List.of());
  }

  /** Returns the same, with the names of another policy. */
  OwnCode own(List<OwnCode.Name> named) throws DataException {
    List<OwnCode.Name> names = new ArrayList<>(own);
    names.addAll(named);
    return new OwnCode(List.of(), hasSource(), names);
  }

  private OwnSources ownSources() throws DataException {
    Predicate<String> hasSource = hasSource();
    return new OwnSources() {
      @Override
      public boolean has(ClassRef type) {
        return hasSource.test(type.name());
      }

      @Override
      public boolean areNamed() {
        return !sources.isEmpty();
      }
    };
  }

  private Predicate<String> hasSource() throws DataException {
    Map<String, List<Path>> files = new HashMap<>();
    for (Path folder : sources) {
      if (!Files.isDirectory(folder)) {
        throw new DataException(folder + " is not a folder of sources; check --sources");
      }
      try (Stream<Path> all = Files.walk(folder)) {
        all.filter(file -> UsualSources.ENDINGS.stream().anyMatch(file.toString()::endsWith))
            .forEach(
                file ->
                    files
                        .computeIfAbsent(file.getFileName().toString(), n -> new ArrayList<>())
                        .add(file));
      } catch (IOException | UncheckedIOException e) {
        throw new DataException(folder + " cannot be read; check --sources", e);
      }
    }
    return name -> {
      int nested = name.indexOf('$', name.lastIndexOf('.') + 2);
      String type = nested < 0 ? name : name.substring(0, nested);
      String simple = type.substring(type.lastIndexOf('.') + 1);
      // A file of that name has a name that a file can have.
      return UsualSources.ENDINGS.stream()
          .anyMatch(
              ending ->
                  files.getOrDefault(simple + ending, List.of()).stream()
                      .anyMatch(file -> file.endsWith(Path.of(type.replace('.', '/') + ending))));
    };
  }
}
