package io.github.vtdiag.policy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/** The JSON schema of a policy, for editors: {@code docs/policy.schema.json}. */
public final class PolicySchema {
  private final JsonGenerator json;

  private PolicySchema(JsonGenerator json) {
    this.json = json;
  }

  /** Returns the schema as it is in the file. */
  public static String text() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.setPrettyPrinter(
          new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));
      json.writeStartObject();
      json.writeStringField("$schema", "https://json-schema.org/draft/2020-12/schema");
      json.writeStringField("title", "Policy of vtdiag's gate: " + PolicyFile.NAME);
      new PolicySchema(json).shape(Shapes.POLICY);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text + "\n";
  }

  /** Writes a shape as members of the object that is being written. */
  private void shape(Shape shape) throws IOException {
    switch (shape) {
      case Shape.Scalar scalar -> scalar(scalar.value());
      case Shape.Sequence sequence -> {
        json.writeStringField("type", "array");
        json.writeNumberField("minItems", 1);
        json.writeObjectFieldStart("items");
        shape(sequence.of());
        json.writeEndObject();
      }
      case Shape.Members members -> members(members);
      case Shape.Either either -> {
        json.writeArrayFieldStart("oneOf");
        for (Shape each : List.of(either.brief(), either.full())) {
          json.writeStartObject();
          shape(each);
          json.writeEndObject();
        }
        json.writeEndArray();
      }
    }
  }

  private void members(Shape.Members members) throws IOException {
    json.writeStringField("type", "object");
    json.writeBooleanField("additionalProperties", false);
    json.writeNumberField("minProperties", members.least());
    json.writeObjectFieldStart("properties");
    for (Shape.Member member : members.all()) {
      json.writeObjectFieldStart(member.name());
      json.writeStringField("description", member.description());
      shape(member.shape());
      json.writeEndObject();
    }
    json.writeEndObject();
    List<String> required =
        members.all().stream().filter(Shape.Member::required).map(Shape.Member::name).toList();
    if (!required.isEmpty()) {
      names("required", required);
    }
    if (!members.oneOf().isEmpty()) {
      json.writeArrayFieldStart("oneOf");
      for (String name : members.oneOf()) {
        json.writeStartObject();
        names("required", List.of(name));
        json.writeEndObject();
      }
      json.writeEndArray();
    }
  }

  /** Writes a value. YAML may take it for a number or a flag, here it is its text. */
  private void scalar(ValueKind value) throws IOException {
    switch (value) {
      case FLAG -> json.writeStringField("type", "boolean");
      case COUNT -> {
        json.writeStringField("type", "integer");
        json.writeNumberField("minimum", 0);
      }
      case FACTOR -> {
        json.writeStringField("type", "number");
        json.writeNumberField("minimum", 1);
      }
      case RATE, PERCENT -> {
        names("type", List.of("number", "string"));
        json.writeNumberField("minimum", 0);
        json.writeStringField("pattern", value.pattern());
      }
      case DURATION, TEXT, DATE, OWNER, PACKAGE, LIBRARY -> {
        json.writeStringField("type", "string");
        json.writeStringField("pattern", value.pattern());
      }
    }
  }

  private void names(String field, List<String> names) throws IOException {
    json.writeArrayFieldStart(field);
    for (String name : names) {
      json.writeString(name);
    }
    json.writeEndArray();
  }
}
