package io.github.vtdiag.locksite;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.objectweb.asm.ClassReader;

/**
 * The agents that changed a class while it was loaded. They are recognized by what the changed
 * class refers to and the class file does not.
 */
public final class Transformers {
  private static final int FIELD = 9;
  private static final int METHOD = 10;
  private static final int INTERFACE_METHOD = 11;

  /** The prefix of the owner or the name of a member that an agent adds to classes. */
  private record Mark(String prefix, String agent) {}

  private static final List<Mark> MARKS =
      List.of(
          new Mark("$jacocoInit", "JaCoCo"),
          new Mark("java/util/concurrent/locks/VtdiagMonitors", "vtdiag's what-if"),
          new Mark("io/opentelemetry/javaagent/", "OpenTelemetry's agent"),
          new Mark("datadog/trace/", "Datadog's agent"),
          new Mark("co/elastic/apm/", "Elastic's agent"),
          new Mark("com/newrelic/", "New Relic's agent"),
          new Mark("org/apache/skywalking/", "SkyWalking's agent"),
          new Mark("com/intellij/rt/coverage/", "IntelliJ's coverage"),
          new Mark("org/mockito/", "Mockito"),
          new Mark("reactor/blockhound/", "BlockHound"));

  private Transformers() {}

  /**
   * Returns a phrase for what changed a class; empty if nothing did, or it is unknown.
   *
   * @param given the class file that its loader gives
   * @param ran the bytes that the JVM runs
   * @param jars gives the name of the agent's jar that has a class
   */
  public static String changed(byte[] given, byte[] ran, Function<String, Optional<String>> jars) {
    Set<String> added = members(ran);
    added.removeAll(members(given));
    for (Mark mark : MARKS) {
      if (added.stream().anyMatch(member -> isMarked(member, mark.prefix))) {
        return mark.agent;
      }
    }
    List<String> owners =
        added.stream()
            .map(member -> member.substring(0, member.indexOf('.')).replace('/', '.'))
            .filter(owner -> !owner.startsWith("java.") && !owner.startsWith("["))
            .distinct()
            .toList();
    Optional<String> jar = owners.stream().flatMap(name -> jars.apply(name).stream()).findFirst();
    if (jar.isPresent()) {
      return "the agent " + jar.get();
    }
    String packageName = packageOf(new ClassReader(given).getClassName().replace('/', '.'));
    return owners.stream()
        .filter(owner -> !packageOf(owner).equals(packageName))
        .findFirst()
        .map(owner -> "an agent that calls " + owner)
        .orElse("");
  }

  private static boolean isMarked(String member, String prefix) {
    return member.startsWith(prefix) || member.startsWith(prefix, member.indexOf('.') + 1);
  }

  private static String packageOf(String className) {
    return className.substring(0, Math.max(0, className.lastIndexOf('.')));
  }

  /** Returns the fields and methods that a class refers to, as {@code OWNER.NAME}. */
  private static Set<String> members(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    char[] buffer = new char[reader.getMaxStringLength()];
    Set<String> members = new LinkedHashSet<>();
    for (int i = 1; i < reader.getItemCount(); i++) {
      int item = reader.getItem(i);
      int tag = item == 0 ? 0 : reader.readByte(item - 1);
      if (tag == FIELD || tag == METHOD || tag == INTERFACE_METHOD) {
        String owner = reader.readClass(item, buffer);
        int nameAndType = reader.getItem(reader.readUnsignedShort(item + 2));
        members.add(owner + "." + reader.readUTF8(nameAndType, buffer));
      }
    }
    return members;
  }
}
