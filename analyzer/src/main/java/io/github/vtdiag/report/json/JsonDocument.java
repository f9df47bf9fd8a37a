package io.github.vtdiag.report.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.github.vtdiag.analysis.Finding.Pin.ReachedFrom;
import io.github.vtdiag.analysis.Identity;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.program.Owner;
import io.github.vtdiag.report.words.AdviceWords;
import io.github.vtdiag.safety.Lock;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * The pieces that the JSON documents have in common, as {@code docs/json-schema.md} says. Members
 * may be added under the same schema number; a change of what is there raises it.
 */
final class JsonDocument {
  /** The version of the schemas. */
  private static final int SCHEMA = 1;

  final JsonGenerator out;

  private JsonDocument(JsonGenerator out) {
    this.out = out;
  }

  /** The members of a document. */
  interface Members {
    void write(JsonDocument json) throws IOException;
  }

  /** A document with these members, after the number of its schema. */
  static String document(Members members) {
    return written(
        members, new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));
  }

  /** The same on one line. */
  static String line(Members members) {
    return written(members, null);
  }

  private static String written(Members members, PrettyPrinter printer) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = new JsonFactory().createGenerator(text)) {
      out.setPrettyPrinter(printer);
      out.writeStartObject();
      out.writeNumberField("schema", SCHEMA);
      members.write(new JsonDocument(out));
      out.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // Below U+0020 all is escaped by now, but terminals also obey what is above, such as U+009B.
    return text.toString().lines().map(Printable::text).collect(Collectors.joining("\n", "", "\n"));
  }

  void lock(Lock lock) throws IOException {
    out.writeStartObject();
    out.writeStringField("name", AdviceWords.name(lock));
    lockSites(lock.sites());
    out.writeEndObject();
  }

  void lockSites(List<LockSite> sites) throws IOException {
    out.writeArrayFieldStart("sites");
    for (LockSite site : sites) {
      out.writeStartObject();
      out.writeStringField("class", site.type().name());
      out.writeStringField("method", site.method());
      out.writeStringField("descriptor", site.descriptor());
      out.writeFieldName("region");
      region(site.region());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  /** What a finding is called from one build to the next. */
  void identity(Identity identity) throws IOException {
    out.writeStringField("identity", identity.text());
    out.writeStringField("fingerprint", identity.fingerprint());
  }

  /** Whose code something is, as members of the object that is being written. */
  void ownerFields(Owner owner) throws IOException {
    switch (owner) {
      case Owner.Application application -> {
        out.writeStringField("kind", "APPLICATION");
        textOrNull("location", application.location());
      }
      case Owner.Library library -> {
        out.writeStringField("kind", "LIBRARY");
        textOrNull("location", library.location());
        textOrNull("group", library.coordinates().group());
        out.writeStringField("artifact", library.coordinates().artifact());
        textOrNull("version", library.coordinates().version());
      }
      case Owner.Jdk jdk -> out.writeStringField("kind", "JDK");
      case Owner.UnknownJar unknown -> {
        out.writeStringField("kind", "UNKNOWN_JAR");
        textOrNull("location", unknown.location());
      }
    }
  }

  void region(MonitorRegion region) throws IOException {
    LockExpression lock = region.lock();
    out.writeStartObject();
    out.writeNumberField("enterBci", region.enterBci());
    out.writeNumberField("firstLine", region.firstLine());
    out.writeNumberField("lastLine", region.lastLine());
    out.writeObjectFieldStart("lock");
    out.writeStringField("kind", name(lock.kind()));
    textOrNull("owner", lock.owner());
    textOrNull("name", lock.name());
    out.writeStringField("text", lock.text());
    out.writeEndObject();
    out.writeEndObject();
  }

  void reachedFrom(List<ReachedFrom> places) throws IOException {
    out.writeArrayFieldStart("reachedFrom");
    for (ReachedFrom from : places) {
      out.writeStartObject();
      out.writeStringField("class", from.frame().type().name());
      out.writeStringField("method", from.frame().method());
      out.writeNumberField("line", from.frame().line());
      out.writeNumberField("pins", from.count());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  void share(String field, OptionalDouble share) throws IOException {
    if (share.isPresent()) {
      out.writeNumberField(field, share.getAsDouble());
    } else {
      out.writeNullField(field);
    }
  }

  void texts(String field, List<String> texts) throws IOException {
    out.writeArrayFieldStart(field);
    for (String text : texts) {
      out.writeString(text);
    }
    out.writeEndArray();
  }

  void textOrNull(String field, String text) throws IOException {
    if (text.isEmpty()) {
      out.writeNullField(field);
    } else {
      out.writeStringField(field, text);
    }
  }

  static String name(Enum<?> constant) {
    return constant.name();
  }
}
