package io.github.vtdiag.patch;

import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.safety.Lock;
import io.github.vtdiag.safety.Lock.Identity;
import io.github.vtdiag.source.DeclinedException;
import io.github.vtdiag.source.KotlinFile;
import io.github.vtdiag.source.KotlinFile.Property;
import io.github.vtdiag.source.KotlinFile.Site;
import io.github.vtdiag.source.KotlinSites;
import io.github.vtdiag.source.KotlinTokens;
import io.github.vtdiag.source.MatchedSources;
import io.github.vtdiag.source.SourceFolders;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The edits for one lock that is taken in Kotlin: the counterpart of {@link LockPlan}. */
final class KotlinPlan {
  private final Lock lock;
  private final FieldNames names;
  private final KotlinFile file;
  private final KotlinTokens tokens;
  private final Set<Site> sites = new LinkedHashSet<>();
  private final List<KotlinRewrite> rewrites = new ArrayList<>();
  private Patch.LockField field;

  private KotlinPlan(Lock lock, KotlinFile file, FieldNames names) {
    this.lock = lock;
    this.file = file;
    this.tokens = file.tokens;
    this.names = names;
  }

  /**
   * Plans the move of a lock.
   *
   * @throws DeclinedException if it has to stay a monitor
   */
  static KotlinPlan make(Lock lock, MatchedSources sources, FieldNames names)
      throws DeclinedException {
    if (!lock.calls().isEmpty()) {
      Lock.MonitorCall call = lock.calls().getFirst();
      throw new DeclinedException(
          "%s calls %s on line %d, which is not rewritten in Kotlin"
              .formatted(call.type().file(), call.called(), call.line()));
    }
    Optional<String> java =
        lock.sites().stream()
            .map(site -> site.type().file())
            .filter(name -> !name.endsWith(".kt"))
            .findFirst();
    if (java.isPresent()) {
      throw new DeclinedException(
          "it is taken in Kotlin and in " + java.get() + ", and a private lock is for one file");
    }
    KotlinSites first = sources.ofKotlin(lock.sites().getFirst().type().name());
    KotlinPlan plan = new KotlinPlan(lock, first.file, names);
    plan.find(sources);
    switch (lock.identity()) {
      case Identity.Instances of -> plan.instances(of.type(), sources.folders);
      case Identity.ClassObject of -> plan.classObject(of.type(), sources.folders);
      case Identity.LocalVariable of -> throw DeclinedException.missing(of);
      case Identity.StaticField of -> plan.field(of.owner(), of.name(), true, sources.folders);
      case Identity.InstanceField of -> plan.field(of.owner(), of.name(), false, sources.folders);
    }
    return plan;
  }

  List<KotlinRewrite> rewrites() {
    return rewrites;
  }

  Patch.LockField field() {
    return field;
  }

  KotlinFile file() {
    return file;
  }

  private void find(MatchedSources sources) throws DeclinedException {
    Set<MonitorId> moving = lock.sites().stream().map(LockSite::id).collect(Collectors.toSet());
    List<MonitorId> ordered =
        moving.stream().sorted(Comparator.comparing(MonitorId::toString)).toList();
    for (MonitorId monitor : ordered) {
      KotlinSites match = sources.ofKotlin(monitor.className());
      if (!match.file.equals(file)) {
        throw new DeclinedException(
            "it is taken in %s and in %s, and a private lock is for one Kotlin file"
                .formatted(file.path.getFileName(), match.file.path.getFileName()));
      }
      Site site = match.source(monitor);
      if (!moving.containsAll(match.monitors(site))) {
        throw new DeclinedException(
            "what line %d of %s locks also takes another monitor"
                .formatted(site.firstLine(), file.path.getFileName()));
      }
      sites.add(site);
    }
    if (file.declaresFunction("withLock") || file.declaresType("ReentrantLock")) {
      throw new DeclinedException(
          file.path.getFileName() + " has a withLock or a ReentrantLock of its own");
    }
  }

  private void instances(String name, SourceFolders folders) throws DeclinedException {
    KotlinFile.Type type = owner(name);
    newLock(type, type.word().equals("companion") ? type.enclosing() : type, folders);
  }

  private void classObject(String name, SourceFolders folders) throws DeclinedException {
    KotlinFile.Type type = owner(name);
    if (type.word().equals("class")) {
      throw new DeclinedException(
          name
              + "'s class object is locked, for which a Kotlin class has no place; lock a private"
              + " val of its companion");
    }
    if (sites.stream().anyMatch(Site.Block.class::isInstance)) {
      throw new DeclinedException("a block locks the class object of " + name);
    }
    newLock(type, type, folders);
  }

  private KotlinFile.Type owner(String name) throws DeclinedException {
    KotlinFile.Type type = file.type(name).orElseThrow(() -> isNotIn(name));
    if (!Set.of("class", "object", "companion", "file").contains(type.word())) {
      throw new DeclinedException("%s is declared as %s".formatted(name, type.word()));
    }
    if (type.word().equals("companion") && type.enclosing().word().equals("enum")) {
      throw new DeclinedException(
          name + " is the companion of an enum, which makes its constants first");
    }
    return type;
  }

  private DeclinedException isNotIn(String name) {
    return new DeclinedException(
        "%s does not name %s as a class of its own".formatted(file.path.getFileName(), name));
  }

  /** Plans a new lock for an object, or for the class of the file's functions. */
  private void newLock(KotlinFile.Type owner, KotlinFile.Type visible, SourceFolders folders)
      throws DeclinedException {
    checkUnknownLocks(folders);
    String name = names.ofKotlin(List.of("lock", "instanceLock", "reentrantLock"), file, visible);
    for (Site site : sites) {
      switch (site) {
        case Site.Method method -> {
          if (!method.type().equals(owner)) {
            throw elsewhere(site, owner);
          }
          if (method.isExtension() && owner.equals(file.own)) {
            throw new DeclinedException(
                "line %d of %s extends a type, whose own members would hide the lock"
                    .formatted(site.firstLine(), file.path.getFileName()));
          }
          String reference = method.isExtension() ? "this@" + owner.label() + "." + name : name;
          rewrites.add(new KotlinRewrite.Method(file, method, reference));
        }
        case Site.Block block -> {
          if (!visible.has(block.type())) {
            throw elsewhere(site, owner);
          }
          String locked = locked(block);
          boolean isPlainThis =
              locked.equals("this") && block.isPlain() && block.type().equals(owner);
          addBlock(block, isPlainThis ? name : locked + "." + name);
        }
      }
    }
    declare(new KotlinRewrite.AddFirst(file, owner, declaration(owner, name)));
    field =
        new Patch.LockField(
            owner.word().equals("companion") && !visible.word().equals("interface")
                ? visible.name()
                : owner.name(),
            name);
  }

  private DeclinedException elsewhere(Site site, KotlinFile.Type owner) {
    return new DeclinedException(
        "line %d of %s takes it outside of %s, where a private lock is not seen"
            .formatted(site.firstLine(), file.path.getFileName(), owner.name()));
  }

  private static void checkUnknownLocks(SourceFolders folders) throws DeclinedException {
    if (folders.unknownLocks().isPresent()) {
      throw DeclinedException.ofUnknownLocks(folders.unknownLocks().get());
    }
  }

  /**
   * Returns the declaration of the lock. A transient field is left out by code that reads all
   * fields of an object.
   */
  private String declaration(KotlinFile.Type owner, String name) {
    String plain = "private val " + name + " = ReentrantLock()";
    if (!owner.word().equals("class")) {
      return plain; // a static field
    }
    boolean isAnother = file.imports.stream().anyMatch(each -> each.name().endsWith(".Transient"));
    return (isAnother ? "@kotlin.jvm.Transient " : "@Transient ") + plain;
  }

  private void declare(KotlinRewrite declaration) throws DeclinedException {
    if (file.imports.stream().anyMatch(each -> each.name().startsWith("kotlinx.serialization"))) {
      throw new DeclinedException(
          file.path.getFileName()
              + " uses kotlinx.serialization, which would write a new property");
    }
    rewrites.add(declaration);
  }

  private void field(String owner, String name, boolean isStatic, SourceFolders folders)
      throws DeclinedException {
    KotlinFile.Type named = file.type(owner).orElseThrow(() -> isNotIn(owner));
    KotlinFile.Type type =
        isStatic && named.word().equals("class")
            ? file.types.stream()
                .filter(each -> named.equals(each.enclosing()) && each.word().equals("companion"))
                .findFirst()
                .orElseThrow(() -> isNotIn(owner + "." + name))
            : named;
    KotlinFile.Type visible = type.word().equals("companion") ? type.enclosing() : type;
    Property property = file.property(type, name).orElseThrow(() -> isNotIn(owner + "." + name));
    KotlinProperty declared = new KotlinProperty(file, property);
    if (!tokens.is(property.word(), "val")) {
      throw new DeclinedException(owner + "." + name + " is no val");
    }
    if (!declared.isPrivate()) {
      checkUnknownLocks(folders);
    }
    for (Site site : sites) {
      if (!(site instanceof Site.Block) || !visible.has(site.type())) {
        throw elsewhere(site, visible);
      }
    }
    boolean inPlace =
        lock.keeper() == Lock.Keeper.SAME_FIELD
            && declared.isNewObject()
            && isLockOnly(visible, property.word() + 1, name);
    String lockName = inPlace ? name : names.ofKotlin(FieldNames.companions(name), file, visible);
    for (Site site : sites) {
      Site.Block block = (Site.Block) site;
      String locked = locked(block);
      if (!(locked.equals(name) || locked.endsWith("." + name))) {
        throw new DeclinedException(
            "line %d of %s locks %s by another name"
                .formatted(site.firstLine(), file.path.getFileName(), name));
      }
      addBlock(block, locked.substring(0, locked.length() - name.length()) + lockName);
    }
    if (inPlace) {
      rewrites.addAll(declared.asLock());
    } else if (property.isParameter()) {
      declare(new KotlinRewrite.AddFirst(file, type, declaration(type, lockName)));
    } else {
      int last = declared.last();
      declare(new KotlinRewrite.AddBelow(file, property.word(), last, declaration(type, lockName)));
    }
    field = new Patch.LockField(owner, lockName);
  }

  /** Returns whether a property is only locked, and used for nothing else. */
  private boolean isLockOnly(KotlinFile.Type visible, int declared, String name) {
    Set<Integer> known =
        sites.stream()
            .map(site -> tokens.partner(((Site.Block) site).open()) - 1)
            .collect(Collectors.toSet());
    known.add(declared);
    for (int i = Math.max(0, visible.keyword()); i < visible.close(); i++) {
      if (tokens.is(i, name) && !known.contains(i)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the expression that a block locks, if it is a name, {@code this}, or a qualified name.
   */
  private String locked(Site.Block block) throws DeclinedException {
    int close = tokens.partner(block.open());
    for (int i = block.open() + 1; i < close; i++) {
      boolean isName = (i - block.open()) % 2 == 1;
      boolean fits = isName ? tokens.isWord(i) : tokens.is(i, ".") || tokens.is(i, "@");
      if (!fits) {
        throw notAName(block);
      }
    }
    int from = tokens.get(block.open()).end();
    int to = tokens.get(close).start();
    if ((close - block.open()) % 2 != 0 || tokens.hasComment(from, to)) {
      throw notAName(block);
    }
    return file.text.text.substring(from, to).strip();
  }

  private DeclinedException notAName(Site site) {
    return new DeclinedException(
        "line %d of %s locks an expression that is no plain name"
            .formatted(site.firstLine(), file.path.getFileName()));
  }

  /** Plans a block, and names the new target of the returns that leave only the block. */
  private void addBlock(Site.Block block, String reference) throws DeclinedException {
    int close = tokens.partner(block.brace());
    List<Integer> returns = new ArrayList<>();
    for (int i = block.brace() + 1; i < close; i++) {
      if (tokens.is(i - 1, "@") && tokens.isAdjacent(i - 1, i)) {
        if (tokens.is(i, "withLock")) {
          throw unclear(block);
        }
        if (tokens.is(i, "synchronized") && innermost(i).filter(block::equals).isPresent()) {
          returns.add(i);
        }
      }
    }
    if (!returns.isEmpty() && (block.label() || hasWord("withLock", block.brace(), close))) {
      throw unclear(block);
    }
    rewrites.add(new KotlinRewrite.Block(file, block, reference));
    returns.forEach(
        label -> rewrites.add(new KotlinRewrite.Replace(file, label, label, "withLock")));
  }

  private DeclinedException unclear(Site.Block block) {
    return new DeclinedException(
        "the block on line %d of %s has returns to labels that would mean another block"
            .formatted(block.firstLine(), file.path.getFileName()));
  }

  private boolean hasWord(String word, int from, int to) {
    for (int i = from; i < to; i++) {
      if (tokens.is(i, word)) {
        return true;
      }
    }
    return false;
  }

  /** Finds the innermost block around a token that takes a monitor. */
  private Optional<Site.Block> innermost(int token) throws DeclinedException {
    return file.sites().stream()
        .filter(Site.Block.class::isInstance)
        .map(Site.Block.class::cast)
        .filter(block -> block.brace() < token && token < tokens.partner(block.brace()))
        .max(Comparator.comparingInt(Site.Block::brace));
  }
}
