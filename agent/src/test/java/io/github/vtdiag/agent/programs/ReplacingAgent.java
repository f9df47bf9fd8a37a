package io.github.vtdiag.agent.programs;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;

/** Another agent: replaces a class by a class file, {@code INTERNAL_NAME=FILE}. */
public final class ReplacingAgent {
  private ReplacingAgent() {}

  public static void premain(String argument, Instrumentation instrumentation) throws IOException {
    String replaced = argument.substring(0, argument.indexOf('='));
    byte[] replacement = Files.readAllBytes(Path.of(argument.substring(replaced.length() + 1)));
    instrumentation.addTransformer(
        new ClassFileTransformer() {
          @Override
          public byte[] transform(
              Module module,
              ClassLoader loader,
              String name,
              Class<?> redefined,
              ProtectionDomain domain,
              byte[] classFile) {
            return replaced.equals(name) ? replacement : null;
          }
        },
        true);
  }
}
