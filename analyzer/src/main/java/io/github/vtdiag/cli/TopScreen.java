package io.github.vtdiag.cli;

import io.github.vtdiag.live.Top;
import io.github.vtdiag.live.TopSample;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.report.format.TopText;
import io.github.vtdiag.report.format.TopView;
import io.github.vtdiag.report.words.Phrase;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.impl.exec.ExecTerminalProvider;
import org.jline.terminal.spi.SystemStream;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;
import org.jline.utils.Curses;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;

/** The full screen of {@code vtdiag top}: the latest sample, and the keys. */
final class TopScreen implements Closeable {
  private static final long KEY_MILLIS = 100;
  private static final long ESCAPE_MILLIS = 30;
  private static final int ESCAPE = 27;
  private static final int DELETE = 127;

  /** A sample and its number; no sample at first. */
  private record Seen(long version, TopSample moment) {}

  private final Terminal terminal;
  private final boolean colour;
  private final Attributes before;

  /** The sequences that bring the cursor and the first screen back. */
  private final String leaving;

  private final Display display;
  private final NonBlockingReader keys;
  private final boolean unicode;
  private final AtomicReference<DataException> ending = new AtomicReference<>();
  private final Thread restoring = new Thread(this::restore, "vtdiag-screen");

  private volatile Seen seen = new Seen(0, null);
  private volatile boolean quit;
  private volatile boolean resized;
  private boolean restored;
  private Size size;
  private Seen shown = seen;
  private TopView.Sort sort = TopView.Sort.NUMBER;
  private int skipped;
  private String filter = "";
  private boolean typing;
  private boolean paused;
  private boolean help;

  TopScreen(boolean colour, Charset charset) throws IOException {
    this.colour = colour;
    terminal =
        new ExecTerminalProvider()
            .sysTerminal(
                "vtdiag",
                System.getenv("TERM"),
                false,
                charset,
                charset,
                charset,
                true,
                Terminal.SignalHandler.SIG_DFL,
                false,
                SystemStream.Output);
    leaving = sequence(Capability.cursor_normal) + sequence(Capability.exit_ca_mode);
    before = terminal.enterRawMode();
    Attributes raw = terminal.getAttributes();
    // Without Ctrl-Z, which would leave a half-drawn screen.
    raw.setControlChar(Attributes.ControlChar.VSUSP, 0);
    terminal.setAttributes(raw);
    terminal.handle(Signal.INT, signal -> quit = true);
    terminal.handle(Signal.WINCH, signal -> resized = true);
    terminal.handle(Signal.CONT, signal -> resized = true);
    unicode = charset.newEncoder().canEncode('█');
    keys = terminal.reader();
    terminal.puts(Capability.enter_ca_mode);
    terminal.puts(Capability.cursor_invisible);
    terminal.flush();
    display = new Display(terminal, true);
    resize();
    Runtime.getRuntime().addShutdownHook(restoring);
  }

  /** Returns whether there is a terminal that can be drawn on. */
  static boolean isPossible(Console console) {
    return console.style().width() > 0 && !"dumb".equals(System.getenv("TERM"));
  }

  /**
   * Shows the screen until the user quits.
   *
   * @return false if the JVM ended before, or stopped answering
   */
  boolean show(Top top, long intervalNanos) throws IOException {
    Thread looking = new Thread(() -> look(top, intervalNanos), "vtdiag-look");
    looking.setDaemon(true);
    looking.start();
    try {
      while (!quit && ending.get() == null) {
        boolean changed = key();
        if (resized) {
          resized = false;
          resize();
          changed = true;
        }
        Seen now = seen;
        if (!paused && now.version() != shown.version()) {
          shown = now;
          changed = true;
        }
        if (changed) {
          draw();
        }
      }
    } finally {
      looking.interrupt();
    }
    return quit;
  }

  /** Returns why nothing more can be shown. */
  DataException ending() {
    return ending.get();
  }

  private void look(Top top, long intervalNanos) {
    try {
      long next = System.nanoTime();
      while (!quit) {
        if (System.nanoTime() - next >= 0) {
          see(top.look());
          next = Math.max(next + intervalNanos, System.nanoTime());
        }
        if (top.read()) {
          see(top.moment());
        }
        Thread.sleep(KEY_MILLIS);
      }
    } catch (DataException e) {
      ending.set(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException e) {
      // The screen was left in the middle of reading.
      if (!Thread.currentThread().isInterrupted() && !TopCommand.isKilled()) {
        throw e;
      }
    }
  }

  private void see(TopSample moment) {
    seen = new Seen(seen.version() + 1, moment);
  }

  private void resize() {
    size = terminal.getSize();
    // A terminal that does not say has no lines.
    if (size.getColumns() <= 0 || size.getRows() <= 0) {
      size = Size.of(80, 24);
    }
    display.resize(size);
    display.clear();
  }

  /** Waits a moment for a key. */
  private boolean key() throws IOException {
    int key = keys.read(KEY_MILLIS);
    if (key == NonBlockingReader.READ_EXPIRED) {
      return false;
    }
    if (key == NonBlockingReader.EOF) {
      quit = true;
      return false;
    }
    if (key == ESCAPE) {
      escape();
    } else if (typing) {
      type(key);
    } else if (help) {
      help = false;
      quit = key == 'q';
    } else {
      command(key);
    }
    return true;
  }

  private void command(int key) {
    switch (key) {
      case 'q', 'Q', 3 -> quit = true;
      case ' ', 'p' -> paused = !paused;
      case 's' -> sort = sort.next();
      case '/', 'f' -> {
        typing = true;
        filter = "";
      }
      case 'j' -> skipped++;
      case 'k' -> skipped = Math.max(0, skipped - 1);
      case 'h', '?' -> help = true;
      case 12 -> resized = true; // Ctrl-L: draw it again.
      default -> {}
    }
  }

  /** Handles the escape key, or one of the keys that send several characters. */
  private void escape() throws IOException {
    int next = keys.read(ESCAPE_MILLIS);
    if (next != '[' && next != 'O') {
      typing = false;
      help = false;
      filter = "";
      return;
    }
    int last = keys.read(ESCAPE_MILLIS);
    while (last >= 0 && (Character.isDigit(last) || last == ';')) {
      last = keys.read(ESCAPE_MILLIS);
    }
    switch (last) {
      case 'A' -> skipped = Math.max(0, skipped - 1);
      case 'B' -> skipped++;
      default -> {}
    }
  }

  private void type(int key) {
    switch (key) {
      case '\r', '\n' -> typing = false;
      case 3 -> quit = true;
      case DELETE, '\b' ->
          filter = filter.isEmpty() ? "" : filter.substring(0, filter.length() - 1);
      default -> {
        if (key >= ' ') {
          filter += Character.toString(key);
        }
      }
    }
  }

  private void draw() {
    List<AttributedString> lines = new ArrayList<>();
    int rows = size.getRows() - 1;
    if (help) {
      TopText.help().forEach(line -> lines.add(styled(line)));
    } else if (shown.moment() == null) {
      lines.add(new AttributedString("looking ..."));
    } else {
      skipped = Math.min(skipped, Math.max(0, shown.moment().carriers().size() - 1));
      TopText.lines(
              shown.moment(), new TopView(size.getColumns(), rows, sort, skipped, filter, unicode))
          .forEach(line -> lines.add(styled(line)));
    }
    while (lines.size() < rows) {
      lines.add(AttributedString.EMPTY);
    }
    List<AttributedString> screen = new ArrayList<>(lines.subList(0, Math.max(0, rows)));
    screen.add(styled(keyLine()));
    display.update(
        screen.stream().map(line -> line.columnSubSequence(0, size.getColumns())).toList(), -1);
    terminal.flush();
  }

  private Phrase keyLine() {
    if (typing) {
      return Phrase.of(Phrase.Tone.STRONG, "filter: " + filter + "_")
          .and("   enter keep  esc none");
    }
    Phrase line = Phrase.EMPTY;
    if (paused) {
      line = line.and(Phrase.Tone.WARNING, "PAUSED  ");
    }
    if (!filter.isEmpty()) {
      line = line.and(Phrase.Tone.WARNING, "filter " + filter + "  ");
    }
    return line.and(
        Phrase.Tone.FAINT, "q quit  space pause  s sort: " + sort.text() + "  / filter  h help");
  }

  private AttributedString styled(Phrase line) {
    AttributedStringBuilder text = new AttributedStringBuilder();
    for (Phrase.Part part : line.parts()) {
      text.styled(style(part.tone()), Printable.text(part.text()));
    }
    return text.toAttributedString();
  }

  private AttributedStyle style(Phrase.Tone tone) {
    AttributedStyle plain = AttributedStyle.DEFAULT;
    return switch (tone) {
      case PLAIN, NAME -> plain;
      case STRONG -> plain.bold();
      case FAINT -> colour ? plain.faint() : plain;
      case GOOD -> colour ? plain.foreground(AttributedStyle.GREEN) : plain;
      case BAD -> colour ? plain.bold().foreground(AttributedStyle.RED) : plain.bold();
      case WARNING, FIGURE -> colour ? plain.foreground(AttributedStyle.YELLOW) : plain;
    };
  }

  /** Restores the terminal, at the exit too. */
  private synchronized void restore() {
    if (restored) {
      return;
    }
    restored = true;
    try {
      terminal.puts(Capability.cursor_normal);
      terminal.puts(Capability.exit_ca_mode);
      terminal.flush();
      terminal.setAttributes(before);
    } catch (IllegalStateException e) {
      // JLine's own hook has closed the terminal, with its attributes but not the first screen.
      System.out.print(leaving);
      System.out.flush();
    }
  }

  /** Returns what a terminal is sent for a capability; empty if it does not have it. */
  private String sequence(Capability capability) {
    String known = terminal.getStringCapability(capability);
    return known == null ? "" : Curses.tputs(known);
  }

  @Override
  public void close() throws IOException {
    restore();
    if (ending.get() != null && shown.moment() != null) {
      // The other screen is gone, and with it the latest sample.
      TopText.lines(
              shown.moment(),
              new TopView(size.getColumns(), size.getRows(), sort, skipped, filter, unicode))
          .forEach(line -> styled(line).columnSubSequence(0, size.getColumns()).println(terminal));
      terminal.flush();
    }
    terminal.close();
  }
}
