package io.github.vtdiag.page;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.github.vtdiag.model.Printable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * The data that the page's script draws, besides the pins themselves.
 *
 * @param entries the entries in the report's order; the number of one is its place, from 1
 * @param pinned the stacks of pinned time
 * @param waiting the stacks of threads that waited unmounted
 */
record ChartData(
    List<Entry> entries, Flames.Columns pinned, Flames.Columns waiting, List<Timeline> timelines) {

  /** An entry, which decides the colour of its pins. */
  record Entry(String title) {}

  byte[] json() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = new JsonFactory().createGenerator(bytes)) {
      out.writeStartObject();
      out.writeArrayFieldStart("entries");
      for (Entry entry : entries) {
        out.writeString(Printable.text(Timeline.shortened(entry.title)));
      }
      out.writeEndArray();
      flames(out, "pinned", pinned);
      flames(out, "waiting", waiting);
      out.writeArrayFieldStart("timelines");
      for (Timeline timeline : timelines) {
        timeline(out, timeline);
      }
      out.writeEndArray();
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void flames(JsonGenerator out, String name, Flames.Columns flames)
      throws IOException {
    out.writeObjectFieldStart(name);
    texts(out, "names", flames.names());
    texts(out, "whose", flames.whose());
    numbers(out, "parents", flames.parents());
    numbers(out, "name", flames.name());
    numbers(out, "nanos", flames.nanos());
    numbers(out, "held", flames.heldNanos());
    numbers(out, "entries", flames.entries());
    out.writeEndObject();
  }

  private static void timeline(JsonGenerator out, Timeline timeline) throws IOException {
    out.writeStartObject();
    out.writeStringField("source", Printable.text(timeline.facts().source()));
    out.writeNumberField("pins", timeline.pins());
    out.writeNumberField("lanes", timeline.lanes());
    texts(out, "rows", timeline.carriers());
    out.writeNumberField("carriers", timeline.facts().parallelism().orElse(0));
    out.writeNumberField("micros", timeline.micros());
    numbers(out, "threads", timeline.names().keySet());
    texts(out, "names", timeline.names().values());
    numbers(out, "queueAt", timeline.queueAt());
    numbers(out, "queued", timeline.queued());
    out.writeEndObject();
  }

  private static void texts(JsonGenerator out, String name, Iterable<String> texts)
      throws IOException {
    out.writeArrayFieldStart(name);
    for (String each : texts) {
      out.writeString(each);
    }
    out.writeEndArray();
  }

  private static void numbers(JsonGenerator out, String name, Iterable<? extends Number> numbers)
      throws IOException {
    out.writeArrayFieldStart(name);
    for (Number each : numbers) {
      out.writeNumber(each.longValue());
    }
    out.writeEndArray();
  }
}
