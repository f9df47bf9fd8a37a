package io.github.vtdiag.report.json;

import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.github.vtdiag.analysis.Cost;
import io.github.vtdiag.analysis.Finding.Pin.ReachedFrom;
import io.github.vtdiag.analysis.Identity;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.LockExpression;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.Printable;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.report.words.AdviceWords;
import io.github.vtdiag.safety.Lock;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The parts that the JSON documents have in common, according to {@code docs/json-schema.md}.
 * Members may be added under the same schema number; a change to existing ones raises it.
 */
final class JsonDocument {
  /** The version of the schemas. */
  private static final int SCHEMA = 1;

  private JsonDocument() {}

  /** Returns a document with these members, after the number of its schema. */
  static String document(Consumer<JsonObject> members) {
    return written(
        members, new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));
  }

  /** Returns the document on one line. */
  static String line(Consumer<JsonObject> members) {
    return written(members, null);
  }

  private static String written(Consumer<JsonObject> members, PrettyPrinter printer) {
    String text = JsonObject.text(printer, json -> members.accept(json.put("schema", SCHEMA)));
    // All below U+0020 is escaped by now, but terminals also obey characters above, such as U+009B.
    return text.lines().map(Printable::text).collect(Collectors.joining("\n", "", "\n"));
  }

  static void lock(JsonObject json, Lock lock) {
    json.put("name", AdviceWords.name(lock));
    lockSites(json, lock.sites());
  }

  static void lockSites(JsonObject json, List<LockSite> sites) {
    json.array(
        "sites",
        sites,
        (each, site) -> {
          method(each, site.type().name(), site.method(), site.descriptor());
          source(each, site.type());
          each.object("region", region -> region(region, site.region()));
        });
  }

  static JsonObject method(JsonObject json, String type, String method, String descriptor) {
    return json.put("class", type).put("method", method).put("descriptor", descriptor);
  }

  /** Writes the place of a frame in the source. */
  static JsonObject line(JsonObject json, Frame frame) {
    return source(
        json.put("class", frame.type().name())
            .put("method", frame.method())
            .put("line", frame.line()),
        frame.type());
  }

  /** Writes the source file, if it is not named after the class. */
  static JsonObject source(JsonObject json, ClassRef type) {
    return type.source().isEmpty() ? json : json.put("sourceFile", type.source());
  }

  /** Writes the identity of a finding from one build to the next. */
  static JsonObject identity(JsonObject json, Identity identity) {
    return json.put("identity", identity.text()).put("fingerprint", identity.fingerprint());
  }

  /** Writes the cost of pins. */
  static JsonObject cost(JsonObject json, Cost cost) {
    return json.put("count", cost.count())
        .put("totalNanos", cost.totalNanos())
        .put("longestNanos", cost.longestNanos())
        .put("p50Nanos", cost.p50Nanos())
        .put("p99Nanos", cost.p99Nanos());
  }

  /** Writes the owner of some code. */
  static void owner(JsonObject json, Owner owner) {
    switch (owner) {
      case Owner.Application application -> {
        json.put("kind", "APPLICATION").putText("location", application.location());
        application.coordinates().ifPresent(jar -> coordinates(json, jar));
      }
      case Owner.Library library -> {
        json.put("kind", "LIBRARY").putText("location", library.location());
        coordinates(json, library.coordinates());
      }
      case Owner.Jdk jdk -> json.put("kind", "JDK");
      case Owner.UnknownJar unknown ->
          json.put("kind", "UNKNOWN_JAR").putText("location", unknown.location());
    }
  }

  private static void coordinates(JsonObject json, Coordinates jar) {
    json.putText("group", jar.group())
        .put("artifact", jar.artifact())
        .putText("version", jar.version());
  }

  static void region(JsonObject json, MonitorRegion region) {
    LockExpression expression = region.lock();
    json.put("enterBci", region.enterBci())
        .put("firstLine", region.firstLine())
        .put("lastLine", region.lastLine())
        .object(
            "lock",
            lock ->
                lock.put("kind", expression.kind())
                    .putText("owner", expression.owner())
                    .putText("name", expression.name())
                    .put("text", expression.text()));
  }

  static void reachedFrom(JsonObject json, List<ReachedFrom> places) {
    json.array(
        "reachedFrom", places, (each, from) -> line(each, from.frame()).put("pins", from.count()));
  }
}
