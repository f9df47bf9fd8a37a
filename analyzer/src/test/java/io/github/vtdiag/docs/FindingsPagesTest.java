package io.github.vtdiag.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.BehaviorKind;
import io.github.vtdiag.analysis.Bottleneck;
import io.github.vtdiag.analysis.FindingKind;
import io.github.vtdiag.analysis.HangKind;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.analysis.PinKind;
import io.github.vtdiag.findings.FindingKinds;
import io.github.vtdiag.findings.MisuseKind;
import io.github.vtdiag.findings.WaitKind;
import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.testing.Jdks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Each kind of finding has a page. Its begin and end are what the kind's row in the code says;
 * {@code -Dvtdiag.write=true} writes them and keeps the part between them, which a person wrote.
 */
class FindingsPagesTest {
  private static final Path TOP = Jdks.projectFolder();
  private static final Path FOLDER = TOP.resolve("docs/findings");

  private static final String NOTE =
      "<!-- FindingsPagesTest writes this part from the code; -Dvtdiag.write=true. -->\n";
  private static final String HEAD_ENDS = "<!-- A person writes the next part. -->\n";
  private static final String FOOT_BEGINS = "<!-- FindingsPagesTest writes the rest. -->\n";

  /** A row of the table of verdicts: {@code | [a pool](#a-pool) | `POOL` | ... |}. */
  private static final Pattern VERDICT =
      Pattern.compile("(?m)^\\| \\[([^]]+)]\\((#[\\w-]+)\\) \\| `([A-Z_]+)` \\|");

  private static final Pattern ADDRESS = Pattern.compile("docs/([\\w/-]+\\.md(?:#[\\w-]+)?)");

  private final Map<Bottleneck, String> verdicts = verdicts();

  @Test
  void theIndexListsAllKinds() throws IOException {
    compare(FOLDER.resolve("index.md"), index());
  }

  @Test
  void eachKindHasItsPage() throws IOException {
    Set<String> expected = new TreeSet<>(Set.of("index.md"));
    for (FindingKind kind : FindingKinds.all()) {
      Path page = FOLDER.resolve(file(kind));
      String byHand = byHand(page);
      compare(page, head(kind) + HEAD_ENDS + byHand + FOOT_BEGINS + foot(kind));
      assertFalse(byHand.isBlank(), () -> page + " says nothing of what happens");
      assertTrue(expected.add(file(kind)), () -> "two kinds have the page " + page);
    }
    try (Stream<Path> pages = Files.list(FOLDER)) {
      assertEquals(
          expected, pages.map(page -> page.getFileName().toString()).collect(Collectors.toSet()));
    }
  }

  @Test
  void theSiteHasAllPages() throws IOException {
    String site = Files.readString(TOP.resolve("mkdocs.yml"));
    for (FindingKind kind : FindingKinds.all()) {
      String line = title(kind) + ": findings/" + file(kind) + "\n";
      assertTrue(site.contains("- " + line), () -> "mkdocs.yml lacks " + line);
    }
  }

  /** A table for each group, in the order of the code. */
  private String index() {
    StringBuilder page =
        new StringBuilder(
            """
            # Findings

            A finding is anything that vtdiag reports about a program: a pin, a wait, a misuse of virtual threads, or a hang. Each kind has a
            page. [Verdicts](../verdicts.md) are the conclusions that reports draw from the findings.

            A test writes this page and the tables of the pages below from the code:
            `mvn -B -pl agent/core,agent,analyzer test -Dtest=FindingsPagesTest -Dvtdiag.write=true -Dsurefire.failIfNoSpecifiedTests=false`.
            """);
    Map<String, List<FindingKind>> groups =
        FindingKinds.all().stream()
            .collect(
                Collectors.groupingBy(
                    FindingsPagesTest::group, LinkedHashMap::new, Collectors.toList()));
    groups.forEach(
        (group, kinds) -> {
          page.append("\n## ").append(title(group)).append("s\n\n");
          page.append("| finding | JSON name | verdict |\n|---|---|---|\n");
          for (FindingKind kind : kinds) {
            page.append(
                "| [%s](%s) | `%s` | %s |\n"
                    .formatted(kind.title(), file(kind), kind.name(), verdict(kind)));
          }
        });
    return page.toString();
  }

  private String head(FindingKind kind) {
    StringBuilder head = new StringBuilder("# " + title(kind) + "\n\n" + NOTE + "\n");
    head.append("| | |\n|---|---|\n");
    row(head, "name in reports", kind.title());
    row(head, "group", group(kind));
    row(head, "name in JSON and baselines", "`" + kind.name() + "`");
    if (kind instanceof HangKind) {
      row(
          head,
          "kinds",
          Stream.of(DiagnosisKind.values())
              .filter(DiagnosisKind::isHang)
              .map(hang -> hang.title() + " (`" + hang.wireName() + "`)")
              .collect(Collectors.joining(", ")));
    }
    if (kind instanceof PinKind pin) {
      row(head, "JDKs", pin.pinsSince24() ? "21 and later" : "21 to 23");
    }
    row(
        head,
        "needs the agent's snapshots",
        kind instanceof HangKind
            ? "for stalled threads only"
            : kind.needsSnapshots() ? "yes; only vtdiag's agent takes them" : "no");
    row(head, "verdict", verdict(kind));
    return head.append('\n').toString();
  }

  private static void row(StringBuilder table, String name, String text) {
    table.append("| ").append(name).append(" | ").append(text).append(" |\n");
  }

  private static String foot(FindingKind kind) {
    StringBuilder foot = new StringBuilder("\n");
    List<String> advice = advice(kind);
    if (!advice.isEmpty()) {
      foot.append("## What reports advise\n\n");
      advice.forEach(text -> foot.append("- ").append(linked(text)).append('\n'));
      foot.append('\n');
    }
    return foot.append("Read on: ").append(linked(kind.page())).append(".\n").toString();
  }

  /** What reports say to do; some kinds say something else where more is known. */
  private static List<String> advice(FindingKind kind) {
    return switch (kind) {
      case BehaviorKind behavior ->
          Stream.of(
                  observation(),
                  observation(count("bound", 2), count("inUse", 1)),
                  observation(
                      Observation.Detail.of(Observation.LOCK_OF_USERS, "org.db.Command.execute")),
                  observation(
                      Observation.Detail.of("transactionWaitsIn", "com.example.Orders.quote")),
                  observation(count("notResumed", 1)))
              .map(behavior::advice)
              .map(FindingsPagesTest::title)
              .distinct()
              .toList();
      case PinKind pin -> List.of(pin.advice() + ".");
      default -> List.of();
    };
  }

  private static Observation observation(Observation.Detail... details) {
    return new Observation(
        "",
        Set.of(),
        Optional.empty(),
        Optional.empty(),
        new Owner.UnknownJar(""),
        new Observation.Amount(Observation.Unit.COUNT, 1, false),
        1,
        Optional.empty(),
        true,
        List.of(details),
        new Observation.Evidence(List.of(), 1, OptionalLong.empty()));
  }

  private static Observation.Detail count(String name, double value) {
    return Observation.Detail.of(name, Observation.Unit.COUNT, value, false);
  }

  private String verdict(FindingKind kind) {
    return switch (kind) {
      case BehaviorKind behavior -> verdicts.get(behavior.bottleneck());
      case PinKind pin ->
          verdicts.get(Bottleneck.PINNED) + " or " + verdicts.get(Bottleneck.SOME_PINS);
      case HangKind hang -> verdicts.get(Bottleneck.HUNG);
      default -> throw new IllegalStateException("a new group: " + kind.getClass());
    };
  }

  private static String group(FindingKind kind) {
    return switch (kind) {
      case HangKind hang -> "hang";
      case PinKind pin -> "pin";
      case WaitKind wait -> "wait";
      case MisuseKind misuse -> "misuse";
      default -> throw new IllegalStateException("a new group: " + kind.getClass());
    };
  }

  /** Links to the sections of the page of verdicts, which has one for each. */
  private static Map<Bottleneck, String> verdicts() {
    Map<Bottleneck, String> links = new EnumMap<>(Bottleneck.class);
    try {
      Matcher row = VERDICT.matcher(Files.readString(TOP.resolve("docs/verdicts.md")));
      while (row.find()) {
        links.put(
            Bottleneck.valueOf(row.group(3)),
            "[" + row.group(1) + "](../verdicts.md" + row.group(2) + ")");
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    assertEquals(EnumSet.allOf(Bottleneck.class), links.keySet());
    return links;
  }

  private static String file(FindingKind kind) {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".md";
  }

  private static String title(FindingKind kind) {
    return title(kind.title());
  }

  private static String title(String text) {
    return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  /** Addresses of pages, as reports print them, are links here. */
  private static String linked(String text) {
    return ADDRESS
        .matcher(text)
        .replaceAll(address -> "[" + address.group() + "](../" + address.group(1) + ")");
  }

  /** What stands between the two parts that are written here; empty in a page that is new. */
  private static String byHand(Path page) throws IOException {
    if (!Files.exists(page)) {
      return "";
    }
    String text = Files.readString(page);
    int begin = text.indexOf(HEAD_ENDS);
    int end = text.indexOf(FOOT_BEGINS);
    assertTrue(begin >= 0 && begin < end, () -> page + " has lost a mark");
    return text.substring(begin + HEAD_ENDS.length(), end);
  }

  private static void compare(Path page, String expected) throws IOException {
    if (Boolean.getBoolean("vtdiag.write")) {
      Files.createDirectories(FOLDER);
      Files.writeString(page, expected);
    }
    assertEquals(expected, Files.exists(page) ? Files.readString(page) : "no page " + page);
  }
}
