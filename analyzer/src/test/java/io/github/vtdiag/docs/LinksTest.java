package io.github.vtdiag.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.analysis.FindingKind;
import io.github.vtdiag.findings.FindingKinds;
import io.github.vtdiag.testing.Jdks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every link in the pages, and every page that the product names, leads somewhere. */
class LinksTest {
  private static final Path TOP = Jdks.projectFolder();

  private static final Pattern LINK = Pattern.compile("]\\(<?([^()\\s>]+)>?\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+?)\\s*$");
  private static final Pattern FENCE = Pattern.compile("(?ms)^ *```.*?^ *```[ ]*$");
  private static final Pattern CODE = Pattern.compile("`[^`\n]*`");
  private static final Pattern NAMED =
      Pattern.compile("\\bdocs/[\\w./-]+\\.(?:md|json|tsv)(?:#[\\w-]*)?");

  /** The rest of an address whose page stands in a constant. */
  private static final Pattern REST =
      Pattern.compile("(docs/[\\w-]+\\.md)#\"|(?:\\bsee\\(|-> )\"([a-z]+(?:-[a-z]+)*)\"");

  private final Map<Path, Set<String>> anchors = new HashMap<>();

  @Test
  void everyLinkOfThePagesLeadsSomewhere() throws IOException {
    Set<String> broken = new TreeSet<>();
    List<Path> pages = pages();
    assertTrue(pages.size() > 30, pages::toString);
    for (Path page : pages) {
      String text = FENCE.matcher(Files.readString(page)).replaceAll("");
      Matcher link = LINK.matcher(CODE.matcher(text).replaceAll("code"));
      while (link.find()) {
        if (!link.group(1).matches("[a-z]+:.*")) {
          check(page, page.getParent(), link.group(1), broken);
        }
      }
    }
    assertEquals(Set.of(), broken);
  }

  @Test
  void everyPageThatTheProductNamesExists() throws IOException {
    Set<String> broken = new TreeSet<>();
    int found = 0;
    for (Path source : product()) {
      // A string that goes on in the next line is one string.
      String text = Files.readString(source).replaceAll("\"\\s*\\+\\s*\"", "");
      Matcher named = NAMED.matcher(text);
      while (named.find()) {
        String address = named.group();
        found++;
        if (!address.endsWith("#")) {
          check(source, TOP, address, broken);
        }
      }
      String page = null;
      Matcher rest = REST.matcher(text);
      while (rest.find()) {
        if (rest.group(1) != null) {
          page = rest.group(1);
        } else if (page != null) {
          found++;
          check(source, TOP, page + "#" + rest.group(2), broken);
        }
      }
    }
    for (FindingKind kind : FindingKinds.all()) {
      found++;
      check(TOP.resolve(kind.name()), TOP, kind.page(), broken);
    }
    assertTrue(found > 50, "only " + found);
    assertEquals(Set.of(), broken);
  }

  @Test
  void whatLeadsNowhereIsFound() throws IOException {
    Set<String> broken = new TreeSet<>();
    Path page = TOP.resolve("README.md");
    check(page, TOP, "docs/gate.md#the-baseline", broken);
    assertEquals(Set.of(), broken);
    check(page, TOP, "docs/gate.md#no-such-section", broken);
    check(page, TOP, "docs/no-such-page.md", broken);
    assertEquals(
        Set.of("README.md: docs/gate.md#no-such-section", "README.md: docs/no-such-page.md"),
        broken);
  }

  private void check(Path from, Path base, String address, Set<String> broken) throws IOException {
    String[] parts = address.split("#", 2);
    Path target = parts[0].isEmpty() ? from : base.resolve(parts[0]).normalize();
    boolean leads =
        Files.exists(target)
            && (parts.length == 1
                || !target.toString().endsWith(".md")
                || anchors(target).contains(parts[1]));
    if (!leads) {
      broken.add(TOP.relativize(from) + ": " + address);
    }
  }

  /** As GitHub names the headings of a page, and the site too. */
  private Set<String> anchors(Path page) throws IOException {
    Set<String> known = anchors.get(page);
    if (known == null) {
      known = new HashSet<>();
      Matcher heading = HEADING.matcher(FENCE.matcher(Files.readString(page)).replaceAll(""));
      while (heading.find()) {
        String words = heading.group(1).replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1");
        String anchor =
            words.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-');
        assertTrue(known.add(anchor), () -> page + " has two sections " + anchor);
      }
      anchors.put(page, known);
    }
    return known;
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages =
        new ArrayList<>(List.of(TOP.resolve("README.md"), TOP.resolve("CHANGELOG.md")));
    pages.addAll(below("docs", ".*\\.md"));
    pages.addAll(below("sample-apps", ".*\\.md"));
    return pages;
  }

  private static List<Path> product() throws IOException {
    List<Path> files = new ArrayList<>();
    for (String module :
        List.of(
            "agent",
            "agent/core",
            "analyzer",
            "analyzer/junit",
            "analyzer/maven-plugin",
            "analyzer/openrewrite",
            "analyzer/gradle-plugin",
            "sample-apps")) {
      files.addAll(below(module + "/src/main", ".*\\.(java|tsv|js|json|css)"));
    }
    files.addAll(below("sample-apps/experiments/src/main", ".*\\.java"));
    files.addAll(below("docs", ".*\\.schema\\.json"));
    files.addAll(List.of(TOP.resolve("action.yml"), TOP.resolve("vtdiag")));
    return files;
  }

  private static List<Path> below(String folder, String names) throws IOException {
    try (Stream<Path> files = Files.walk(TOP.resolve(folder))) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.getFileName().toString().matches(names))
          .filter(file -> !TOP.relativize(file).toString().matches("(.*/)?target/.*"))
          .sorted()
          .toList();
    }
  }
}
