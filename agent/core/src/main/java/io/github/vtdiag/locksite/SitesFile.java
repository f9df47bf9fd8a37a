package io.github.vtdiag.locksite;

import static org.objectweb.asm.Opcodes.ACC_SYNCHRONIZED;
import static org.objectweb.asm.Opcodes.ASM9;
import static org.objectweb.asm.Opcodes.MONITORENTER;

import io.github.vtdiag.model.MonitorRegion.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;

/**
 * A file with the monitors that are to become locks. It is a JSON report of {@code vtdiag advise},
 * or has lines with {@code CLASS} or {@code CLASS#METHOD}.
 *
 * @param name the file, for sentences about it
 * @param sites the sites that it names, each once
 */
public record SitesFile(String name, List<NamedSite> sites) {
  /** The schema of the reports that this vtdiag reads. */
  private static final int SCHEMA = 1;

  /** Reports on huge programs have a few megabytes; a recording, given by mistake, has more. */
  private static final long MAX_BYTES = 64_000_000;

  private static final String WHAT_TO_DO =
      "; make a report with vtdiag advise --json, or a list with one CLASS or CLASS#METHOD per"
          + " line";

  private static final Pattern DESCRIPTOR =
      Pattern.compile("\\((\\[*([BCDFIJSZ]|L[^;]+;))*\\)\\[*([BCDFIJSZV]|L[^;]+;)");

  public SitesFile {
    sites = List.copyOf(sites);
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException if it is something else or names nothing; the message is a
   *     sentence for the user
   */
  public static SitesFile read(String name) {
    byte[] bytes;
    try {
      Path file = Path.of(name);
      if (Files.isDirectory(file)) {
        throw wrong(name, "is a folder", null);
      }
      if (Files.size(file) > MAX_BYTES) {
        throw wrong(name, "is too large for a report", null);
      }
      bytes = Files.readAllBytes(file);
    } catch (IOException | InvalidPathException e) {
      throw wrong(name, "cannot be read (" + e.getClass().getSimpleName() + ")", e);
    }
    if (startsWith(bytes, "FLR\0")) {
      throw wrong(name, "is a recording", null);
    }
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw wrong(name, "is not UTF-8 text", e);
    }
    text = text.startsWith("\uFEFF") ? text.substring(1) : text;
    Set<NamedSite> sites = new LinkedHashSet<>();
    if (text.stripLeading().startsWith("{")) {
      readReport(name, text, sites);
      if (sites.isEmpty()) {
        throw new IllegalArgumentException(
            "'"
                + name
                + "' recommends rewriting no monitor; use auto, or list what to try, one CLASS or"
                + " CLASS#METHOD per line");
      }
    } else {
      readLines(name, text, sites);
      if (sites.isEmpty()) {
        throw wrong(name, "names no class", null);
      }
    }
    return new SitesFile(name, List.copyOf(sites));
  }

  private static boolean startsWith(byte[] bytes, String magic) {
    byte[] start = magic.getBytes(StandardCharsets.US_ASCII);
    return bytes.length >= start.length
        && ByteBuffer.wrap(bytes, 0, start.length).equals(ByteBuffer.wrap(start));
  }

  private static IllegalArgumentException wrong(String name, String what, Exception cause) {
    return new IllegalArgumentException("'" + name + "' " + what + WHAT_TO_DO, cause);
  }

  private static void readLines(String name, String text, Set<NamedSite> sites) {
    int number = 0;
    for (String line : text.lines().map(String::strip).toList()) {
      number++;
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      try {
        sites.add(NamedSite.parse(line));
      } catch (IllegalArgumentException e) {
        throw wrong(name, "is not a list of classes: line " + number + " names none", e);
      }
    }
  }

  // Reports.

  private static void readReport(String name, String text, Set<NamedSite> sites) {
    Object report;
    try {
      report = Json.parse(text);
    } catch (IllegalArgumentException e) {
      throw wrong(name, "is not JSON: " + e.getMessage(), e);
    }
    if (!(member(report, "schema") instanceof Double schema)
        || !(member(report, "findings") instanceof List<?> findings)) {
      throw wrong(name, "is JSON, but not a report with findings", null);
    }
    if (schema != SCHEMA) {
      throw wrong(name, "has a schema version that this vtdiag does not know", null);
    }
    for (Object finding : findings) {
      addFinding(finding, sites);
    }
  }

  /**
   * Adds what the advice recommends to rewrite. If there was no decision, because the classes were
   * not read, it adds the monitors that were found. Every other recommendation is against a
   * rewrite.
   */
  private static void addFinding(Object finding, Set<NamedSite> sites) {
    Object advice = member(finding, "advice");
    Object recommendation = member(advice, "recommendation");
    boolean undecided =
        advice == null
            || ("REFUSED".equals(member(recommendation, "why"))
                && "CLASS_UNKNOWN".equals(member(recommendation, "rung")));
    if (undecided) {
      addFound(finding, sites);
      elements(member(finding, "alsoHeld")).forEach(also -> addFound(also, sites));
      return;
    }
    Stream.concat(Stream.of(recommendation), elements(member(advice, "together")))
        .filter(each -> "REWRITE".equals(member(each, "kind")))
        .flatMap(rewrite -> elements(member(rewrite, "locks")))
        .flatMap(lock -> elements(member(lock, "sites")))
        .forEach(
            site ->
                add(
                    site,
                    member(member(site, "region"), "enterBci") instanceof Double bci && bci < 0
                        ? Kind.METHOD
                        : Kind.BLOCK,
                    sites));
  }

  /** Adds a finding, or what is held with it, if it is a monitor of code that can be rewritten. */
  private static void addFound(Object found, Set<NamedSite> sites) {
    Object site = member(found, "site");
    if (!"JDK".equals(member(member(found, "owner"), "kind"))) {
      switch (text(member(site, "kind"))) {
        case "SYNCHRONIZED_METHOD" -> add(site, Kind.METHOD, sites);
        case "SYNCHRONIZED_BLOCK" -> add(site, Kind.BLOCK, sites);
        default -> {}
      }
    }
  }

  private static void add(Object site, Kind kind, Set<NamedSite> sites) {
    String type = text(member(site, "class"));
    String descriptor = text(member(site, "descriptor"));
    if (!type.isEmpty()) {
      sites.add(
          new NamedSite(
              type,
              text(member(site, "method")),
              DESCRIPTOR.matcher(descriptor).matches() ? descriptor : "",
              Optional.of(kind)));
    }
  }

  private static Object member(Object value, String name) {
    return value instanceof Map<?, ?> object ? object.get(name) : null;
  }

  private static Stream<?> elements(Object value) {
    return value instanceof List<?> array ? array.stream() : Stream.of();
  }

  private static String text(Object value) {
    return value instanceof String text ? text : "";
  }

  // Queries.

  /** Returns whether the monitors of a class are to become locks. */
  public boolean has(String className) {
    return sites.stream().anyMatch(site -> site.has(className));
  }

  /** The parts of a class file's method that are compared. */
  private static final class Method extends MethodVisitor {
    private final String name;
    private final String descriptor;
    private final boolean isSynchronized;
    private boolean hasBlock;

    Method(int access, String name, String descriptor) {
      super(ASM9);
      this.name = name;
      this.descriptor = descriptor;
      this.isSynchronized = (access & ACC_SYNCHRONIZED) != 0;
    }

    @Override
    public void visitInsn(int opcode) {
      hasBlock |= opcode == MONITORENTER;
    }

    boolean is(NamedSite site) {
      return name.equals(site.method())
          && (site.descriptor().isEmpty() || descriptor.equals(site.descriptor()));
    }

    boolean locksAs(NamedSite site) {
      boolean mayBeMethod = site.kind().map(Kind.METHOD::equals).orElse(true);
      boolean mayBeBlock = site.kind().map(Kind.BLOCK::equals).orElse(true);
      return (mayBeMethod && isSynchronized) || (mayBeBlock && hasBlock);
    }
  }

  /** Returns what in the file contradicts the class file, a clause each. */
  public List<String> mismatches(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    String type = reader.getClassName().replace('/', '.');
    List<NamedSite> here =
        sites.stream()
            .filter(site -> site.type().equals(type) && !site.method().isEmpty())
            .toList();
    if (here.isEmpty()) {
      return List.of();
    }
    List<Method> methods = new ArrayList<>();
    reader.accept(
        new ClassVisitor(ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] thrown) {
            Method method = new Method(access, name, descriptor);
            methods.add(method);
            return method;
          }
        },
        ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    List<String> mismatches = new ArrayList<>();
    for (NamedSite site : here) {
      List<Method> meant = methods.stream().filter(method -> method.is(site)).toList();
      if (meant.isEmpty()) {
        mismatches.add(type + " has no method " + text(site));
      } else if (meant.stream().noneMatch(method -> method.locksAs(site))) {
        mismatches.add(
            type
                + "."
                + text(site)
                + site.kind()
                    .map(
                        kind ->
                            switch (kind) {
                              case METHOD -> " is not synchronized";
                              case BLOCK -> " has no synchronized block";
                            })
                    .orElse(" locks nothing"));
      }
    }
    return mismatches;
  }

  private static String text(NamedSite site) {
    return site.descriptor().isEmpty()
        ? site.method()
        : site.method()
            + Stream.of(Type.getArgumentTypes(site.descriptor()))
                .map(
                    type -> type.getClassName().substring(type.getClassName().lastIndexOf('.') + 1))
                .collect(Collectors.joining(", ", "(", ")"));
  }

  /** Returns one sentence about the mismatches, naming the first of them. */
  public String sentence(List<String> mismatches) {
    int most = 10;
    return "'"
        + name
        + "' describes another version of the program: "
        + mismatches.stream().limit(most).collect(Collectors.joining(", "))
        + (mismatches.size() > most ? ", and " + (mismatches.size() - most) + " more" : "")
        + "; make a new report of this version";
  }
}
