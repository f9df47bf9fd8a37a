package io.github.vtdiag.program;

import io.github.vtdiag.locksite.JarContents;
import io.github.vtdiag.locksite.LockMaps;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.owner.CodeLocations;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.JarOwners;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pin.Attributor.LockMapSource;
import io.github.vtdiag.pin.SourceFiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The classes of one recording, as far as they are known: by the lock maps that the agent put in,
 * then by the bytes on the class path and in the JDK's image.
 */
public final class KnownClasses implements LockMapSource {
  /** The lock maps in the recording, by the names of their classes. */
  private final Map<String, List<ClassMonitors>> recorded = new HashMap<>();

  private final ClassPathBytes classPath;
  private final JdkClasses jdk;
  private final Map<ClassRef, List<ClassMonitors>> found = new HashMap<>();
  private final Map<ClassRef, Owner> owners = new HashMap<>();
  private final Map<String, UnreadClass> unread = new HashMap<>();
  private final Set<String> problems = new LinkedHashSet<>();
  private final CodeLocations locations;
  private final JarOwners jarOwners;

  /**
   * @param withFiles whether jars may be opened from which, as the recording says, classes were
   *     loaded; they are on this machine only if it is the one that ran
   */
  public KnownClasses(
      List<ClassMonitors> recorded, ClassPathBytes classPath, JdkClasses jdk, boolean withFiles) {
    this.locations = new CodeLocations(withFiles);
    for (ClassMonitors monitors : recorded) {
      this.recorded.computeIfAbsent(monitors.type().name(), n -> new ArrayList<>()).add(monitors);
    }
    this.classPath = classPath;
    this.jdk = jdk;
    this.jarOwners =
        classPath.jarOwners(
            locations.candidates(
                recorded.stream().filter(type -> !type.location().isEmpty()).toList()));
  }

  /** Reads the classes that will be asked for. */
  public void read(Set<ClassRef> types) {
    types.forEach(this::find);
  }

  @Override
  public List<ClassMonitors> find(ClassRef type) {
    return found.computeIfAbsent(type, this::read);
  }

  /** Returns the source file of a class; empty if it is not known, or has the class's name. */
  public String source(ClassRef type) {
    if (found.containsKey(type) || recorded.containsKey(type.name())) {
      return SourceFiles.of(find(type));
    }
    try {
      return bytes(type).stream()
          .findFirst()
          .map(bytes -> type.withSource(LockMaps.source(bytes.bytes())).source())
          .orElse("");
    } catch (IllegalArgumentException e) {
      return ""; // It matters only for its name; whoever needs its monitors says so.
    }
  }

  /** Returns the result of the search for a class's bytes. */
  public ClassLookup lookUp(ClassRef type) {
    if (!find(type).isEmpty()) {
      return new ClassLookup.Found(!loaded(type).isEmpty());
    }
    if (unread.containsKey(type.name())) {
      return new ClassLookup.Unreadable(unread.get(type.name()));
    }
    return type.isGenerated()
        ? new ClassLookup.Generated()
        : new ClassLookup.NotFound(!classPath.isEmpty());
  }

  /** Returns the owner of a class; the place from which the class was really loaded counts most. */
  public Owner owner(ClassRef type) {
    return owners.computeIfAbsent(type, t -> jarOwners.of(findOwner(t), t.name()));
  }

  /** Returns the read errors, one sentence each. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  private List<ClassMonitors> read(ClassRef type) {
    List<ClassMonitors> monitors = new ArrayList<>(loaded(type));
    List<ClassBytes> found = bytes(type);
    SameLibrary.twice(found, location(type).map(loaded -> JarContents.path(loaded.location())))
        .ifPresent(problems::add);
    for (ClassBytes bytes : found) {
      try {
        monitors.add(
            LockMaps.read(
                bytes.bytes(), type, bytes.location(), ClassMonitors.Evidence.CLASS_PATH));
      } catch (IllegalArgumentException e) {
        UnreadClass broken =
            new UnreadClass(type.name(), bytes.location(), "it is damaged or too new for vtdiag");
        unread.putIfAbsent(type.name(), broken);
        problems.add(broken.text() + ", so what it locks is not known");
      }
    }
    return List.copyOf(monitors);
  }

  /** Returns the lock maps from the recording: those of this very loader, or else of any. */
  private List<ClassMonitors> loaded(ClassRef type) {
    List<ClassMonitors> all = recorded.getOrDefault(type.name(), List.of());
    List<ClassMonitors> sameLoader =
        all.stream().filter(monitors -> monitors.type().equals(type)).toList();
    return sameLoader.isEmpty() ? all : sameLoader;
  }

  private List<ClassBytes> bytes(ClassRef type) {
    try {
      List<ClassBytes> bytes = new ArrayList<>(classPath.find(type.name()));
      jdk.find(type.name()).ifPresent(bytes::add);
      return bytes;
    } catch (DataException e) {
      problems.add(e.getMessage());
      return List.of();
    }
  }

  /** Returns where a class was loaded from, if the recording tells. */
  private Optional<ClassMonitors> location(ClassRef type) {
    return loaded(type).stream().filter(loaded -> !loaded.location().isEmpty()).findFirst();
  }

  private Owner findOwner(ClassRef type) {
    Optional<Owner> loaded =
        location(type).map(known -> locations.owner(known.location(), known.jar(), type.name()));
    if (loaded.isPresent() && isClear(loaded.get())) {
      return loaded.get();
    }
    // The jar is not here: one on the class path that may be the same tells more.
    Optional<Owner> named =
        bytes(type).stream()
            .map(ClassBytes::owner)
            .filter(owner -> loaded.isEmpty() || mayBe(loaded.get(), owner))
            .findFirst();
    return named
        .or(() -> loaded)
        .or(() -> type.madeFor().filter(host -> !host.isJdk()).map(this::findOwner))
        .orElseGet(() -> type.isJdk() ? new Owner.Jdk() : new Owner.UnknownJar(""));
  }

  private static boolean isClear(Owner owner) {
    return switch (owner) {
      case Owner.Application application -> true;
      case Owner.Jdk jdk -> true;
      case Owner.Library(Coordinates library, String location) -> !library.group().isEmpty();
      case Owner.UnknownJar unknown -> false;
    };
  }

  /** Returns whether a jar on the class path may be the one that a class was loaded from. */
  private static boolean mayBe(Owner loaded, Owner named) {
    return !(loaded instanceof Owner.Library(Coordinates one, String in))
        || (named instanceof Owner.Library(Coordinates other, String at)
            && other.artifact().equals(one.artifact())
            && other.version().equals(one.version()));
  }
}
