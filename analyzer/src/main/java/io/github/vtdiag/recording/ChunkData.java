package io.github.vtdiag.recording;

import io.github.vtdiag.jfr.ChunkHeader;
import io.github.vtdiag.jfr.Metadata;
import io.github.vtdiag.jfr.Problems;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.recording.EventSelection.Detail;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** The content of one chunk, read by itself; its meaning among the others is found later. */
final class ChunkData {
  /** The texts in the events of some of the chunk's pins; empty if there are none. */
  record Words(PinEpisode.Kind kind, String reason, String operation, String lock, boolean ended) {}

  /** The properties that some of the chunk's pins share. */
  record Look(DecodedStack stack, Words words) {}

  /** A stack; equal ones may be several objects, some of them shared by chunks. */
  static final class DecodedStack {
    static final int UNKNOWN = -1;

    private static final Detail[] DETAILS = Detail.values();

    static {
      if (ThreadEvent.values().length > Long.SIZE / 2) {
        throw new IllegalStateException("more kinds of events than two bits of a long each");
      }
    }

    final StackNames.Named named;

    /** The recording's number of the stack. */
    int number = UNKNOWN;

    /** The {@link Detail} by kind of event, two bits each, which are 0 until it is requested. */
    private long details;

    DecodedStack(StackNames.Named named) {
      this.named = named;
    }

    static DecodedStack of(StackTrace stack) {
      Frame[] frames = stack.frames().toArray(Frame[]::new);
      return new DecodedStack(new StackNames.Named(frames, stack.truncated()));
    }

    /** Returns the detail for events of this kind; the selection has to be the same each time. */
    @SuppressWarnings("EnumOrdinal") // Kept as long as the recording is read.
    Detail detail(ThreadEvent event, EventSelection selection) {
      int shift = event.ordinal() * 2;
      int known = (int) (details >>> shift) & 3;
      if (known == 0) {
        known = 1 + selection.detail(event, Arrays.asList(named.frames())).ordinal();
        details |= (long) known << shift;
      }
      return DETAILS[known - 1];
    }
  }

  final ChunkHeader header;
  final Problems problems = new Problems();

  /** Null if the chunk cannot be read. */
  Metadata metadata;

  boolean whole;
  long endNanos;

  /** The facts besides its pins, in the order of the file. */
  final List<Consumer<Facts>> facts = new ArrayList<>();

  int pins;
  long[] starts = {};
  long[] durations = {};

  /** The index in {@link #threads} for each pin. */
  int[] threadOf = {};

  /** The index in {@link #carriers} for each pin; -1 if the carrier is unknown. */
  int[] carrierOf = {};

  /** The index in {@link #looks} for each pin. */
  int[] lookOf = {};

  final List<ThreadRef> threads = new ArrayList<>();
  final List<ThreadRef> carriers = new ArrayList<>();
  final List<Look> looks = new ArrayList<>();

  /** The events of virtual threads besides their pins; null if there are none. */
  ThreadEvents.Read events;

  /** The chunks that were found within this one, because it is damaged. */
  final List<ChunkData> within = new ArrayList<>();

  ChunkData(ChunkHeader header) {
    this.header = header;
  }

  void addPin(long start, long duration, int thread, int carrier, int look) {
    if (pins == starts.length) {
      int length = Math.max(64, pins * 2);
      starts = Arrays.copyOf(starts, length);
      durations = Arrays.copyOf(durations, length);
      threadOf = Arrays.copyOf(threadOf, length);
      carrierOf = Arrays.copyOf(carrierOf, length);
      lookOf = Arrays.copyOf(lookOf, length);
    }
    starts[pins] = start;
    durations[pins] = duration;
    threadOf[pins] = thread;
    carrierOf[pins] = carrier;
    lookOf[pins++] = look;
  }

  boolean readable() {
    return metadata != null;
  }
}
