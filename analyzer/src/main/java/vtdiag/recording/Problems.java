package vtdiag.recording;

import java.util.ArrayList;
import java.util.List;

/** What could not be read; each sort of damage is one sentence, however often it was met. */
final class Problems {
  private final List<String> sentences = new ArrayList<>();
  private long damagedEvents;
  private long damagedConstants;
  private long missingConstants;
  private long unreadBytes;

  void add(String sentence) {
    if (!sentences.contains(sentence)) {
      sentences.add(sentence);
    }
  }

  void damagedEvent() {
    damagedEvents++;
  }

  void damagedConstants() {
    damagedConstants++;
  }

  void missingConstant() {
    missingConstants++;
  }

  void unread(long bytes) {
    unreadBytes += bytes;
  }

  List<String> sentences() {
    List<String> all = new ArrayList<>(sentences);
    if (unreadBytes > 0) {
      all.add(unreadBytes + " bytes are not part of a recording and were left out");
    }
    if (damagedEvents > 0) {
      all.add(damagedEvents + " events are damaged and were left out");
    }
    if (damagedConstants > 0) {
      all.add(damagedConstants + " sets of constants are damaged; names or stacks may be missing");
    }
    if (missingConstants > 0) {
      all.add(missingConstants + " constants are missing: names, stacks or threads are incomplete");
    }
    return all;
  }
}
