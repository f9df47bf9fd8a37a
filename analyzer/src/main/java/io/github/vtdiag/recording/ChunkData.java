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

/** What one chunk says, read by itself; what it means among the others is found out later. */
final class ChunkData {
  /** What the events of some of the chunk's pins say in words; empty where they say nothing. */
  record Words(PinEpisode.Kind kind, String reason, String operation, String lock, boolean ended) {}

  /** How some of the chunk's pins look: what is not a pin's own. */
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

    /** The recording's number for it. */
    int number = UNKNOWN;

    /**
     * By kind of event what is read on this stack: two bits each, which are 0 until that is asked.
     */
    private long details;

    DecodedStack(StackNames.Named named) {
      this.named = named;
    }

    static DecodedStack of(StackTrace stack) {
      Frame[] frames = stack.frames().toArray(Frame[]::new);
      return new DecodedStack(new StackNames.Named(frames, stack.truncated()));
    }

    /** What is read of events of this kind; the same selection has to be given each time. */
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

  /** What it says besides its pins, in the order of the file. */
  final List<Consumer<Facts>> facts = new ArrayList<>();

  int pins;
  long[] starts = {};
  long[] durations = {};

  /** Of each pin, the place of its thread in {@link #threads}. */
  int[] threadOf = {};

  /** Of each pin, the place of its carrier in {@link #carriers}; -1 where it is not told. */
  int[] carrierOf = {};

  /** Of each pin, the place of its look in {@link #looks}. */
  int[] lookOf = {};

  final List<ThreadRef> threads = new ArrayList<>();
  final List<ThreadRef> carriers = new ArrayList<>();
  final List<Look> looks = new ArrayList<>();

  /** What it says of virtual threads besides their pins; null if it says nothing. */
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
