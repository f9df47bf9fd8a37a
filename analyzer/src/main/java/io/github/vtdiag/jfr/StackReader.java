package io.github.vtdiag.jfr;

import io.github.vtdiag.jfr.Metadata.Field;
import io.github.vtdiag.jfr.Metadata.JfrType;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the stacks of chunks as numbers. A JVM gives a method one id for as long as it runs. So
 * frames and stacks are numbered over all chunks with the same types; the meaning of the ids is in
 * each chunk anew.
 *
 * <p>The kind of a frame is read only for the innermost frame and for native ones. It changes as
 * code is compiled, and would make a dozen stacks of one.
 */
public final class StackReader {
  /** The stack is not in the chunk, or damaged. */
  public static final int ABSENT = -1;

  /** The kind of a frame whose kind is not read. */
  public static final int NO_KIND = -1;

  /** A field of a frame that is read. */
  private enum Role {
    METHOD,
    LINE,
    BCI,
    KIND,
    OTHER;

    static Role of(Field field) {
      return switch (field.name) {
        case "method" -> METHOD;
        case "lineNumber" -> LINE;
        case "bytecodeIndex" -> BCI;
        case "type" -> KIND;
        default -> OTHER;
      };
    }
  }

  private final Bytes in = new Bytes();
  private Constants constants;
  private Metadata metadata;

  private JfrType stackType;
  private Field[] frameFields = {};
  private Role[] roles = {};

  /** True if each field of a frame is a compressed integer, as in what HotSpot writes. */
  private boolean plainFrames;

  /** The fields of a plain frame, and their indices; -1 for a missing field. */
  private long[] numbers = {};

  private int methodPlace;
  private int linePlace;
  private int bciPlace;
  private int kindPlace;

  private JfrType methodType;

  private final FrameKinds kinds = new FrameKinds();
  private final KnownStacks knownStacks = new KnownStacks();

  /** The kinds of the stack that was read last, a bit each. */
  private long kindBits;

  private FrameNumbers frames = new FrameNumbers();
  private int[] stack = new int[64];
  private int depth;

  // The stacks by number; a table finds them by content.
  private int[][] stacks = {};
  private boolean[] truncated = {};
  private int stackCount;
  private int[] table = {};

  /**
   * Begins the chunk of these constants.
   *
   * @return whether it has other types than the previous chunk, so that all numbers begin anew
   */
  public boolean reset(Constants chunk) {
    constants = chunk;
    kinds.reset(chunk);
    if (chunk.metadata() == metadata) {
      return false;
    }
    metadata = chunk.metadata();
    kinds.clear();
    knownStacks.clear();
    frames = new FrameNumbers();
    stacks = new int[256][];
    truncated = new boolean[256];
    stackCount = 0;
    table = new int[1024];
    describe();
    return true;
  }

  private void describe() {
    stackType = null;
    methodType = null;
    frameFields = new Field[0];
    roles = new Role[0];
    plainFrames = false;
    for (JfrType type : metadata.types()) {
      if (type.name.equals(Constants.STACK_TRACE)) {
        stackType = type;
      }
    }
    int index = stackType == null ? -1 : stackType.indexOf("frames");
    JfrType frameType = index < 0 ? null : stackType.fields.get(index).type();
    if (frameType == null) {
      return;
    }
    frameFields = frameType.fields.toArray(Field[]::new);
    List<Role> roleList = frameType.fields.stream().map(Role::of).toList();
    roles = roleList.toArray(Role[]::new);
    plainFrames = frameType.fields.stream().allMatch(StackReader::isPlain);
    numbers = new long[roles.length];
    methodPlace = roleList.indexOf(Role.METHOD);
    linePlace = roleList.indexOf(Role.LINE);
    bciPlace = roleList.indexOf(Role.BCI);
    kindPlace = roleList.indexOf(Role.KIND);
    for (int i = 0; i < roles.length; i++) {
      switch (roles[i]) {
        case METHOD -> methodType = frameFields[i].type();
        case KIND -> kinds.type(frameFields[i].type());
        case LINE, BCI, OTHER -> {}
      }
    }
  }

  private static boolean isPlain(Field field) {
    return switch (field.form()) {
      case INT, LONG -> Role.of(field) != Role.KIND || field.isConstant();
      case BYTE, OTHER -> false;
    };
  }

  /**
   * Reads a stack.
   *
   * @param chunkStack its number among those of this chunk
   * @return its number among all with the same types, or {@link #ABSENT}
   */
  public int read(int chunkStack) {
    StackPlaces places = constants.stacks();
    if (places.isMissing(chunkStack)) {
      if (places.id(chunkStack) != 0) { // 0 is null, unless there is such a constant
        constants.problems().missingConstant();
      }
      return ABSENT;
    }
    byte[] array = constants.array();
    int place = places.place(chunkStack);
    int end = places.end(chunkStack);
    try {
      if (end > place) {
        int known = knownStacks.find(array, place, end);
        if (known != KnownStacks.NONE && isSame(knownStacks.kinds(known))) {
          return knownStacks.number(known);
        }
      }
      in.reset(array, place, constants.end());
      kindBits = 0;
      int number = number(parse());
      if (end > place && kindBits != FrameKinds.MANY && isSame(kindBits)) {
        knownStacks.add(array, place, end, number, kindBits);
      }
      return number;
    } catch (Malformed e) {
      constants.problems().damagedConstants();
      return ABSENT;
    }
  }

  /**
   * Returns whether kinds have the same meaning as before. If not, all known stacks are discarded.
   */
  private boolean isSame(long kindsOfStack) {
    if (kinds.areSame(kindsOfStack)) {
      return true;
    }
    knownStacks.clear();
    return false;
  }

  /** Reads the frames, and returns whether outer ones are missing. */
  private boolean parse() {
    boolean cut = false;
    depth = 0;
    for (Field field : stackType.fields) {
      switch (field.name) {
        case "truncated" -> cut = in.number(field) != 0;
        case "frames" -> readFrames(field);
        default -> field.skip().over(in);
      }
    }
    return cut;
  }

  private void readFrames(Field field) {
    if (field.type() == null || !field.array || field.constant) {
      throw new Malformed("a stack without frames");
    }
    depth = in.count(Math.max(1, frameFields.length));
    if (depth > stack.length) {
      stack = new int[Math.max(depth, stack.length * 2)];
    }
    for (int i = 0; i < depth; i++) {
      stack[i] = plainFrames ? readPlainFrame(i == 0) : readFrame(i == 0);
    }
  }

  private int readPlainFrame(boolean innermost) {
    in.varints(numbers, numbers.length);
    return frame(
        innermost,
        number(methodPlace, 0),
        kindPlace < 0 ? NO_KIND : kinds.number(numbers[kindPlace]),
        (int) number(linePlace, -1),
        (int) number(bciPlace, -1));
  }

  private long number(int place, long otherwise) {
    return place < 0 ? otherwise : numbers[place];
  }

  private int readFrame(boolean innermost) {
    long method = 0;
    int kind = NO_KIND;
    int line = -1;
    int bci = -1;
    for (int i = 0; i < roles.length; i++) {
      Field field = frameFields[i];
      switch (roles[i]) {
        case METHOD -> method = in.number(field);
        case LINE -> line = (int) in.number(field);
        case BCI -> bci = (int) in.number(field);
        case KIND ->
            kind =
                field.isConstant()
                    ? kinds.number(in.varint())
                    : kinds.number(constants.text(field, in));
        case OTHER -> field.skip().over(in);
      }
    }
    return frame(innermost, method, kind, line, bci);
  }

  private int frame(boolean innermost, long method, int kind, int line, int bci) {
    if (kind != NO_KIND) {
      kindBits = FrameKinds.with(kindBits, kind);
    }
    return frames.number(
        method, innermost || kind == NO_KIND || kinds.isNative(kind) ? kind : NO_KIND, line, bci);
  }

  /** Returns the number of the stack that was read last, a new one if there is none yet. */
  private int number(boolean cut) {
    int slot = slot(stack, depth, cut);
    if (table[slot] > 0) {
      return table[slot] - 1;
    }
    if (stackCount == stacks.length) {
      stacks = Arrays.copyOf(stacks, stackCount * 2);
      truncated = Arrays.copyOf(truncated, stackCount * 2);
    }
    stacks[stackCount] = Arrays.copyOf(stack, depth);
    truncated[stackCount] = cut;
    table[slot] = ++stackCount;
    if (stackCount * 2 > table.length) {
      table = new int[table.length * 2];
      for (int i = 0; i < stackCount; i++) {
        table[slot(stacks[i], stacks[i].length, truncated[i])] = i + 1;
      }
    }
    return stackCount - 1;
  }

  private int slot(int[] numbers, int length, boolean cut) {
    long hash = length;
    for (int i = 0; i < length; i++) {
      hash = (hash ^ numbers[i]) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 29;
    }
    int mask = table.length - 1;
    int slot = (int) hash & mask;
    while (table[slot] > 0) {
      int known = table[slot] - 1;
      if (truncated[known] == cut
          && Arrays.equals(stacks[known], 0, stacks[known].length, numbers, 0, length)) {
        return slot;
      }
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** Returns the numbers of a stack's frames, innermost first. Not to be changed. */
  public int[] frames(int number) {
    return stacks[number];
  }

  public boolean truncated(int number) {
    return truncated[number];
  }

  /** Returns the number of numbered frames. */
  public int frameCount() {
    return frames.size();
  }

  /** Returns the number of a frame's method. */
  public int method(int frame) {
    return frames.method(frame);
  }

  public int line(int frame) {
    return frames.line(frame);
  }

  public int bci(int frame) {
    return frames.bci(frame);
  }

  /** Returns the number of a frame's kind, or {@link #NO_KIND}. */
  public int kind(int frame) {
    return frames.kind(frame);
  }

  /** Returns the number of numbered methods. */
  public int methodCount() {
    return frames.methodCount();
  }

  /** Returns the id of a method's constant. */
  public long methodId(int method) {
    return frames.methodId(method);
  }

  /** Returns the type of the constants for methods. */
  public JfrType methodType() {
    return methodType;
  }

  /** Returns the number of numbered kinds. */
  public int kindCount() {
    return kinds.count();
  }

  /** Returns this chunk's name of a kind of frame; empty if it has none. */
  public String kindText(int kind) {
    return kinds.text(kind);
  }
}
