package io.github.vtdiag.pin;

import io.github.vtdiag.model.MonitorObject;
import io.github.vtdiag.model.MonitorSample.HolderFrame;
import java.util.ArrayList;
import java.util.List;

/**
 * The text in which a {@code vtdiag.MonitorSample} event carries its frames, because JFR events
 * made in Java have no arrays: a line a frame, {@code class method bci object...}, each object
 * {@code class@hash}.
 */
public final class MonitorSamples {
  private MonitorSamples() {}

  public static String write(List<HolderFrame> frames) {
    StringBuilder text = new StringBuilder();
    for (HolderFrame frame : frames) {
      text.append(frame.className()).append(' ').append(frame.method());
      text.append(' ').append(frame.bci());
      for (MonitorObject monitor : frame.monitors()) {
        text.append(' ').append(monitor.className()).append('@');
        text.append(Integer.toHexString(monitor.identityHash()));
      }
      text.append('\n');
    }
    return text.toString();
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException if it is no such text
   */
  public static List<HolderFrame> parse(String text) {
    List<HolderFrame> frames = new ArrayList<>();
    for (String line : text.lines().toList()) {
      String[] words = line.split(" ", -1);
      if (words.length < 3) {
        throw new IllegalArgumentException("not a holder frame: " + line);
      }
      List<MonitorObject> monitors = new ArrayList<>();
      for (int i = 3; i < words.length; i++) {
        int at = words[i].lastIndexOf('@');
        if (at < 0) {
          throw new IllegalArgumentException("not a monitor object: " + words[i]);
        }
        monitors.add(
            new MonitorObject(
                words[i].substring(0, at),
                Integer.parseUnsignedInt(words[i].substring(at + 1), 16)));
      }
      frames.add(new HolderFrame(words[0], words[1], Integer.parseInt(words[2]), monitors));
    }
    return frames;
  }
}
