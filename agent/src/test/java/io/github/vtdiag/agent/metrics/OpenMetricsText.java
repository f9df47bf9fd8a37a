package io.github.vtdiag.agent.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a text by the rules of OpenMetrics 1.0, and takes none that breaks one. */
public final class OpenMetricsText {
  private static final Pattern METADATA =
      Pattern.compile("# (TYPE|UNIT|HELP) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)");
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)");
  private static final Pattern LABEL =
      Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\\\\\"n])*)\"(,|$)");
  private static final Map<String, List<String>> SUFFIXES =
      Map.of(
          "counter", List.of("_total", "_created"),
          "gauge", List.of(""),
          "info", List.of("_info"),
          "histogram", List.of("_bucket", "_count", "_sum", "_created"));

  /** One number. */
  public record Sample(String name, Map<String, String> labels, double value) {}

  private final Map<String, String> types = new LinkedHashMap<>();
  private final Map<Sample, Double> seen = new LinkedHashMap<>();

  private OpenMetricsText() {}

  /** Reads it all. */
  public static OpenMetricsText parse(String text) {
    assertTrue(text.endsWith("\n# EOF\n"), "ends with its end");
    OpenMetricsText parsed = new OpenMetricsText();
    String family = "";
    Set<String> left = new HashSet<>();
    Set<String> metadata = new HashSet<>();
    List<String> lines = text.lines().toList();
    for (String line : lines.subList(0, lines.size() - 1)) {
      assertFalse(line.isEmpty());
      if (line.startsWith("#")) {
        Matcher about = METADATA.matcher(line);
        assertTrue(about.matches(), line);
        assertTrue(metadata.add(about.group(1) + " " + about.group(2)), line);
        if (!about.group(2).equals(family)) {
          assertTrue(left.add(family), line);
          family = about.group(2);
          assertFalse(left.contains(family), "in two places: " + line);
        }
        if (about.group(1).equals("TYPE")) {
          assertTrue(SUFFIXES.containsKey(about.group(3)), line);
          parsed.types.put(family, about.group(3));
        }
        if (about.group(1).equals("UNIT")) {
          assertTrue(family.endsWith("_" + about.group(3)), line);
        }
      } else {
        parsed.add(family, line);
      }
    }
    parsed.types.forEach((name, type) -> parsed.check(name, type));
    return parsed;
  }

  private void add(String family, String line) {
    Matcher sample = SAMPLE.matcher(line);
    assertTrue(sample.matches(), line);
    String type = types.get(family);
    assertNotNull(type, line);
    assertTrue(
        SUFFIXES.get(type).stream().anyMatch(end -> sample.group(1).equals(family + end)), line);
    Map<String, String> labels = new TreeMap<>();
    if (sample.group(2) != null) {
      Matcher label = LABEL.matcher(sample.group(2));
      int at = 0;
      while (at < sample.group(2).length()) {
        assertTrue(label.find(at) && label.start() == at, line);
        assertEquals(null, labels.put(label.group(1), unescape(label.group(2))), line);
        at = label.end();
      }
    }
    double value = Double.parseDouble(sample.group(3).replace("+Inf", "Infinity"));
    Sample key = new Sample(sample.group(1), Map.copyOf(labels), 0);
    assertEquals(null, seen.put(key, value), "twice: " + line);
  }

  private static String unescape(String label) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < label.length(); i++) {
      char c = label.charAt(i);
      if (c == '\\') {
        i++;
        c = label.charAt(i) == 'n' ? '\n' : label.charAt(i);
      }
      text.append(c);
    }
    return text.toString();
  }

  private void check(String family, String type) {
    if (type.equals("histogram")) {
      Map<Map<String, String>, Double> last = new HashMap<>();
      Map<Map<String, String>, String> bound = new HashMap<>();
      for (Sample bucket : samples(family + "_bucket")) {
        Map<String, String> rest = new HashMap<>(bucket.labels());
        String le = rest.remove("le");
        assertNotNull(le, "a bucket without its bound");
        assertTrue(last.getOrDefault(rest, 0.0) <= bucket.value(), "cumulative");
        last.put(rest, bucket.value());
        bound.put(rest, le);
      }
      for (Sample count : samples(family + "_count")) {
        assertEquals(last.get(count.labels()), count.value(), family);
        assertEquals("+Inf", bound.get(count.labels()), family);
      }
    }
    if (type.equals("counter")) {
      assertTrue(samples(family + "_total").stream().allMatch(each -> each.value() >= 0), family);
    }
  }

  /** What a family is. */
  public String type(String family) {
    return types.getOrDefault(family, "absent");
  }

  public Set<String> families() {
    return types.keySet();
  }

  /** The samples of a name. */
  public List<Sample> samples(String name) {
    return seen.entrySet().stream()
        .filter(each -> each.getKey().name().equals(name))
        .map(each -> new Sample(name, each.getKey().labels(), each.getValue()))
        .toList();
  }

  /** The sum of all samples of a name. */
  public double sum(String name) {
    return samples(name).stream().mapToDouble(Sample::value).sum();
  }
}
