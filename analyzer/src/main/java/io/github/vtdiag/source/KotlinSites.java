package io.github.vtdiag.source;

import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.model.MonitorRegion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The site of a Kotlin file from which each monitor of its classes comes. */
public final class KotlinSites {
  public final KotlinFile file;
  private final Map<MonitorId, KotlinFile.Site> sources = new HashMap<>();
  private final Map<KotlinFile.Site, List<MonitorId>> monitors = new HashMap<>();

  /** The reason why a monitor has no site, or none that is certain. */
  private final Map<MonitorId, String> sourceless = new HashMap<>();

  /**
   * Matches the monitors.
   *
   * @throws DeclinedException if the file has a site that its classes have not
   */
  public KotlinSites(KotlinFile file, Collection<ClassMonitors> program) throws DeclinedException {
    this.file = file;
    List<KotlinFile.Site> sites = file.sites();
    boolean isInlined = false;
    for (ClassMonitors type : program) {
      if (file.declares(type.type().name())) {
        boolean isItsOwn = type.type().file().equals(name());
        for (MethodMonitors method : type.methods()) {
          for (MonitorRegion region : method.regions()) {
            if (isItsOwn) {
              match(type.type().name(), method, region, sites);
            } else {
              // An object of an inline function, copied for this caller's lambda.
              isInlined = true;
              sourceless.put(
                  id(type.type().name(), method, region), inlined(type.type().name(), method));
            }
          }
        }
      }
    }
    for (KotlinFile.Site site : sites) {
      boolean mayBeInlined =
          isInlined && site instanceof KotlinFile.Site.Block block && !block.isPlain();
      if (!monitors.containsKey(site) && !mayBeInlined) {
        throw DeclinedException.ofSources(
            "%s does not match the classes: no class has the monitor of line %d"
                .formatted(name(), site.firstLine()));
      }
    }
  }

  private String name() {
    return file.path.getFileName().toString();
  }

  private void match(
      String className, MethodMonitors method, MonitorRegion region, List<KotlinFile.Site> sites) {
    MonitorId monitor = id(className, method, region);
    int line = region.firstLine();
    List<KotlinFile.Site> found =
        sites.stream().filter(site -> fits(site, className, region)).toList();
    if (found.size() == 1) {
      sources.put(monitor, found.getFirst());
      monitors.computeIfAbsent(found.getFirst(), site -> new ArrayList<>()).add(monitor);
    } else if (found.size() > 1) {
      // Each of the sites has a monitor, but it is not known which.
      found.forEach(site -> monitors.computeIfAbsent(site, key -> new ArrayList<>()).add(monitor));
      sourceless.put(
          monitor, "cannot tell apart the monitors on line %d of %s".formatted(line, name()));
    } else if (line < 0) {
      sourceless.put(monitor, className + " has no line numbers");
    } else if (line > file.text.lines()) {
      sourceless.put(monitor, inlined(className, method));
    } else {
      sourceless.put(
          monitor,
          "%s takes no monitor on line %d, where %s.%s does"
              .formatted(name(), line, className, method.name()));
    }
  }

  private static MonitorId id(String className, MethodMonitors method, MonitorRegion region) {
    return new MonitorId(className, method.name(), method.descriptor(), region.enterBci());
  }

  private static String inlined(String className, MethodMonitors method) {
    return "%s.%s takes it in code that Kotlin inlines there".formatted(className, method.name());
  }

  private boolean fits(KotlinFile.Site site, String className, MonitorRegion region) {
    boolean onItsLines =
        site.firstLine() <= region.firstLine() && region.firstLine() <= site.lastLine();
    return onItsLines
        && switch (site) {
          case KotlinFile.Site.Method method ->
              region.kind() == MonitorRegion.Kind.METHOD
                  && (isIn(method.type(), className) || isUnnamed(method.type(), className));
          case KotlinFile.Site.Block block -> region.kind() == MonitorRegion.Kind.BLOCK;
        };
  }

  /**
   * Returns whether a type's code is in a class. What a companion declares for Java is in the class
   * around it, too.
   */
  private static boolean isIn(KotlinFile.Type type, String className) {
    return type.name().equals(className)
        || (type.word().equals("companion") && type.enclosing().name().equals(className));
  }

  /** Returns whether neither the type nor the class has a name in the file, as an object's. */
  private boolean isUnnamed(KotlinFile.Type type, String className) {
    return type.name().isEmpty() && file.type(className).isEmpty();
  }

  /** Returns the site of a monitor. */
  public KotlinFile.Site source(MonitorId monitor) throws DeclinedException {
    if (sourceless.containsKey(monitor)) {
      throw new DeclinedException(sourceless.get(monitor));
    }
    if (!sources.containsKey(monitor)) {
      throw DeclinedException.ofSources(
          "%s does not match the classes: it does not show a monitor of %s"
              .formatted(name(), monitor.className()));
    }
    return sources.get(monitor);
  }

  /** Returns all monitors of a site: a compiler copies {@code finally} blocks and initializers. */
  public List<MonitorId> monitors(KotlinFile.Site site) {
    return monitors.get(site);
  }
}
