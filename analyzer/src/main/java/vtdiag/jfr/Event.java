package vtdiag.jfr;

import vtdiag.jfr.Metadata.Field;
import vtdiag.jfr.Metadata.JfrType;
import vtdiag.model.StackTrace;
import vtdiag.model.ThreadRef;
import vtdiag.pin.EventValues;

/** One event of a chunk; moved from event to event of its type, so it must not be kept. */
public final class Event implements EventValues {
  private final JfrType type;
  private final Bytes in = new Bytes();
  private final Constants constants;
  private final ChunkHeader header;
  private final Field[] fields;
  private final Skip[] skips;
  private final int[] places;
  private final int startTime;
  private final int duration;
  private final int eventThread;
  private final int stackTrace;

  public Event(JfrType type, Constants constants, ChunkHeader header) {
    this.type = type;
    this.constants = constants;
    this.header = header;
    fields = type.fields.toArray(Field[]::new);
    skips = type.fields.stream().map(Field::skip).toArray(Skip[]::new);
    places = new int[skips.length];
    startTime = type.indexOf("startTime");
    duration = type.indexOf("duration");
    eventThread = type.indexOf("eventThread");
    stackTrace = type.indexOf("stackTrace");
  }

  /**
   * Goes to an event.
   *
   * @param from where its fields begin
   * @param to where it ends
   */
  public void moveTo(byte[] bytes, int from, int to) {
    in.reset(bytes, from, to);
    for (int i = 0; i < places.length; i++) {
      places[i] = in.position;
      skips[i].over(in);
    }
  }

  public long typeId() {
    return type.id;
  }

  @Override
  public String type() {
    return type.name;
  }

  @Override
  public long startNanos() {
    return header.nanos(number(startTime));
  }

  @Override
  public long durationNanos() {
    long start = number(startTime);
    return header.nanos(start + number(duration)) - header.nanos(start);
  }

  @Override
  public ThreadRef thread() {
    return isConstant(eventThread)
        ? constants.thread(fields[eventThread].type(), number(eventThread))
        : Constants.NO_THREAD;
  }

  @Override
  public StackTrace stack() {
    return isConstant(stackTrace)
        ? constants.stack(fields[stackTrace].type(), stackId())
        : StackTrace.ABSENT;
  }

  /** The id of the stack, 0 if there is none. */
  public long stackId() {
    return number(stackTrace);
  }

  @Override
  public String text(String field) {
    int index = type.indexOf(field);
    if (index < 0) {
      return "";
    }
    in.position = places[index];
    return constants.text(fields[index], in);
  }

  @Override
  public long number(String field) {
    return number(type.indexOf(field));
  }

  private long number(int index) {
    if (index < 0) {
      return 0;
    }
    in.position = places[index];
    return constants.number(fields[index], in);
  }

  private boolean isConstant(int index) {
    if (index < 0) {
      return false;
    }
    Field field = fields[index];
    return field.constant && !field.array;
  }
}
