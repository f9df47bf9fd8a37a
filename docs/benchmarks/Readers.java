import java.nio.file.Path;
import jdk.jfr.consumer.EventStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import one.jfr.JfrReader;
import io.github.vtdiag.recording.PinTable;
import io.github.vtdiag.recording.Recordings;

/**
 * Other readers of recordings. Each finds the pinned virtual threads with the frames of their
 * stacks, and prints how many of both there are.
 */
final class Readers {
  private Readers() {}

  private static void print(long pins, long frames) {
    System.out.println(pins + " pins, " + frames + " frames");
  }

  private static int frames(RecordedEvent event) {
    return event.getStackTrace() == null ? 0 : event.getStackTrace().getFrames().size();
  }

  static final class File {
    public static void main(String[] args) throws Exception {
      long pins = 0;
      long frames = 0;
      try (RecordingFile file = new RecordingFile(Path.of(args[0]))) {
        while (file.hasMoreEvents()) {
          RecordedEvent event = file.readEvent();
          if (event.getEventType().getName().equals("jdk.VirtualThreadPinned")) {
            pins++;
            frames += frames(event);
          }
        }
      }
      print(pins, frames);
    }
  }

  static final class Stream {
    public static void main(String[] args) throws Exception {
      long[] counts = new long[2];
      try (EventStream stream = EventStream.openFile(Path.of(args[0]))) {
        stream.onEvent(
            "jdk.VirtualThreadPinned",
            event -> {
              counts[0]++;
              counts[1] += frames(event);
            });
        stream.start();
      }
      print(counts[0], counts[1]);
    }
  }

  static final class AsyncProfiler {
    /** As Java 21 lays it out. */
    public static final class Pinned extends one.jfr.event.Event {
      final long duration;

      public Pinned(JfrReader reader) {
        this(reader.getVarlong(), reader.getVarlong(), reader.getVarint(), reader.getVarint());
      }

      private Pinned(long time, long duration, int thread, int stack) {
        super(time, thread, stack);
        this.duration = duration;
      }
    }

    public static void main(String[] args) throws Exception {
      long pins = 0;
      long frames = 0;
      try (JfrReader reader = new JfrReader(args[0])) {
        reader.registerEvent("jdk.VirtualThreadPinned", Pinned.class);
        for (Pinned pin = reader.readEvent(Pinned.class);
            pin != null;
            pin = reader.readEvent(Pinned.class)) {
          pins++;
          frames += reader.stackTraces.get(pin.stackTraceId).methods.length;
        }
      }
      print(pins, frames);
    }
  }

  /** vtdiag's reader alone: no attribution, no report. */
  static final class Vtdiag {
    public static void main(String[] args) throws Exception {
      long frames = 0;
      PinTable pins = Recordings.read(Path.of(args[0])).pins();
      for (int row = 0; row < pins.size(); row++) {
        frames += pins.looks().get(pins.look(row)).stack().frames().size();
      }
      print(pins.size(), frames);
    }
  }
}
