package io.github.vtdiag.report;

import static io.github.vtdiag.report.words.Phrase.Tone.FAINT;
import static io.github.vtdiag.report.words.Phrase.Tone.GOOD;
import static io.github.vtdiag.report.words.Phrase.Tone.NAME;
import static io.github.vtdiag.report.words.Phrase.Tone.STRONG;
import static io.github.vtdiag.report.words.Phrase.Tone.WARNING;

import io.github.vtdiag.model.Figures;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.report.words.Document;
import io.github.vtdiag.report.words.Document.Block;
import io.github.vtdiag.report.words.Document.Column;
import io.github.vtdiag.report.words.Document.Item;
import io.github.vtdiag.report.words.Phrase;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.scan.Scan;
import io.github.vtdiag.scan.Scan.Monitor;
import io.github.vtdiag.scan.ScanVsRecording;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.objectweb.asm.Type;

/** The document of a scan: the number of monitors, then each with the path to where it waits. */
public final class ScanDocument {
  /** The most monitors that are listed by default. */
  public static final int MOST = 20;

  /** The most scanned jars and folders that are named. */
  private static final int MOST_PROGRAMS = 3;

  /** The most other methods of an entry that are named. */
  private static final int MOST_OTHERS = 4;

  /** The most missing libraries that are named. */
  private static final int MOST_MISSING = 8;

  private static final List<Column> COLUMNS = List.of(new Column("Waits in", 0));

  private final Report.Scanned of;
  private final Scan scan;
  private final List<Block> blocks = new ArrayList<>();

  private ScanDocument(Report.Scanned of) {
    this.of = of;
    this.scan = of.scan();
  }

  static Document of(Report.Scanned of) {
    ScanDocument document = new ScanDocument(of);
    document.write();
    return new Document("Monitors held while waiting", document.blocks);
  }

  private void write() {
    blocks.add(
        new Block.Subjects(
            List.of(
                Phrase.of(STRONG, programs())
                    .and("  " + classes() + ", with the JDK of " + of.java()))));
    blocks.add(new Block.Sentences(verdict()));
    List<List<Monitor>> groups = groups();
    List<Item> items = groups.stream().limit(of.most()).map(this::item).toList();
    if (!items.isEmpty()) {
      blocks.add(new Block.Items(COLUMNS, items));
    }
    int left = groups.stream().skip(of.most()).mapToInt(List::size).sum();
    if (left > 0) {
      sentence(Figures.count(left) + " more; --all lists them.");
    } else if (groups.size() < scan.monitors().size()) {
      sentence("--all lists each method.");
    }
    of.meeting().ifPresent(this::unpredicted);
    notes();
    if (!of.next().isEmpty()) {
      blocks.add(new Block.Commands(of.next()));
    }
  }

  private String programs() {
    List<String> all = of.programs();
    return all.size() <= MOST_PROGRAMS
        ? String.join(" ", all)
        : String.join(" ", all.subList(0, MOST_PROGRAMS))
            + " and "
            + (all.size() - MOST_PROGRAMS)
            + " more";
  }

  private String classes() {
    return scan.classes() == 1 ? "1 class" : Figures.count(scan.classes()) + " classes";
  }

  private List<Phrase> verdict() {
    String looked = Figures.count(scan.sites(), "monitor") + " in " + classes();
    long jdk = scan.monitors().stream().filter(each -> each.caller().isPresent()).count();
    long own = scan.monitors().size() - jdk;
    if (scan.monitors().isEmpty()) {
      return List.of(
          Phrase.of(
              STRONG,
              "No monitor found from which a blocking call can be reached, among "
                  + looked
                  + "; reflection and native code are not seen."));
    }
    String verdict = "A thread can wait while it holds " + own + " of " + looked;
    if (jdk > 0) {
      verdict += ", and a monitor of the JDK in " + Figures.count(jdk, "place");
    }
    return List.of(
        Phrase.of(STRONG, verdict + "."),
        Phrase.of(
            "On Java 21 to 23 a virtual thread that does so pins its carrier; on Java 24 and later"
                + " it does not (JEP 491)."),
        Phrase.of(
            "Monitors closest to a wait, and reached from most places, come first. Record the"
                + " program to see which of these waits happen."));
  }

  /** Returns the groups of monitors, those first that were seen to pin. */
  private List<List<Monitor>> groups() {
    List<Monitor> monitors = new ArrayList<>(scan.monitors());
    of.meeting()
        .ifPresent(
            meeting ->
                monitors.sort(
                    Comparator.comparingLong(
                        each -> -meeting.of(each).map(ScanVsRecording.Seen::count).orElse(0L))));
    return List.copyOf(grouped(monitors));
  }

  /**
   * Groups the monitors of one lock in one class; the likeliest to wait leads. A monitor is a group
   * of its own if all are asked for, or if it was seen to pin.
   */
  private Collection<List<Monitor>> grouped(List<Monitor> monitors) {
    Map<Object, List<Monitor>> groups = new LinkedHashMap<>();
    for (Monitor monitor : monitors) {
      boolean alone =
          of.most() == Integer.MAX_VALUE
              || of.meeting().flatMap(meeting -> meeting.of(monitor)).isPresent();
      Object key = alone ? monitor : LockOfClass.of(monitor);
      groups.computeIfAbsent(key, k -> new ArrayList<>()).add(monitor);
    }
    return groups.values();
  }

  /**
   * A lock as the methods of a class name it; for a monitor of the JDK, the method that is called.
   */
  private record LockOfClass(String type, String lock) {
    static LockOfClass of(Monitor monitor) {
      LockSite site = monitor.site();
      return monitor
          .caller()
          .map(caller -> new LockOfClass(caller.owner(), site.qualifiedMethod()))
          .orElseGet(() -> new LockOfClass(site.type().name(), site.region().lock().text()));
    }
  }

  private Item item(List<Monitor> group) {
    Monitor monitor = group.getFirst();
    LockSite site = monitor.site();
    List<Phrase> details = new ArrayList<>();
    String monitorText = monitorText(site);
    details.add(
        Phrase.of(
            monitor.caller().isEmpty()
                ? monitorText
                : "inside "
                    + site.type().simpleName()
                    + "."
                    + site.method()
                    + " ("
                    + monitorText
                    + ")"));
    if (monitor.caller().isEmpty() && isOverloaded(site)) {
      details.add(Phrase.of("takes " + parameters(site.descriptor())));
    }
    String nearest = way(site, monitor.line(), monitor.path());
    Optional<String> other = monitor.also().map(also -> way(site, also.line(), also.path()));
    if (monitor.onHeld() && other.isPresent()) {
      // A wait for something else comes first, because it holds the lock all the time.
      details.add(Phrase.of(other.get()));
      details.add(Phrase.of("also " + waits(monitor) + ", " + nearest));
    } else {
      details.add(Phrase.of(nearest));
      other.ifPresent(
          way ->
              details.add(Phrase.of("also " + monitor.also().get().waits().text() + ", " + way)));
    }
    if (monitor.onHeld()) {
      details.add(Phrase.of("Object.wait releases the lock, but on Java 21 to 23 not the carrier"));
    }
    others(group).ifPresent(details::add);
    if (monitor.caller().isEmpty()) {
      details.add(Phrase.of(monitor.owner().text()));
    }
    of.meeting().ifPresent(meeting -> details.add(seen(meeting.of(monitor))));
    return new Item(
        Phrase.of(NAME, title(monitor)),
        List.of(
            monitor.onHeld() && monitor.also().isPresent()
                ? monitor.also().get().waits().text() + ", " + waits(monitor)
                : waits(monitor)
                    + monitor.also().map(also -> ", " + also.waits().text()).orElse("")),
        details,
        Optional.ofNullable(of.decisions().get(site.id())).map(ScanDocument::toDo));
  }

  /** Returns the other methods of an entry, by name. */
  private static Optional<Phrase> others(List<Monitor> group) {
    String leader = method(group.getFirst());
    List<String> names =
        group.stream()
            .map(ScanDocument::method)
            .distinct()
            .filter(name -> !name.equals(leader))
            .toList();
    if (names.isEmpty()) {
      return Optional.empty();
    }
    int more = names.size() - MOST_OTHERS;
    return Optional.of(
        Phrase.of(
            "and in "
                + String.join(", ", names.subList(0, Math.min(names.size(), MOST_OTHERS)))
                + (more > 0 ? " and " + Figures.count(more, "more method") : "")));
  }

  /** Returns the method of the program that takes the monitor, or that calls the JDK's. */
  private static String method(Monitor monitor) {
    return monitor.caller().map(MethodName::name).orElseGet(() -> monitor.site().method());
  }

  private static String way(LockSite site, int line, List<MethodName> path) {
    return (line < 0 ? "" : "from " + Figures.position(site.type(), line) + ": ")
        + path.stream().map(ScanDocument::shortName).collect(Collectors.joining(" > "));
  }

  private static String title(Monitor monitor) {
    return monitor
        .caller()
        .map(caller -> caller.owner().replace('/', '.') + "." + caller.name())
        .orElseGet(() -> monitor.site().qualifiedMethod());
  }

  private boolean isOverloaded(LockSite site) {
    return scan.monitors().stream()
        .map(Monitor::site)
        .anyMatch(
            each ->
                each.method().equals(site.method())
                    && !each.descriptor().equals(site.descriptor())
                    && each.type().name().equals(site.type().name()));
  }

  /** Returns the types in short form, which distinguish overloads. */
  private static String parameters(String descriptor) {
    return "("
        + Arrays.stream(Type.getArgumentTypes(descriptor))
            .map(type -> type.getClassName().substring(type.getClassName().lastIndexOf('.') + 1))
            .collect(Collectors.joining(", "))
        + ")";
  }

  private static String waits(Monitor monitor) {
    return monitor.waits().text() + (monitor.onHeld() ? " on this lock" : "");
  }

  private static String monitorText(LockSite site) {
    MonitorRegion region = site.region();
    String kind =
        switch (region.kind()) {
          case METHOD -> "synchronized method";
          case BLOCK -> "synchronized block";
        };
    String lines = "";
    if (region.firstLine() >= 0) {
      lines = ", " + Figures.position(site.type(), region.firstLine());
      if (region.lastLine() > region.firstLine()) {
        lines += "-" + region.lastLine();
      }
    }
    return kind + ", lock: " + region.lock().text() + lines;
  }

  private static String shortName(MethodName method) {
    String owner = method.owner().replace('/', '.');
    return (owner.startsWith("java.") ? owner : owner.substring(owner.lastIndexOf('.') + 1))
        + "."
        + method.name();
  }

  private static Phrase seen(Optional<ScanVsRecording.Seen> seen) {
    if (seen.isEmpty()) {
      return Phrase.of(FAINT, "not seen in the recording");
    }
    String total =
        seen.get().nanos() > 0 ? ", " + Figures.duration(seen.get().nanos()) + " in all" : "";
    return Phrase.of(WARNING, "seen: ").and(Figures.count(seen.get().count(), "pin") + total);
  }

  private static Phrase toDo(Decision decision) {
    return switch (decision) {
      case Decision.Movable movable ->
          Phrase.of(
              GOOD,
              "can become a ReentrantLock ("
                  + Figures.count(movable.lock().sites().size(), "site")
                  + ")");
      case Decision.Declined declined ->
          Phrase.of("not proven safe to rewrite: " + declined.reason());
    };
  }

  private void unpredicted(ScanVsRecording meeting) {
    if (meeting.unpredicted().isEmpty()) {
      sentence("Every monitor that a pin held in the recording is among them.");
      return;
    }
    List<Phrase> lines = new ArrayList<>();
    lines.add(Phrase.of(STRONG, "Seen in the recording, but not found by the scan:"));
    for (ScanVsRecording.Unpredicted each : meeting.unpredicted()) {
      lines.add(
          Phrase.of(NAME, each.key().site().qualifiedMethod())
              .and(
                  (each.key().caller().isEmpty() ? "" : ", called by " + each.key().caller())
                      + ": "
                      + Figures.count(each.seen().count(), "pin")
                      + "; "
                      + each.why()));
    }
    blocks.add(new Block.Sentences(lines));
  }

  private void notes() {
    List<Phrase> notes = new ArrayList<>();
    if (scan.files() > 0) {
      notes.add(
          Phrase.of(
              Figures.count(scan.files(), "monitor")
                  + " left out: only file I/O follows, which blocks the carrier with and"
                  + " without a monitor."));
    }
    if (scan.unclear() > 0) {
      notes.add(
          Phrase.of(
              Figures.count(scan.unclear(), "method")
                  + " could not be followed exactly: enters and exits of a monitor do not pair"
                  + " up."));
    }
    if (!scan.missing().isEmpty()) {
      int more = scan.missing().size() - MOST_MISSING;
      notes.add(
          Phrase.of(WARNING, "Not scanned: ")
              .and(
                  "libraries that are called with a monitor held and are not on the class path: "
                      + String.join(
                          ", ",
                          scan.missing().subList(0, Math.min(scan.missing().size(), MOST_MISSING)))
                      + (more > 0 ? " and " + more + " more" : "")
                      + ". Add them with --classpath."));
    }
    for (String problem : scan.problems()) {
      notes.add(Phrase.of(WARNING, "Not seen: ").and(problem + "."));
    }
    if (!scan.monitors().isEmpty()) {
      notes.add(
          Phrase.of(
              FAINT, "Not followed: reflection, native code, class loading, class initializers."));
    }
    if (!notes.isEmpty()) {
      blocks.add(new Block.Notes(notes));
    }
  }

  private void sentence(String text) {
    blocks.add(new Block.Sentences(List.of(Phrase.of(text))));
  }
}
