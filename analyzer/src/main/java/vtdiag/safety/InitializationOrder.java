package vtdiag.safety;

import java.util.Optional;
import vtdiag.program.MethodName;
import vtdiag.program.TypeHierarchy;

/** A lock field is still null while the constructors of the classes above run. */
final class InitializationOrder implements Rule {
  @Override
  public Optional<Refusal> refuse(LockGroup lock, WholeProgram program) {
    return lock instanceof LockGroup.Instances of
            && !TypeHierarchy.OBJECT.equals(program.hierarchy().superName(of.top()))
        ? inSuperConstructors(of, program)
        : Optional.empty();
  }

  private static Optional<Refusal> inSuperConstructors(
      LockGroup.Instances lock, WholeProgram program) {
    EscapeOfThis.Result result = program.escapes().beforeFieldsOf(lock.top());
    String constructor = "a superclass constructor of " + ShortNames.simple(lock.top());
    Optional<MethodName> locking =
        lock.sites().stream()
            .map(site -> site.use().method)
            .filter(result.run()::contains)
            .findFirst();
    if (locking.isPresent()) {
      return Refusal.of(
          Rung.INITIALIZATION_ORDER,
          constructor
              + " may call "
              + ShortNames.text(locking.get())
              + " before the lock field is assigned");
    }
    return result
        .where()
        .flatMap(
            where ->
                Refusal.of(
                    Rung.INITIALIZATION_ORDER,
                    constructor
                        + " may let the object out before the lock field is assigned: see "
                        + where));
  }
}
