package io.github.vtdiag.agent.recording;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import io.github.vtdiag.pin.EventValues;
import io.github.vtdiag.pin.Events;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedClassLoader;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;

/**
 * An event as the JDK's own readers return it.
 *
 * @param stacks the stacks read so far: the readers return equal stacks of a chunk as one object,
 *     and a flood of pins has few different ones
 */
public record RecordedValues(
    RecordedEvent event, IdentityHashMap<RecordedStackTrace, StackTrace> stacks)
    implements EventValues {
  @Override
  public String type() {
    return event.getEventType().getName();
  }

  @Override
  public long startNanos() {
    return nanos(event.getStartTime());
  }

  @Override
  public long durationNanos() {
    return event.getDuration().toNanos();
  }

  private static long nanos(Instant instant) {
    return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
  }

  @Override
  public ThreadRef thread() {
    RecordedThread thread = event.getThread();
    if (thread == null) {
      return new ThreadRef(-1, "", false);
    }
    String name = thread.getJavaName();
    return new ThreadRef(thread.getJavaThreadId(), name == null ? "" : name, thread.isVirtual());
  }

  @Override
  public StackTrace stack() {
    RecordedStackTrace recorded = event.getStackTrace();
    return recorded == null
        ? StackTrace.ABSENT
        : stacks.computeIfAbsent(recorded, RecordedValues::stack);
  }

  private static StackTrace stack(RecordedStackTrace recorded) {
    List<Frame> frames = new ArrayList<>(recorded.getFrames().size());
    for (RecordedFrame frame : recorded.getFrames()) {
      RecordedMethod method = frame.getMethod();
      if (method == null) {
        // JFR loses methods of classes that are redefined while they run.
        frames.add(new Frame(new ClassRef("", ""), "", "", 0, -1, -1, Frame.Kind.UNKNOWN));
        continue;
      }
      frames.add(
          new Frame(
              classRef(method.getType()),
              method.getName(),
              method.getDescriptor(),
              method.getModifiers(),
              frame.getBytecodeIndex(),
              frame.getLineNumber(),
              Events.frameKind(frame.getType())));
    }
    return new StackTrace(frames, recorded.isTruncated());
  }

  private static ClassRef classRef(RecordedClass type) {
    RecordedClassLoader loader = type.getClassLoader();
    if (loader == null) {
      return new ClassRef(type.getName(), "");
    }
    String name = loader.getName() == null ? "" : loader.getName();
    String className = loader.getType() == null ? "" : loader.getType().getName();
    return new ClassRef(type.getName(), Events.loaderName(name, className));
  }

  @Override
  public String text(String field) {
    if (!event.hasField(field)) {
      return "";
    }
    // No switch over types: to link one takes longer than the summary of a short recording.
    Object value = event.getValue(field);
    if (value instanceof RecordedClass type) {
      return type.getName();
    }
    Object text = value instanceof RecordedThread thread ? thread.getJavaName() : value;
    return text == null ? "" : text.toString();
  }

  @Override
  public long number(String field) {
    if (!event.hasField(field)) {
      return 0;
    }
    return event.<Object>getValue(field) instanceof Boolean set
        ? (set ? 1 : 0)
        : event.getLong(field);
  }
}
