package io.github.vtdiag.locksite;

import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MethodMonitors.CallSite;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.MonitorRegion.Range;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The text form of lock maps: a line for each method, followed by a line for each of its regions,
 * and one for each call site with a known class.
 *
 * <pre>{@code
 * method NAME DESCRIPTOR exact|partial LINE:BCI,BCI... LINE:BCI...
 * region KIND LOCK OWNER NAME ENTERBCI FIRSTLINE LASTLINE FROM-TO FROM-TO...
 * class BCI NAME
 * }</pre>
 *
 * <p>Words are separated by single spaces; an empty word is an empty name. The JVM allows names
 * with spaces and line feeds; they are escaped as in Java source. The call sites of one line are
 * grouped.
 */
final class LockMapText {
  private LockMapText() {}

  static String write(List<MethodMonitors> methods, LockMaps.Wanted classes) {
    StringBuilder text = new StringBuilder();
    for (MethodMonitors method : methods) {
      text.append("method ").append(escape(method.name()));
      text.append(' ').append(escape(method.descriptor()));
      text.append(method.exact() ? " exact" : " partial");
      CallSite previous = null;
      for (CallSite site : method.callSites()) {
        if (previous != null && previous.line() == site.line()) {
          text.append(',');
        } else {
          text.append(' ').append(site.line()).append(':');
        }
        text.append(site.bci());
        previous = site;
      }
      text.append('\n');
      for (MonitorRegion region : method.regions()) {
        LockExpression lock = region.lock();
        text.append("region ").append(region.kind()).append(' ').append(lock.kind());
        text.append(' ').append(escape(lock.owner())).append(' ').append(escape(lock.name()));
        text.append(' ').append(region.enterBci());
        text.append(' ').append(region.firstLine()).append(' ').append(region.lastLine());
        for (Range range : region.ranges()) {
          text.append(' ').append(range.from()).append('-').append(range.to());
        }
        text.append('\n');
      }
      for (CallSite site : method.callSites()) {
        if (!site.initializes().isEmpty() && classes.at(method, site.bci())) {
          text.append("class ").append(site.bci());
          text.append(' ').append(escape(site.initializes())).append('\n');
        }
      }
    }
    return text.toString();
  }

  static List<MethodMonitors> parse(String text) {
    List<MethodMonitors> methods = new ArrayList<>();
    MethodMonitors method = null;
    List<MonitorRegion> regions = new ArrayList<>();
    Map<Integer, String> classes = new HashMap<>();
    for (String line : text.split("\n", -1)) {
      String[] words = line.split(" ", -1);
      if (words.length >= 4 && words[0].equals("method")) {
        if (method != null) {
          methods.add(with(method, regions, classes));
        }
        method = method(words);
        regions.clear();
        classes.clear();
      } else if (words.length == 3 && words[0].equals("class") && method != null) {
        classes.put(Integer.parseInt(words[1]), words[2].translateEscapes());
      } else if (words.length >= 8 && words[0].equals("region") && method != null) {
        regions.add(region(words));
      } else if (!line.isEmpty()) {
        throw new IllegalArgumentException("not a line of a lock map: " + line);
      }
    }
    if (method != null) {
      methods.add(with(method, regions, classes));
    }
    // A map has exactly one text: this catches whatever was read too leniently above.
    if (!write(methods, (of, bci) -> true).equals(text)) {
      throw new IllegalArgumentException("not a lock map as vtdiag writes it");
    }
    return methods;
  }

  private static MethodMonitors with(
      MethodMonitors method, List<MonitorRegion> regions, Map<Integer, String> classes) {
    List<CallSite> sites =
        method.callSites().stream()
            .map(
                site -> new CallSite(site.bci(), site.line(), classes.getOrDefault(site.bci(), "")))
            .toList();
    return new MethodMonitors(method.name(), method.descriptor(), regions, method.exact(), sites);
  }

  private static MethodMonitors method(String[] words) {
    List<CallSite> sites = new ArrayList<>();
    for (int i = 4; i < words.length; i++) {
      String[] parts = pair(words[i], words[i].indexOf(':'));
      int line = Integer.parseInt(parts[0]);
      for (String bci : parts[1].split(",", -1)) {
        sites.add(new CallSite(Integer.parseInt(bci), line));
      }
    }
    return new MethodMonitors(
        words[1].translateEscapes(),
        words[2].translateEscapes(),
        List.of(),
        words[3].equals("exact"),
        sites);
  }

  private static MonitorRegion region(String[] words) {
    LockExpression lock =
        new LockExpression(
            LockExpression.Kind.valueOf(words[2]),
            words[3].translateEscapes(),
            words[4].translateEscapes());
    List<Range> ranges =
        Arrays.stream(words, 8, words.length)
            .map(word -> pair(word, word.indexOf('-')))
            .map(parts -> new Range(Integer.parseInt(parts[0]), Integer.parseInt(parts[1])))
            .toList();
    return new MonitorRegion(
        MonitorRegion.Kind.valueOf(words[1]),
        lock,
        Integer.parseInt(words[5]),
        Integer.parseInt(words[6]),
        Integer.parseInt(words[7]),
        ranges);
  }

  private static String[] pair(String word, int at) {
    if (at < 0) {
      throw new IllegalArgumentException("not a pair of numbers: " + word);
    }
    return new String[] {word.substring(0, at), word.substring(at + 1)};
  }

  /**
   * The inverse of {@link String#translateEscapes}, for characters that would split a line or a
   * word.
   */
  private static String escape(String word) {
    return word.replace("\\", "\\\\").replace(" ", "\\s").replace("\n", "\\n");
  }
}
