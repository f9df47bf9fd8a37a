package io.github.vtdiag.recording;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.vtdiag.jfr.Bytes;
import io.github.vtdiag.jfr.ChunkHeader;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Writes chunks that no JVM would write. */
final class ChunkBuilder {
  static final long START_NANOS = 1_000_000_000_000L;
  static final String EVENT = "jdk.jfr.Event";

  /** Bytes in JFR's encodings. */
  static final class Out extends ByteArrayOutputStream {
    Out number(long value) {
      long rest = value;
      for (int i = 1; i < 9; i++) {
        if ((rest & ~0x7FL) == 0) {
          write((int) rest);
          return this;
        }
        write((int) (rest & 0x7F) | 0x80);
        rest >>>= 7;
      }
      write((int) rest);
      return this;
    }

    Out numbers(long... values) {
      for (long value : values) {
        number(value);
      }
      return this;
    }

    Out oneByte(int value) {
      write(value);
      return this;
    }

    Out string(String text) {
      byte[] bytes = text.getBytes(UTF_8);
      write(Bytes.STRING_UTF8);
      number(bytes.length);
      writeBytes(bytes);
      return this;
    }
  }

  private final Out body = new Out();
  private final List<String> strings = new ArrayList<>();
  private final Out types = new Out();
  private int typeCount;
  int state;

  /**
   * Describes a type.
   *
   * @param fields each {@code name type}, then {@code constant} or {@code array} or both
   */
  ChunkBuilder type(long id, String name, String superType, String... fields) {
    typeCount++;
    element(types, "class", "id", "" + id, "name", name, "superType", superType);
    types.number(fields.length);
    for (String field : fields) {
      String[] words = field.split(" ", -1);
      List<String> attributes = new ArrayList<>(List.of("name", words[0], "class", words[1]));
      if (field.contains(" constant")) {
        attributes.addAll(List.of("constantPool", "true"));
      }
      if (field.contains(" array")) {
        attributes.addAll(List.of("dimension", "1"));
      }
      element(types, "field", attributes.toArray(String[]::new));
      types.number(0);
    }
    return this;
  }

  private void element(Out out, String name, String... attributes) {
    out.number(index(name)).number(attributes.length / 2);
    for (String attribute : attributes) {
      out.number(index(attribute));
    }
  }

  private int index(String text) {
    if (!strings.contains(text)) {
      strings.add(text);
    }
    return strings.indexOf(text);
  }

  ChunkBuilder event(long type, Consumer<Out> fields) {
    Out event = new Out().number(type);
    fields.accept(event);
    // The size counts itself; two bytes, padded if need be.
    int size = event.size() + 2;
    body.oneByte((size & 0x7F) | 0x80).oneByte(size >> 7).writeBytes(event.toByteArray());
    return this;
  }

  ChunkBuilder constants(int pools, Consumer<Out> content) {
    return event(1, out -> content.accept(out.numbers(0, 0, 0).oneByte(0).number(pools)));
  }

  byte[] build() {
    Out tree = new Out();
    element(tree, "root");
    tree.number(1);
    element(tree, "metadata");
    tree.number(typeCount).writeBytes(types.toByteArray());
    int metadata = ChunkHeader.SIZE + body.size();
    event(
        0,
        out -> {
          out.numbers(0, 0, 1).number(strings.size());
          strings.forEach(out::string);
          out.writeBytes(tree.toByteArray());
        });
    byte[] chunk = new byte[ChunkHeader.SIZE + body.size()];
    ByteBuffer header = ByteBuffer.wrap(chunk);
    header.put(new byte[] {'F', 'L', 'R', 0, 0, 2, 0, 1}).putLong(chunk.length).putLong(0);
    header.putLong(metadata).putLong(START_NANOS).putLong(1_000_000).putLong(0);
    header.putLong(1_000_000_000).put((byte) state).put((byte) 0).put((byte) 0).put((byte) 1);
    header.put(body.toByteArray());
    return chunk;
  }
}
