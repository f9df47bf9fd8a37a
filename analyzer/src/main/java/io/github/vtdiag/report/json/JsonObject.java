package io.github.vtdiag.report.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * An object of JSON, whose members are written in the order in which they are put. Nothing is
 * buffered, however long its lists are. A missing value is {@code null}.
 */
public final class JsonObject {
  private final JsonGenerator out;

  private JsonObject(JsonGenerator out) {
    this.out = out;
  }

  private interface Write {
    void run() throws IOException;
  }

  private JsonObject written(Write write) {
    try {
      write.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  /**
   * Returns an object with these members.
   *
   * @param printer null for one line
   */
  public static String text(PrettyPrinter printer, Consumer<JsonObject> members) {
    return written(printer, json -> json.members(members));
  }

  /** Returns an array of such objects. */
  public static <T> String text(
      PrettyPrinter printer, Collection<T> elements, BiConsumer<JsonObject, T> members) {
    return written(printer, json -> json.elements(elements, members));
  }

  private static String written(PrettyPrinter printer, Consumer<JsonObject> content) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = new JsonFactory().createGenerator(text)) {
      out.setPrettyPrinter(printer);
      content.accept(new JsonObject(out));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private void members(Consumer<JsonObject> members) {
    written(out::writeStartObject);
    members.accept(this);
    written(out::writeEndObject);
  }

  private <T> void elements(Collection<T> elements, BiConsumer<JsonObject, T> members) {
    written(out::writeStartArray);
    elements.forEach(each -> members(json -> members.accept(json, each)));
    written(out::writeEndArray);
  }

  public JsonObject put(String name, String value) {
    return written(() -> out.writeStringField(name, value));
  }

  public JsonObject put(String name, Enum<?> value) {
    return put(name, value.name());
  }

  public JsonObject put(String name, boolean value) {
    return written(() -> out.writeBooleanField(name, value));
  }

  public JsonObject put(String name, long value) {
    return written(() -> out.writeNumberField(name, value));
  }

  public JsonObject put(String name, BigInteger value) {
    return written(() -> out.writeNumberField(name, value));
  }

  public JsonObject put(String name, double value) {
    return written(() -> out.writeNumberField(name, value));
  }

  public JsonObject put(String name, OptionalInt value) {
    return value.isPresent() ? put(name, value.getAsInt()) : putNull(name);
  }

  public JsonObject put(String name, OptionalLong value) {
    return value.isPresent() ? put(name, value.getAsLong()) : putNull(name);
  }

  public JsonObject put(String name, OptionalDouble value) {
    return value.isPresent() ? put(name, value.getAsDouble()) : putNull(name);
  }

  public JsonObject put(String name, Optional<String> value) {
    return value.isPresent() ? put(name, value.get()) : putNull(name);
  }

  public JsonObject putNull(String name) {
    return written(() -> out.writeNullField(name));
  }

  /** Writes a text; null if it is empty, which means unknown. */
  public JsonObject putText(String name, String value) {
    return value.isEmpty() ? putNull(name) : put(name, value);
  }

  public JsonObject object(String name, Consumer<JsonObject> members) {
    written(() -> out.writeFieldName(name));
    members(members);
    return this;
  }

  public <T> JsonObject object(String name, Optional<T> value, BiConsumer<JsonObject, T> members) {
    return value.isPresent()
        ? object(name, json -> members.accept(json, value.get()))
        : putNull(name);
  }

  /** Writes an array of objects. */
  public <T> JsonObject array(
      String name, Collection<T> elements, BiConsumer<JsonObject, T> members) {
    written(() -> out.writeFieldName(name));
    elements(elements, members);
    return this;
  }

  public JsonObject texts(String name, Collection<String> texts) {
    return written(
        () -> {
          out.writeArrayFieldStart(name);
          for (String text : texts) {
            out.writeString(text);
          }
          out.writeEndArray();
        });
  }

  public JsonObject numbers(String name, Collection<Integer> numbers) {
    return written(
        () -> {
          out.writeArrayFieldStart(name);
          for (int number : numbers) {
            out.writeNumber(number);
          }
          out.writeEndArray();
        });
  }

  public JsonObject doubles(String name, Collection<Double> numbers) {
    return written(
        () -> {
          out.writeArrayFieldStart(name);
          for (double number : numbers) {
            out.writeNumber(number);
          }
          out.writeEndArray();
        });
  }
}
