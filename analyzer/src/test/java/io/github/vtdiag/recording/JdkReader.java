package io.github.vtdiag.recording;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import io.github.vtdiag.pin.EventValues;
import io.github.vtdiag.pin.Events;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** The pins of recordings as the JDK's own reader gives them, one by one. */
public final class JdkReader {
  private JdkReader() {}

  /** The chunks of a recording as files: the JDK's reader uses the first chunk's clock for all. */
  public static List<Path> split(Path recording, Path directory) throws Exception {
    return OracleTest.split(recording, directory);
  }

  /** The pins of chunks, in the order of the files. */
  public static List<PinEpisode> pins(List<Path> chunks, int jdk) throws Exception {
    List<PinEpisode> pins = new ArrayList<>();
    for (Path chunk : chunks) {
      for (RecordedEvent event : RecordingFile.readAllEvents(chunk)) {
        Events.episode(new Values(event), jdk).ifPresent(pins::add);
      }
    }
    return pins;
  }

  private record Values(RecordedEvent event) implements EventValues {
    @Override
    public String type() {
      return event.getEventType().getName();
    }

    @Override
    public long startNanos() {
      return OracleTest.nanos(event.getStartTime());
    }

    @Override
    public long durationNanos() {
      return event.getDuration().toNanos();
    }

    @Override
    public ThreadRef thread() {
      return OracleTest.thread(event.getThread());
    }

    @Override
    public StackTrace stack() {
      return OracleTest.stack(event.getStackTrace());
    }

    @Override
    public String text(String field) {
      return switch (event.hasField(field) ? event.<Object>getValue(field) : null) {
        case null -> "";
        case RecordedClass type -> ClassRef.withoutHiddenSuffix(type.getName());
        case Object value -> value.toString();
      };
    }

    @Override
    public long number(String field) {
      return event.hasField(field) ? event.getLong(field) : 0;
    }
  }
}
