package io.github.vtdiag.page;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.account.Use;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.report.ReportParts;
import io.github.vtdiag.report.format.Html;
import io.github.vtdiag.report.format.HtmlDocument;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Draws the figures that need no script: they are there at once, and can be printed. */
final class Figure {
  /** The uses of carriers in the order of the drawing: bad ones first, idle ones last. */
  private static final List<Use> USES =
      List.of(Use.PINNED, Use.BLOCKED, Use.NATIVE, Use.FILE, Use.JAVA, Use.UNKNOWN, Use.IDLE);

  /** The part below which a use is not drawn. */
  private static final double LITTLE = 0.0005;

  private final Html html;

  Figure(Html html) {
    this.html = html;
  }

  /** Draws the account of the carriers' time as one bar with its legend. */
  void account(Account account) {
    if (account.capacityNanos() == 0) {
      return;
    }
    List<Use> uses = USES.stream().filter(use -> account.part(use) >= LITTLE).toList();
    double all = Math.max(1, uses.stream().mapToDouble(account::part).sum());
    html.open("figure", "class", "account");
    html.open("svg", "class", "bar", "role", "img", "aria-label", "Where the carriers' time went");
    double at = 0;
    for (Use use : uses) {
      double width = account.part(use) / all;
      String title = Figures.percent(account.part(use)) + " " + ReportParts.use(use);
      box("use-" + name(use), percent(at), percent(width), "0", "100%", title);
      at += width;
    }
    html.close();
    html.open("ul", "class", "legend");
    for (Use use : uses) {
      html.open("li");
      swatch("use-" + name(use));
      html.leaf("b", Figures.percent(account.part(use)), "class", "figure");
      html.text(" " + ReportParts.use(use)).close();
    }
    html.close().end();
  }

  /** Draws a colour with a texture over it, for readers who do not see colours. */
  private void box(String of, String x, String width, String y, String height, String title) {
    html.open("g");
    for (String layer : List.of("fill ", "texture ")) {
      html.open("rect", "class", layer + of, "x", x, "width", width, "y", y, "height", height);
      html.close();
    }
    html.leaf("title", title);
    html.close();
  }

  /** Draws a small square in the colour and texture of what is beside it. */
  void swatch(String of) {
    html.open("svg", "class", "swatch", "aria-hidden", "true");
    html.open("rect", "class", "fill " + of, "width", "100%", "height", "100%").close();
    html.open("rect", "class", "texture " + of, "width", "100%", "height", "100%").close();
    html.close();
  }

  /** Draws a share of a whole. */
  void share(double share, String of) {
    html.open("svg", "class", "share", "aria-hidden", "true");
    html.open("rect", "class", "rest", "width", "100%", "height", "100%").close();
    String width = percent(Math.clamp(share, 0.004, 1));
    html.open("rect", "class", "fill " + of, "width", width, "height", "100%").close();
    html.open("rect", "class", "texture " + of, "width", width, "height", "100%").close();
    html.close();
  }

  /**
   * Draws the number of pins of each length.
   *
   * @param threshold the length below which pins were not recorded
   */
  void lengths(Lengths lengths, OptionalLong threshold) {
    int columns = lengths.bins().size();
    double most = Math.max(1, lengths.mostPins());
    html.open("figure", "class", "lengths");
    html.open(
        "svg",
        "class",
        "histogram",
        "role",
        "img",
        "aria-label",
        "How many pins were how long, on a logarithmic scale");
    for (int line = 1; line <= 4; line++) {
      String y = percent(PLOT * (1 - line / 4.0) + TOP);
      html.open("line", "class", "grid", "x1", "0", "x2", "100%", "y1", y, "y2", y).close();
    }
    html.leaf(
        "text", Figures.count(lengths.mostPins(), "pin"), "class", "most", "x", "0", "y", "4.6%");
    double bound = 0;
    for (int i = 0; i < columns; i++) {
      Lengths.Bin bin = lengths.bins().get(i);
      double x = (double) i / columns;
      bound = bin.fromNanos() == Lengths.BOUND ? x : bound;
      if (bin.pins() > 0) {
        // Even one pin in a million must be visible.
        double height = Math.max(PLOT * bin.pins() / most, 0.006);
        box(
            bin.fromNanos() < Lengths.BOUND ? "length-below" : "length-above",
            percent(x + 0.08 / columns),
            percent(0.84 / columns),
            percent(TOP + PLOT - height),
            percent(height),
            range(bin)
                + ": "
                + Figures.count(bin.pins(), "pin")
                + ", "
                + Figures.duration(bin.nanos())
                + (bin.pins() == 1 ? "" : " together"));
      }
    }
    String at = percent(bound);
    html.open("line", "class", "bound", "x1", at, "x2", at, "y1", "0", "y2", percent(TOP + PLOT));
    html.close();
    html.leaf(
        "text", Figures.duration(Lengths.BOUND), "class", "first", "x", at, "dx", "6", "y", "4.6%");
    String foot = percent(TOP + PLOT);
    html.open("line", "class", "axis", "x1", "0", "x2", "100%", "y1", foot, "y2", foot).close();
    ticks(lengths);
    html.close();
    html.open("ul", "class", "legend");
    sum("length-below", "shorter than " + Figures.duration(Lengths.BOUND), lengths.below());
    sum("length-above", Figures.duration(Lengths.BOUND) + " or longer", lengths.above());
    html.close();
    if (threshold.isPresent() && threshold.getAsLong() > 0) {
      html.leaf(
          "p",
          "Pins shorter than " + Figures.duration(threshold.getAsLong()) + " were not recorded.",
          "class",
          "faint");
    }
    table(lengths);
    html.end();
  }

  private static final double TOP = 0.06;
  private static final double PLOT = 0.82;

  private void ticks(Lengths lengths) {
    double first = Math.log10((double) Math.max(1, lengths.bins().getFirst().fromNanos()));
    double last = Math.log10((double) lengths.bins().getLast().toNanos());
    for (int power = (int) Math.ceil(first); power <= last; power++) {
      double part = (power - first) / (last - first);
      String x = percent(part);
      String y = percent(TOP + PLOT);
      html.open("line", "class", "tick", "x1", x, "x2", x, "y1", y, "y2", percent(0.91)).close();
      String label = Figures.duration(Math.round(Math.pow(10, power)));
      String anchor = part < 0.04 ? " first" : part > 0.94 ? " last" : "";
      html.leaf("text", label, "class", "tick" + anchor, "x", x, "y", "98%");
    }
  }

  private void sum(String of, String what, Lengths.Sum sum) {
    html.open("li");
    swatch(of);
    html.leaf("b", Figures.count(sum.pins(), "pin"), "class", "figure");
    html.text(" " + what + ", " + Figures.duration(sum.nanos()) + " together").close();
  }

  private void table(Lengths lengths) {
    html.open("details").leaf("summary", "The same as a table");
    List<List<String>> rows =
        lengths.bins().stream()
            .filter(bin -> bin.pins() > 0)
            .map(
                bin ->
                    List.of(range(bin), Figures.count(bin.pins()), Figures.duration(bin.nanos())))
            .toList();
    new HtmlDocument(html).table("Lengths", List.of("Length", "Pins", "Time together"), rows);
    html.close();
  }

  private static String range(Lengths.Bin bin) {
    return Figures.duration(bin.fromNanos()) + " to " + Figures.duration(bin.toNanos());
  }

  static String percent(double part) {
    return Figures.decimal(part * 100, 3) + "%";
  }

  private static String name(Use use) {
    return use.name().toLowerCase(Locale.ROOT);
  }
}
