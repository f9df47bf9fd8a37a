package io.github.vtdiag.baseline;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import io.github.vtdiag.analysis.Cost;
import io.github.vtdiag.analysis.Durations;
import io.github.vtdiag.analysis.Identity;
import io.github.vtdiag.findings.FindingKinds;
import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A run as a file, which a team keeps beside its sources: in a diff, a finding is a line or two.
 */
public final class BaselineFile {
  /** The version of the format. A change of what a member means raises it. */
  static final int FORMAT = 2;

  /** The default name, which is looked for in the working directory. */
  public static final String NAME = "vtdiag-baseline.json";

  private static final String VERSION = "vtdiagBaseline";

  /** The advice for a broken file. */
  private static final String MAKE = "make a new one: vtdiag baseline FILE... -o ";

  private BaselineFile() {}

  /** Returns a run as the text of a file. */
  public static String text(RunSummary run) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.setPrettyPrinter(
          new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));
      json.writeStartObject();
      json.writeNumberField(VERSION, FORMAT);
      json.writeNumberField("siteKeys", Identity.VERSION);
      json.writeStringField("run", run.name());
      conditions(json, run.conditions());
      if (run.totals().isPresent()) {
        totals(json, run.totals().get());
      }
      json.writeArrayFieldStart("findings");
      for (BaselinePin seen : run.findings()) {
        finding(json, seen);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("others");
      for (BaselineFinding seen : run.others()) {
        other(json, seen);
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text + "\n";
  }

  private static void conditions(JsonGenerator json, Conditions of) throws IOException {
    json.writeObjectFieldStart("conditions");
    json.writeArrayFieldStart("java");
    for (int jdk : of.jdks()) {
      json.writeNumber(jdk);
    }
    json.writeEndArray();
    json.writeNumberField("recordings", of.recordings());
    json.writeNumberField("durationNanos", of.durationNanos());
    json.writeObjectFieldStart("thresholdNanos");
    for (Map.Entry<String, Long> threshold : new TreeMap<>(of.thresholds()).entrySet()) {
      json.writeNumberField(threshold.getKey(), threshold.getValue());
    }
    json.writeEndObject();
    json.writeBooleanField("watched", of.watched());
    json.writeNumberField("lookedNanos", of.lookedNanos());
    json.writeNumberField("starvedNanos", of.starvedNanos());
    json.writeNumberField("waitingPart", of.waitingPart());
    json.writeBooleanField("whatIf", of.changed());
    if (of.load().isPresent()) {
      json.writeNumberField("load", of.load().getAsDouble());
    }
    json.writeEndObject();
  }

  private static void totals(JsonGenerator json, Totals of) throws IOException {
    json.writeObjectFieldStart("totals");
    json.writeNumberField("blockedNanos", of.blockedNanos());
    if (of.queued().isPresent()) {
      json.writeNumberField("queued", of.queued().getAsDouble());
    }
    json.writeObjectFieldStart("work");
    for (Map.Entry<String, Long> done : new TreeMap<>(of.work()).entrySet()) {
      json.writeNumberField(done.getKey(), done.getValue());
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void finding(JsonGenerator json, BaselinePin seen) throws IOException {
    json.writeStartObject();
    json.writeStringField("identity", seen.identity().kin());
    json.writeNumberField("number", seen.identity().number());
    if (seen.identity().ambiguous()) {
      json.writeBooleanField("ambiguous", true);
    }
    json.writeStringField("title", seen.title());
    json.writeNumberField("count", seen.cost().count());
    json.writeNumberField("totalNanos", seen.cost().totalNanos());
    json.writeNumberField("longestNanos", seen.cost().longestNanos());
    json.writeNumberField("p50Nanos", seen.cost().p50Nanos());
    json.writeNumberField("p99Nanos", seen.cost().p99Nanos());
    json.writeEndObject();
  }

  private static void other(JsonGenerator json, BaselineFinding seen) throws IOException {
    json.writeStartObject();
    json.writeStringField("identity", seen.identity().kin());
    json.writeNumberField("number", seen.identity().number());
    json.writeStringField("kind", seen.kind().name());
    json.writeStringField("subject", seen.subject());
    json.writeStringField("place", seen.place());
    json.writeBooleanField("limits", seen.limits());
    json.writeStringField("unit", seen.unit().name());
    json.writeNumberField("figure", seen.figure());
    json.writeEndObject();
  }

  /**
   * Reads a run.
   *
   * @throws DataException if the file is none, or of another version of the format
   */
  public static RunSummary read(Path file) throws DataException {
    try (JsonParser json = new JsonFactory().createParser(Files.readString(file))) {
      return new Reader(file, json).run();
    } catch (IOException e) {
      throw new DataException(
          file
              + (Files.exists(file) ? ": is no baseline that can be read; " : ": no such file; ")
              + MAKE
              + file,
          e);
    }
  }

  private record Reader(Path file, JsonParser json) {
    private RunSummary run() throws IOException, DataException {
      Object root = value(json.nextToken(), 0);
      if (!(root instanceof Map<?, ?> members) || !members.containsKey(VERSION)) {
        throw broken("is no baseline of vtdiag's");
      }
      if (!(members.get(VERSION) instanceof Long version) || version != FORMAT) {
        throw broken(
            "has version "
                + members.get(VERSION)
                + " of the format, and this vtdiag reads version "
                + FORMAT);
      }
      Map<?, ?> conditions = members(members, "conditions");
      Map<String, Long> thresholds = new TreeMap<>();
      Map<?, ?> recorded = members(conditions, "thresholdNanos");
      for (Object event : recorded.keySet()) {
        thresholds.put((String) event, number(recorded, (String) event));
      }
      List<Integer> jdks = new ArrayList<>();
      for (Object jdk : list(conditions, "java")) {
        jdks.add(jdk instanceof Long feature ? Math.toIntExact(feature) : 0);
      }
      List<BaselinePin> findings = new ArrayList<>();
      for (Object finding : list(members, "findings")) {
        if (!(finding instanceof Map<?, ?> of)) {
          throw broken("has a finding that is none");
        }
        findings.add(
            new BaselinePin(
                new Identity(
                    text(of, "identity"),
                    (int) number(of, "number"),
                    // Without a version of the site keys all of them were.
                    !members.containsKey("siteKeys") || Boolean.TRUE.equals(of.get("ambiguous"))),
                text(of, "title"),
                new Cost(
                    number(of, "count"),
                    number(of, "totalNanos"),
                    number(of, "longestNanos"),
                    number(of, "p50Nanos"),
                    number(of, "p99Nanos"),
                    Durations.NONE)));
      }
      return new RunSummary(
          text(members, "run"),
          new Conditions(
              jdks,
              (int) number(conditions, "recordings"),
              number(conditions, "durationNanos"),
              thresholds,
              flag(conditions, "watched"),
              number(conditions, "lookedNanos"),
              number(conditions, "starvedNanos"),
              figure(conditions, "waitingPart"),
              flag(conditions, "whatIf"),
              conditions.get("load") instanceof Number load
                  ? OptionalDouble.of(load.doubleValue())
                  : OptionalDouble.empty()),
          totals(members),
          findings,
          others(list(members, "others")));
    }

    /** Baselines of older versions have none. */
    private Optional<Totals> totals(Map<?, ?> run) throws DataException {
      if (!(run.get("totals") instanceof Map<?, ?> of)) {
        return Optional.empty();
      }
      Map<String, Long> work = new TreeMap<>();
      Map<?, ?> done = members(of, "work");
      for (Object name : done.keySet()) {
        work.put((String) name, number(done, (String) name));
      }
      return Optional.of(
          new Totals(
              number(of, "blockedNanos"),
              of.get("queued") instanceof Number queued
                  ? OptionalDouble.of(queued.doubleValue())
                  : OptionalDouble.empty(),
              work));
    }

    private List<BaselineFinding> others(List<?> all) throws DataException {
      List<BaselineFinding> others = new ArrayList<>();
      for (Object other : all) {
        if (!(other instanceof Map<?, ?> of)) {
          throw broken("has a finding that is none");
        }
        String kind = text(of, "kind");
        others.add(
            new BaselineFinding(
                // Baselines of older versions have no number here.
                new Identity(
                    text(of, "identity"),
                    of.get("number") instanceof Long number ? Math.toIntExact(number) : 1),
                FindingKinds.named(kind).orElseThrow(() -> unknown(kind)),
                text(of, "subject"),
                text(of, "place"),
                flag(of, "limits"),
                constant(BaselineFinding.Unit.class, text(of, "unit")),
                figure(of, "figure")));
      }
      return others;
    }

    private <E extends Enum<E>> E constant(Class<E> type, String name) throws DataException {
      return Stream.of(type.getEnumConstants())
          .filter(each -> each.name().equals(name))
          .findFirst()
          .orElseThrow(() -> unknown(name));
    }

    private DataException unknown(String name) {
      return new DataException(
          file + ": has " + name + ", which this vtdiag does not know; " + MAKE + file);
    }

    private double figure(Map<?, ?> of, String name) throws DataException {
      if (of.get(name) instanceof Number value) {
        return value.doubleValue();
      }
      throw missing(name);
    }

    private DataException broken(String what) {
      return new DataException(file + ": " + what + "; " + MAKE + file);
    }

    private Map<?, ?> members(Map<?, ?> of, String name) throws DataException {
      if (of.get(name) instanceof Map<?, ?> value) {
        return value;
      }
      throw missing(name);
    }

    private List<?> list(Map<?, ?> of, String name) throws DataException {
      if (of.get(name) instanceof List<?> value) {
        return value;
      }
      throw missing(name);
    }

    private long number(Map<?, ?> of, String name) throws DataException {
      if (of.get(name) instanceof Long value) {
        return value;
      }
      throw missing(name);
    }

    private String text(Map<?, ?> of, String name) throws DataException {
      if (of.get(name) instanceof String value) {
        return value;
      }
      throw missing(name);
    }

    private boolean flag(Map<?, ?> of, String name) throws DataException {
      if (of.get(name) instanceof Boolean value) {
        return value;
      }
      throw missing(name);
    }

    private DataException missing(String name) {
      return broken("has no " + name + " where there should be one");
    }

    /** Reads any JSON, as maps, lists, texts, numbers and flags. */
    private Object value(JsonToken token, int depth) throws IOException, DataException {
      if (token == null || depth > 8) {
        throw broken("is cut off or no baseline");
      }
      return switch (token) {
        case START_OBJECT -> {
          Map<String, Object> members = new TreeMap<>();
          while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            members.put(name, value(json.nextToken(), depth + 1));
          }
          yield members;
        }
        case START_ARRAY -> {
          List<Object> items = new ArrayList<>();
          for (JsonToken next = json.nextToken();
              next != JsonToken.END_ARRAY;
              next = json.nextToken()) {
            items.add(value(next, depth + 1));
          }
          yield items;
        }
        case VALUE_NUMBER_INT -> json.getLongValue();
        case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
        case VALUE_TRUE -> true;
        case VALUE_FALSE -> false;
        default -> json.getValueAsString("");
      };
    }
  }
}
