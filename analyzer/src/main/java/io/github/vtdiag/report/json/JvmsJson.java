package io.github.vtdiag.report.json;

import io.github.vtdiag.attach.SeenJvm;
import java.io.IOException;
import java.util.List;

/** The JVMs that there are, for programs. */
final class JvmsJson {
  private JvmsJson() {}

  static void members(JsonDocument json, List<SeenJvm> jvms) throws IOException {
    json.out.writeArrayFieldStart("jvms");
    for (SeenJvm jvm : jvms) {
      json.out.writeStartObject();
      json.out.writeNumberField("pid", jvm.pid());
      json.textOrNull("java", jvm.java());
      booleanOrNull(json, "usesVirtualThreads", jvm.usesVirtualThreads().orElse(null));
      if (jvm.virtualThreads().isPresent()) {
        json.out.writeNumberField("virtualThreads", jvm.virtualThreads().getAsLong());
      } else {
        json.out.writeNullField("virtualThreads");
      }
      booleanOrNull(json, "agent", jvm.agent().orElse(null));
      json.textOrNull("program", jvm.mainClass());
      json.out.writeEndObject();
    }
    json.out.writeEndArray();
  }

  private static void booleanOrNull(JsonDocument json, String field, Boolean value)
      throws IOException {
    if (value == null) {
      json.out.writeNullField(field);
    } else {
      json.out.writeBooleanField(field, value);
    }
  }
}
