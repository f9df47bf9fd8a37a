package io.github.vtdiag.safety;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.program.ClassFile;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.program.UnreadableClassException;
import io.github.vtdiag.safety.Assumptions.TrustedSite;
import io.github.vtdiag.safety.Decision.Declined;
import io.github.vtdiag.safety.Decision.Movable;
import io.github.vtdiag.safety.Lock.Identity;
import io.github.vtdiag.safety.MonitorUses.MonitorSite;
import io.github.vtdiag.safety.MonitorUses.WaitSite;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Decides whether the monitors of a program can become ReentrantLocks: each when it is asked for,
 * by the first of the {@link Rules} that refuses it.
 *
 * <p>Unless the {@link Assumptions} say otherwise, the program counts as whole. It is assumed, not
 * proven by the classes, that code outside it locks none of its objects. It is also assumed that
 * such code calls it with no objects that no class of it creates. Locking by native code and by
 * reflection is not seen. The loader in a site's {@link ClassRef} is left empty.
 */
public final class LockSafety {
  private final WholeProgram program;
  private final Map<MonitorId, Decision> decisions = new HashMap<>();

  /** The groups of all sites that lock instances or class objects; null until one is needed. */
  private Map<Identity, List<MonitorSite>> groups;

  public LockSafety(Program program) {
    this(program, Assumptions.WHOLE_PROGRAM);
  }

  public LockSafety(Program program, Assumptions assumptions) {
    this.program = WholeProgram.of(program, assumptions);
  }

  /** Returns the decision on the lock that a site takes. */
  public Decision decide(LockSite site) {
    try {
      return decideReadable(site);
    } catch (UnreadableClassException e) {
      return unreadable(e, List.of(site));
    }
  }

  private static Declined unreadable(UnreadableClassException e, List<LockSite> sites) {
    return new Declined(
        RefusalReason.CLASS_UNKNOWN, e.unread().text() + ", and may lock it too", sites);
  }

  private Decision decideReadable(LockSite site) {
    Optional<ClassFile> type = program.hierarchy().type(site.type().name().replace('.', '/'));
    if (type.isEmpty()) {
      return site.type().isJdk()
          ? new Declined(
              RefusalReason.JDK_CODE,
              site.qualifiedMethod() + " is JDK code and cannot be patched",
              List.of(site))
          : new Declined(
              RefusalReason.CLASS_UNKNOWN,
              site.type().name().isEmpty()
                  ? "the recording does not name the method that enters it"
                  : "the class file of " + site.type().name() + " was not found",
              List.of(site));
    }
    return program.uses().sites(type.get()).stream()
        .filter(each -> each.site().id().equals(site.id()))
        .findFirst()
        .map(this::decide)
        .orElseGet(
            () ->
                new Declined(
                    RefusalReason.CLASS_UNKNOWN,
                    "the class file of "
                        + site.type().name()
                        + " has no such monitor in "
                        + site.method()
                        + ": it is a different version",
                    List.of(site)));
  }

  /**
   * Finds an error in the user's assumptions, as one sentence: they name a class or method that is
   * not there.
   */
  public Optional<String> unfounded(Assumptions assumed) {
    for (TrustedSite site : assumed.trustedSites()) {
      Optional<ClassFile> type = program.hierarchy().type(site.type().replace('.', '/'));
      if (type.isEmpty()) {
        return Optional.of(
            "--trust-site " + site.text() + ": " + site.type() + " is not on the class path");
      }
      if (!program.uses().isPlace(type.get(), site.method())) {
        return Optional.of(
            "--trust-site " + site.text() + ": this method takes no monitor; check its name");
      }
    }
    return assumed.notShared().stream()
        .sorted()
        .filter(type -> program.hierarchy().type(type.replace('.', '/')).isEmpty())
        .findFirst()
        .map(type -> "--assume-not-shared " + type + ": this class is not on the class path");
  }

  /** Returns the decisions on all locks of the program. */
  public List<Decision> all() {
    return all(type -> true);
  }

  /** Returns the decisions on the locks that classes of these names (with dots) take. */
  public List<Decision> all(Collection<String> classNames) {
    return all(type -> classNames.contains(type.dotted()));
  }

  private List<Decision> all(Predicate<ClassFile> isWanted) {
    Set<Decision> all = new LinkedHashSet<>();
    for (ClassFile type : program.hierarchy().types()) {
      try {
        if (isWanted.test(type)) {
          program.uses().sites(type).forEach(site -> all.add(decideReadable(site)));
        }
      } catch (UnreadableClassException e) {
        // The program reports the class among its problems; all locks that it may take are
        // declined.
      }
    }
    return List.copyOf(all);
  }

  private Decision decideReadable(MonitorSite site) {
    try {
      return decide(site);
    } catch (UnreadableClassException e) {
      return unreadable(e, List.of(site.site()));
    }
  }

  /**
   * Returns the classes that have to move with chosen ones.
   *
   * @param isChosen takes names with dots
   */
  public Together together(Predicate<String> isChosen) {
    try {
      return new MovingTogether(program).with(isChosen);
    } catch (UnreadableClassException e) {
      return new Together.Unknown(e.unread().text());
    }
  }

  private Decision decide(MonitorSite site) {
    Decision known = decisions.get(site.site().id());
    if (known != null) {
      return known;
    }
    LockGroup group = group(site);
    Decision decision = decide(group);
    group.sites().forEach(each -> decisions.put(each.site().id(), decision));
    return decision;
  }

  private LockGroup group(MonitorSite site) {
    MonitorUses uses = program.uses();
    return switch (site.use().target) {
      case Target.Instance(String type) -> {
        String top = uses.top(type);
        Identity.Instances key = new Identity.Instances(top);
        yield new LockGroup.Instances(top, sites(key), calls(key));
      }
      case Target.ClassObject(String type) -> {
        Identity.ClassObject key = new Identity.ClassObject(type);
        yield new LockGroup.ClassObject(type, sites(key), calls(key));
      }
      case Target.OfField(ClassFile.Field field) ->
          new LockGroup.OfField(field, uses.sites(field), uses.calls(field));
      case Target.OfVariable variable ->
          new LockGroup.OfVariable(
              variable.method(),
              uses.sites(site.use().type).stream()
                  .filter(each -> each.use().target.equals(variable))
                  .toList());
      case Target.None(RefusalReason rung, String reason) ->
          new LockGroup.Unmovable(rung, reason, List.of(site));
    };
  }

  private List<MonitorSite> sites(Identity key) {
    if (groups == null) {
      groups = new HashMap<>();
      for (MonitorSite site : program.uses().sites()) {
        key(site.use())
            .ifPresent(of -> groups.computeIfAbsent(of, k -> new ArrayList<>()).add(site));
      }
    }
    return groups.get(key);
  }

  private List<WaitSite> calls(Identity key) {
    return program.uses().calls().stream()
        .filter(call -> key(call.use()).filter(key::equals).isPresent())
        .toList();
  }

  private Optional<Identity> key(MonitorUse use) {
    return switch (use.target) {
      case Target.Instance(String type) ->
          Optional.of(new Identity.Instances(program.uses().top(type)));
      case Target.ClassObject(String type) -> Optional.of(new Identity.ClassObject(type));
      case Target.OfField of -> Optional.empty();
      case Target.OfVariable of -> Optional.empty();
      case Target.None none -> Optional.empty();
    };
  }

  private Decision decide(LockGroup group) {
    List<LockSite> sites = group.sites().stream().map(MonitorSite::site).toList();
    for (Rule rule : Rules.ALL) {
      Optional<Refusal> refusal = rule.refuse(group, program);
      if (refusal.isPresent()) {
        return new Declined(
            refusal.get().rung(), refusal.get().reason(), sites, refusal.get().blockers());
      }
    }
    return new Movable(
        new Lock(
            identity(group),
            keeper(group),
            sites,
            group.calls().stream().map(WaitSite::call).toList()));
  }

  private Lock.Keeper keeper(LockGroup group) {
    if (group instanceof LockGroup.OfVariable) {
      return Lock.Keeper.SAME_FIELD;
    }
    return group instanceof LockGroup.OfField of
            && program.confinement().verdict(of.field())
                instanceof Confinement.Verdict.Confined confined
        ? confined.keeper()
        : Lock.Keeper.NEW_FIELD;
  }

  private static Identity identity(LockGroup group) {
    return switch (group) {
      case LockGroup.Instances of -> new Identity.Instances(of.top().replace('/', '.'));
      case LockGroup.ClassObject of -> new Identity.ClassObject(of.type().replace('/', '.'));
      case LockGroup.OfField of -> {
        String owner = of.field().name().owner().replace('/', '.');
        String name = of.field().name().name();
        yield of.field().isStatic()
            ? new Identity.StaticField(owner, name)
            : new Identity.InstanceField(owner, name);
      }
      case LockGroup.OfVariable of ->
          new Identity.LocalVariable(of.method().owner().replace('/', '.'), of.method().name());
      case LockGroup.Unmovable none -> throw new IllegalStateException(none.reason());
    };
  }
}
