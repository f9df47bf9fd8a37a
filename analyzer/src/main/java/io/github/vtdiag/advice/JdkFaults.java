package io.github.vtdiag.advice;

import io.github.vtdiag.hang.StuckState;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.pin.Events;
import io.github.vtdiag.upgrade.MavenVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The faults of the JDK that look like hangs of the program, and the Java version that advice
 * recommends.
 */
public final class JdkFaults {
  static final String HEADER = "# vtdiag JDK faults 1";

  /**
   * The feature release to recommend: monitors do not pin there, and it still gets updates. 24 is
   * the first such release, but it is no longer maintained.
   */
  private static final int LATER = 25;

  private static final String RESOURCE = "jdk-faults.tsv";
  private static final LineList FORMAT =
      new LineList(
          HEADER,
          "JDK faults",
          List.of(
              "id", "since", "fixed in", "only with", "state", "told from a hang by", "evidence"));
  private static final Pattern ID = Pattern.compile("JDK-\\d+");
  private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)*");
  private static final String NONE = "-";

  /** The beginning of the evidence where one user has reported it. */
  private static final String ONE_REPORT = "one report: ";

  private final List<JdkFault> faults;

  private JdkFaults(List<JdkFault> faults) {
    this.faults = List.copyOf(faults);
  }

  /** Reads the faults that come with vtdiag. */
  public static JdkFaults load() {
    try {
      return parse(RESOURCE, LineList.resource(RESOURCE));
    } catch (DataException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Reads a file of faults.
   *
   * @param source its name, for messages about a line that cannot be read
   */
  static JdkFaults parse(String source, String text) throws DataException {
    List<JdkFault> faults = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (LineList.Line line : FORMAT.read(source, text)) {
      JdkFault fault = parseLine(line.at(), line.columns());
      if (!ids.add(fault.id())) {
        throw new DataException(line.at() + " names " + fault.id() + " again");
      }
      faults.add(fault);
    }
    return new JdkFaults(faults);
  }

  /**
   * Returns the faults of a version, without those that need an option.
   *
   * @param jdkVersion such as {@code 25.0.1+8-LTS}; an empty one has no faults
   */
  public List<JdkFault> of(String jdkVersion) {
    return faults.stream()
        .filter(fault -> fault.onlyWith().isEmpty())
        .filter(fault -> fault.affects(jdkVersion))
        .toList();
  }

  /** Returns the recommended Java on which monitors do not pin: {@code Java 25.0.4 or later}. */
  public String laterJava() {
    return "Java " + laterVersion() + " or later";
  }

  /** Returns its first version without a fault of the list: {@code 25.0.4}. */
  public String laterVersion() {
    return earlierFaults()
        .flatMap(fault -> fault.fixedIn(String.valueOf(LATER)).stream())
        .max(Comparator.comparing(version -> version, MavenVersion::compare))
        .orElse(String.valueOf(LATER));
  }

  /** Returns why no earlier version will do, a sentence; empty if any will. */
  public String whyNotEarlier() {
    List<String> ids = earlierFaults().map(JdkFault::id).toList();
    List<String> releases = new ArrayList<>(List.of(String.valueOf(LATER)));
    for (int feature = LATER + 1; !of(String.valueOf(feature)).isEmpty(); feature++) {
      releases.add(String.valueOf(feature));
    }
    return ids.isEmpty()
        ? ""
        : "Java "
            + String.join(" or ", releases)
            + " without the fix of "
            + String.join(" and ", ids)
            + " can hang.";
  }

  private Stream<JdkFault> earlierFaults() {
    return of(String.valueOf(LATER)).stream();
  }

  private static JdkFault parseLine(String at, List<String> columns) throws DataException {
    if (!ID.matcher(columns.get(0)).matches()) {
      throw new DataException(at + ": '" + columns.get(0) + "' is no id of the JDK's tracker");
    }
    List<String> fixedIn = new ArrayList<>();
    if (!columns.get(2).equals(NONE)) {
      for (String version : columns.get(2).split(",", -1)) {
        fixedIn.add(version(at, version.strip()));
      }
    }
    return new JdkFault(
        columns.get(0),
        Events.feature(version(at, columns.get(1))),
        fixedIn,
        Optional.of(columns.get(3)).filter(option -> !option.equals(NONE)),
        Arrays.stream(StuckState.values())
            .filter(state -> state.name().equals(columns.get(4)))
            .findFirst()
            .orElseThrow(
                () ->
                    new DataException(
                        at
                            + ": '"
                            + columns.get(4)
                            + "' is no state; write one of "
                            + Arrays.toString(StuckState.values()))),
        columns.get(5),
        !columns.get(6).startsWith(ONE_REPORT),
        columns.get(6));
  }

  private static String version(String at, String text) throws DataException {
    if (!VERSION.matcher(text).matches()) {
      throw new DataException(at + ": '" + text + "' is no version; write one such as 25.0.3");
    }
    return text;
  }
}
