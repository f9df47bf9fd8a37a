package io.github.vtdiag.recording;

import static io.github.vtdiag.recording.SyntheticRecordingTest.PINNED;

import io.github.vtdiag.jfr.Bytes;
import io.github.vtdiag.recording.ChunkBuilder.Out;
import java.lang.reflect.Modifier;

/** A recording of an application that chose its names with care. */
public final class HostileRecording {
  private HostileRecording() {}

  /** Two pins of a thread, a class, a method and a lock of this name, for a reason of this name. */
  public static byte[] of(String name) {
    return SyntheticRecordingTest.shuffled()
        .constants(5, out -> constants(out, name))
        .event(PINNED, out -> pin(out.oneByte(Bytes.STRING_NULL), 1_000))
        .event(PINNED, out -> pin(out.string(name), 2_000))
        .build();
  }

  private static void constants(Out out, String name) {
    out.numbers(21, 1, 7).oneByte(1).string("new").number(42).string(name);
    out.numbers(22, 1, 8, 1).number(0).numbers(5).string("Inlined").numbers(9, 17);
    out.number(1 << 20).oneByte(1);
    out.numbers(24, 1, 9, Modifier.SYNCHRONIZED).string("()V").string(name).number(3);
    out.numbers(25, 2, 3).string("com/example/" + name).number(4);
    out.number(5).string("com/example/Loader").number(4);
    out.numbers(26, 1, 4).oneByte(Bytes.STRING_NULL).number(5);
  }

  private static void pin(Out out, long start) {
    out.number(8).number(1).string("x").numbers(7, 500, start);
  }
}
