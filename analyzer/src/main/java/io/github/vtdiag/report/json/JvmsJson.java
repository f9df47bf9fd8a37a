package io.github.vtdiag.report.json;

import io.github.vtdiag.attach.SeenJvm;
import java.util.List;
import java.util.Optional;

/** Writes the JVMs of this machine as JSON. */
final class JvmsJson {
  private JvmsJson() {}

  static void members(JsonObject json, List<SeenJvm> jvms) {
    json.array(
        "jvms",
        jvms,
        (each, jvm) -> {
          each.put("pid", jvm.pid()).putText("java", jvm.java());
          put(each, "usesVirtualThreads", jvm.usesVirtualThreads());
          each.put("virtualThreads", jvm.virtualThreads());
          put(each, "agent", jvm.agent());
          each.putText("program", jvm.mainClass());
        });
  }

  private static void put(JsonObject json, String name, Optional<Boolean> value) {
    if (value.isPresent()) {
      json.put(name, value.get());
    } else {
      json.putNull(name);
    }
  }
}
