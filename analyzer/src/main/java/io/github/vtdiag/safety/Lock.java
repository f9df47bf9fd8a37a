package io.github.vtdiag.safety;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.LockSite;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One lock of a program, and every place that takes it: they move together or not at all.
 *
 * @param identity which objects these are
 * @param keeper the place of the ReentrantLock
 * @param sites every site in the program that locks such an object
 * @param calls every {@code wait}, {@code notify}, {@code notifyAll} and {@code Thread.holdsLock}
 *     on such an object
 */
public record Lock(
    Identity identity, Keeper keeper, List<LockSite> sites, List<MonitorCall> calls) {

  /**
   * A call of one of the methods that need the monitor.
   *
   * @param type the class that calls
   * @param method its method
   * @param descriptor that method's descriptor
   * @param line the line of the call; -1 if unknown
   * @param called what is called: {@code wait}, {@code notify}, {@code notifyAll}, {@code
   *     holdsLock}
   * @param calledDescriptor the descriptor of what is called
   * @param place its place among those calls of the same on its line that are in its method, from 0
   * @param ofLine how many these are
   */
  public record MonitorCall(
      ClassRef type,
      String method,
      String descriptor,
      int line,
      String called,
      String calledDescriptor,
      int place,
      int ofLine) {}

  /** The place of the ReentrantLock. */
  public enum Keeper {
    /**
     * The locked field, or the local variable, itself becomes the lock: it serves as nothing else.
     */
    SAME_FIELD,
    /**
     * A new field. It is in the class for {@link Identity.Instances}, static for {@link
     * Identity.ClassObject}, and beside a locked field that holds data.
     */
    NEW_FIELD
  }

  /** The objects that a lock's sites lock, as far as the bytecode tells. Names are with dots. */
  public sealed interface Identity {

    /** Instances of a class and of its subclasses; {@code type} is the topmost that locks. */
    record Instances(String type) implements Identity {}

    /** The {@code Class} object of a class. */
    record ClassObject(String type) implements Identity {}

    /** The object in a static field. */
    record StaticField(String owner, String name) implements Identity {}

    /** The object in a field of each instance. */
    record InstanceField(String owner, String name) implements Identity {}

    /** An object that a method makes for a local variable, which becomes the lock. */
    record LocalVariable(String type, String method) implements Identity {}
  }

  public Lock {
    sites = List.copyOf(sites);
    calls = List.copyOf(calls);
  }

  /** Returns whether a class that takes the lock is compiled from Kotlin. */
  public boolean isInKotlin() {
    return files().anyMatch(file -> file.endsWith(".kt"));
  }

  /**
   * Returns the source file of a class that takes it and is compiled neither from Java nor from
   * Kotlin; empty if all are, or do not tell.
   */
  public Optional<String> inOtherLanguage() {
    return files().filter(file -> !file.endsWith(".java") && !file.endsWith(".kt")).findFirst();
  }

  private Stream<String> files() {
    return Stream.concat(
        sites.stream().map(site -> site.type().file()),
        calls.stream().map(call -> call.type().file()));
  }
}
