package io.github.vtdiag.maven;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.github.vtdiag.maven.Place.Name;
import io.github.vtdiag.model.DataException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gradle's module metadata. For a library for several platforms they say in which module the
 * classes for each are.
 */
final class GradleModule {
  private static final JsonFactory JSON = new JsonFactory();

  /**
   * One way to use the module.
   *
   * @param attributes what it is for
   * @param availableAt where it is if it is not in the module itself
   */
  private record Variant(Map<String, String> attributes, Map<String, String> availableAt) {
    boolean is(String attribute, String value) {
      return value.equals(attributes.get("org." + attribute));
    }

    /** Returns whether a JVM runs its classes. */
    boolean isForJvm() {
      return !is("gradle.category", "documentation")
          && (is("gradle.jvm.environment", "standard-jvm")
              || is("jetbrains.kotlin.platform.type", "jvm"));
    }

    Optional<Place> place() {
      String group = availableAt.get("group");
      String module = availableAt.get("module");
      String version = availableAt.get("version");
      return group == null || module == null || version == null
          ? Optional.empty()
          : Optional.of(new Place(new Name(group, module), version));
    }
  }

  private GradleModule() {}

  /**
   * Returns the module that has the classes for a JVM; empty if no other than this one is named.
   */
  static Optional<Place> classes(Path file) throws DataException {
    List<Variant> variants;
    try (JsonParser json = JSON.createParser(file.toFile())) {
      variants = variants(json);
    } catch (IOException e) {
      throw new DataException(file + " is no metadata of Gradle", e);
    }
    List<Variant> jvm = variants.stream().filter(Variant::isForJvm).toList();
    return jvm.stream()
        .filter(variant -> variant.is("gradle.usage", "java-runtime"))
        .findFirst()
        .or(() -> jvm.stream().findFirst())
        .flatMap(Variant::place);
  }

  private static List<Variant> variants(JsonParser json) throws IOException {
    List<Variant> variants = new ArrayList<>();
    json.nextToken();
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      boolean wanted = json.currentName().equals("variants");
      if (json.nextToken() == JsonToken.START_ARRAY && wanted) {
        while (json.nextToken() == JsonToken.START_OBJECT) {
          variants.add(variant(json));
        }
      } else {
        json.skipChildren();
      }
    }
    return variants;
  }

  private static Variant variant(JsonParser json) throws IOException {
    Variant variant = new Variant(new HashMap<>(), new HashMap<>());
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "attributes" -> texts(json, variant.attributes());
        case "available-at" -> texts(json, variant.availableAt());
        default -> json.skipChildren();
      }
    }
    return variant;
  }

  private static void texts(JsonParser json, Map<String, String> into) throws IOException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      json.skipChildren();
      return;
    }
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String name = json.currentName();
      if (json.nextToken().isScalarValue()) {
        into.put(name, json.getText());
      } else {
        json.skipChildren();
      }
    }
  }
}
