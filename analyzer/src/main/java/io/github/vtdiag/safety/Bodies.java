package io.github.vtdiag.safety;

import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.Program;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The code of a program's methods. Only the most recently used is kept, because it takes much
 * memory.
 */
final class Bodies {
  private static final int KEPT = 2_000;

  private final Program program;
  private final Map<MethodName, Body> recent =
      new LinkedHashMap<>(KEPT * 2, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<MethodName, Body> eldest) {
          return size() > KEPT;
        }
      };

  Bodies(Program program) {
    this.program = program;
  }

  /** Returns the code of a method that the program declares. */
  Body of(MethodName method) {
    Body body = get(method);
    if (body == null) {
      body =
          Body.read(
              program.hierarchy().type(method.owner()).orElseThrow(), method, program.hierarchy());
      put(method, body);
    }
    return body;
  }

  private synchronized Body get(MethodName method) {
    return recent.get(method);
  }

  private synchronized void put(MethodName method, Body body) {
    recent.put(method, body);
  }
}
