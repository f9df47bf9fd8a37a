package io.github.vtdiag.source;

import com.github.javaparser.ast.Node;
import com.github.javaparser.ast.body.MethodDeclaration;
import com.github.javaparser.ast.body.VariableDeclarator;
import com.github.javaparser.ast.expr.AnnotationExpr;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.model.MonitorRegion;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The {@code synchronized} of a source file from which each monitor of its classes comes. */
public final class ClassSites {

  /** A place in a class file with one or more monitors. */
  private record Place(String type, String method, String descriptor, int line) {}

  /** The types that have a site, by binary name. */
  public final Map<String, SourceType> types = new HashMap<>();

  public final SourceFile file;
  private final Map<MonitorId, SourceFile.SynchronizedNode> sources = new HashMap<>();
  private final Map<SourceFile.SynchronizedNode, List<MonitorId>> monitors = new HashMap<>();

  /**
   * The monitors of code that is generated, or gone from the source since, each with the reason.
   */
  private final Map<MonitorId, String> sourceless = new HashMap<>();

  /**
   * Matches the monitors. A class may have more monitors than its source; a source with more is of
   * another version.
   *
   * @throws DeclinedException if the sources do not match the classes
   */
  public ClassSites(SourceFile file, Collection<ClassMonitors> program) throws DeclinedException {
    this.file = file;
    for (ClassMonitors type : program) {
      for (SourceType top : file.types) {
        if (top.enclosing == null && isIn(type.type().name(), top)) {
          match(type);
        }
      }
    }
    for (SourceFile.SynchronizedNode site : file.sites) {
      if (!monitors.containsKey(site) && DeadCode.mayBeLeftOut(site.node)) {
        throw DeclinedException.ofSources(
            "%s has a synchronized on line %d that the compiler left out, as a constant is its condition"
                .formatted(file.path.getFileName(), site.firstLine));
      }
      if (!monitors.containsKey(site)) {
        throw mismatch("no class has the synchronized on line " + site.firstLine);
      }
    }
  }

  private static boolean isIn(String className, SourceType top) {
    int end = className.indexOf('$', className.lastIndexOf('.') + 2);
    while (end > 0 && !top.canBe(className.substring(0, end))) {
      end = className.indexOf('$', end + 1);
    }
    return end > 0 || top.canBe(className);
  }

  public SourceFile.SynchronizedNode source(MonitorId monitor) throws DeclinedException {
    SourceFile.SynchronizedNode site = sources.get(monitor);
    if (sourceless.containsKey(monitor)) {
      throw DeclinedException.ofSources(file.path.getFileName() + sourceless.get(monitor));
    }
    if (site == null) {
      Optional<String> generated = Lombok.monitor(file.text.text);
      if (generated.isPresent()) {
        throw new DeclinedException(file.path.getFileName() + generated.get());
      }
      throw mismatch("there is no synchronized where " + monitor.className() + " has one");
    }
    return site;
  }

  /**
   * Returns the monitors of a site; there are several where a compiler copies finally blocks and
   * initializers.
   */
  public List<MonitorId> monitors(SourceFile.SynchronizedNode site) {
    return monitors.get(site);
  }

  private void match(ClassMonitors type) throws DeclinedException {
    String name = type.type().name();
    for (MethodMonitors method : type.methods()) {
      Map<Place, List<MonitorRegion>> places = new HashMap<>();
      for (MonitorRegion region : method.regions()) {
        if (isOfLombok(region.lock().name())) {
          continue; // It stays.
        }
        // A synchronized method's regions: its own, and those of blocks on its first line.
        int line = region.kind() == MonitorRegion.Kind.METHOD ? -1 : region.firstLine();
        places
            .computeIfAbsent(
                new Place(name, method.name(), method.descriptor(), line),
                place -> new ArrayList<>())
            .add(region);
      }
      for (Map.Entry<Place, List<MonitorRegion>> entry : places.entrySet()) {
        match(entry.getKey(), entry.getValue());
      }
    }
  }

  /**
   * Returns whether it is the lock of Lombok's {@code @Synchronized}, which the source does not
   * show; it does where Lombok's code was written out (delombok).
   */
  private boolean isOfLombok(String field) {
    return (field.equals("$lock") || field.equals("$LOCK"))
        && (has(AnnotationExpr.class, each -> each.getName().getIdentifier().equals("Synchronized"))
            || !has(VariableDeclarator.class, each -> each.getNameAsString().equals(field)));
  }

  private <N extends Node> boolean has(Class<N> kind, Predicate<N> wanted) {
    return file.unit.findFirst(kind, wanted).isPresent();
  }

  private void match(Place place, List<MonitorRegion> found) throws DeclinedException {
    MonitorRegion first = found.getFirst();
    int line = first.firstLine();
    if (line < 0) {
      throw mismatch(place.type() + " has no line numbers; compile it with -g:lines");
    }
    List<SourceFile.SynchronizedNode> candidates =
        file.sites.stream()
            .filter(site -> fits(site, place, first))
            .sorted(Comparator.comparingInt(site -> file.start(site.node)))
            .toList();
    if (candidates.isEmpty()) {
      String reason =
          (" has no synchronized on line %d, where the class has one in %s.%s: it is generated, or"
                  + " has been removed since")
              .formatted(line, place.type(), place.method());
      found.forEach(region -> sourceless.put(monitor(place, region), reason));
      return;
    }
    if (candidates.size() > 1 && candidates.size() != found.size()) {
      throw new DeclinedException(
          "cannot tell apart the synchronized blocks on line %d of %s"
              .formatted(line, file.path.getFileName()));
    }
    List<MonitorRegion> ordered =
        found.stream().sorted(Comparator.comparingInt(MonitorRegion::enterBci)).toList();
    for (int i = 0; i < ordered.size(); i++) {
      SourceFile.SynchronizedNode site = candidates.get(candidates.size() == 1 ? 0 : i);
      MonitorId monitor = monitor(place, ordered.get(i));
      sources.put(monitor, site);
      monitors.computeIfAbsent(site, key -> new ArrayList<>()).add(monitor);
      SourceType known = types.putIfAbsent(place.type(), site.context.type());
      if (known != null && known != site.context.type()) {
        throw mismatch("two types could be " + place.type());
      }
    }
  }

  private static MonitorId monitor(Place place, MonitorRegion region) {
    return new MonitorId(place.type(), place.method(), place.descriptor(), region.enterBci());
  }

  private static boolean fits(SourceFile.SynchronizedNode site, Place place, MonitorRegion region) {
    boolean method = site.node instanceof MethodDeclaration;
    return method == (region.kind() == MonitorRegion.Kind.METHOD)
        && site.firstLine <= region.firstLine()
        && region.firstLine() <= site.lastLine
        && site.context.type().canBe(place.type())
        && site.context.canBe(place.method(), parameters(place.descriptor()));
  }

  public static int parameters(String descriptor) {
    return MethodTypeDesc.ofDescriptor(descriptor).parameterCount();
  }

  private DeclinedException mismatch(String detail) {
    return DeclinedException.ofSources(
        file.path.getFileName() + " does not match the classes: " + detail);
  }

  /** Returns a type of the file by its binary name. */
  public SourceType type(String binaryName) throws DeclinedException {
    SourceType known = types.get(binaryName);
    if (known != null) {
      return known;
    }
    Set<SourceType> named = new HashSet<>();
    for (SourceType type : file.types) {
      if (type.canBe(binaryName)) {
        named.add(type);
      }
    }
    if (named.isEmpty()) {
      throw mismatch(binaryName + " is not in it");
    }
    if (named.size() > 1) {
      throw new DeclinedException(
          "cannot tell which class in %s is %s".formatted(file.path.getFileName(), binaryName));
    }
    return named.iterator().next();
  }
}
