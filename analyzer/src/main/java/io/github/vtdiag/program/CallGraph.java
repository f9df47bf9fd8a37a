package io.github.vtdiag.program;

import io.github.vtdiag.model.DataException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.objectweb.asm.Opcodes;

/**
 * The call graph of a program, in numbers: methods, the calls in each, and the methods that a call
 * can lead to. A virtual call leads to the methods declared for the instantiated types (rapid type
 * analysis). An instruction of the program creates such a type, or a string constant names it.
 * Types of the JDK count if the user of the graph {@linkplain #createAt counts} them.
 *
 * <p>Classes of the JDK are read when a call leads there. Reflection and native code are not seen.
 * Only one thread may use it.
 */
public final class CallGraph {
  private static final int[] NONE = {};
  private final JdkClasses jdk;
  private final CallTypes types = new CallTypes(this::read);
  private final SignatureTable signatures = new SignatureTable();
  private final CallReferences references = new CallReferences();

  /** By method: its type, signature, flags, and its first call. */
  private final IntList methodTypes = new IntList();

  private final IntList methodSignatures = new IntList();
  private final IntList methodFlags = new IntList();
  private final IntList firstCalls = new IntList();
  private final IntList callReferences = new IntList();
  private final IntList callBcis = new IntList();

  /** The lambdas to which a call of a signature may lead. */
  private final Map<Integer, Set<Integer>> lambdas = new HashMap<>();

  private final KeyTable dispatchNumbers = new KeyTable();
  private final List<Dispatch> dispatches = new ArrayList<>();

  /** By reference, the targets where they are the same whatever types there are. */
  private int[][] fixed = {};

  private Dispatch[] dispatchOf = {};
  private final int ownMethods; // They come first.

  CallGraph(List<CallScan.Calls> program, JdkClasses jdk) {
    this.jdk = jdk;
    program.forEach(calls -> add(calls, false));
    ownMethods = methodTypes.size;
    Set<Long> named = new HashSet<>();
    program.forEach(calls -> named.addAll(calls.strings()));
    int known = references.size();
    for (int i = 0; i < known; i++) {
      if (references.kind(i) == CallScan.NEW) {
        types.create(references.type(i));
      }
    }
    for (int i = 0; i < types.size(); i++) {
      CallTypes.Type each = types.get(i);
      if (each.found && !each.isJdk && named.contains(UseKey.typeName(types.dotted(i)))) {
        types.create(i);
      }
    }
  }

  private void add(CallScan.Calls calls, boolean isJdk) {
    int[] typeOf = new int[calls.types().size()];
    for (int i = 0; i < typeOf.length; i++) {
      typeOf[i] = types.number(calls.types().get(i));
    }
    int[] signatureOf = new int[calls.signatures().size()];
    for (int i = 0; i < signatureOf.length; i++) {
      signatureOf[i] = signatures.number(calls.signatures().get(i));
    }
    int firstReference = references.size();
    int[] named = calls.references();
    for (int i = 0; i < named.length; i += CallScan.REFERENCE) {
      boolean lambda = named[i] == CallScan.LAMBDA;
      references.add(
          named[i],
          typeOf[named[i + 1]],
          named[i] == CallScan.NEW ? -1 : signatureOf[named[i + 2]],
          lambda ? typeOf[named[i + 3]] : -1);
      if (lambda) {
        lambdas
            .computeIfAbsent(signatureOf[named[i + 4]], n -> new LinkedHashSet<>())
            .add(references.size() - 1);
      }
    }
    int[] code = calls.code();
    int at = 0;
    while (at < code.length) {
      at = addClass(code, at, typeOf, signatureOf, firstReference, isJdk);
    }
  }

  private int addClass(
      int[] code, int start, int[] typeOf, int[] signatureOf, int firstReference, boolean isJdk) {
    int number = typeOf[code[start]];
    CallTypes.Type type = types.get(number);
    boolean first = !type.found; // of two with one name the first counts
    int at = start + 4;
    if (first) {
      type.looked = true;
      type.found = true;
      type.isJdk = isJdk;
      type.access = code[start + 1];
      type.parent = code[start + 2] < 0 ? -1 : typeOf[code[start + 2]];
      type.interfaces = new int[code[start + 3]];
      for (int i = 0; i < type.interfaces.length; i++) {
        type.interfaces[i] = typeOf[code[at + i]];
      }
    }
    at += code[start + 3];
    int methods = code[at++];
    if (first) {
      type.firstMethod = methodTypes.size;
      type.endOfMethods = methodTypes.size + methods;
    }
    for (int i = 0; i < methods; i++) {
      int calls = code[at + 2];
      if (first) {
        int signature = signatureOf[code[at]];
        types.declare(
            number, signature, methodTypes.size, (code[at + 1] & Opcodes.ACC_ABSTRACT) != 0);
        methodTypes.add(number);
        methodSignatures.add(signature);
        methodFlags.add(code[at + 1]);
        firstCalls.add(callBcis.size);
        for (int j = at + 3; j < at + 3 + 2 * calls; j += 2) {
          callReferences.add(code[j] + firstReference);
          callBcis.add(code[j + 1]);
        }
      }
      at += 3 + 2 * calls;
    }
    return at;
  }

  /** Reads a class of the JDK, if there is one of that name. */
  private void read(String name) {
    try {
      Optional<ClassBytes> bytes = jdk.find(name.replace('/', '.'));
      if (bytes.isPresent()) {
        CallScan scan = new CallScan();
        scan.scan(bytes.get().bytes(), bytes.get().bytes().length);
        add(scan.calls(), true);
      }
    } catch (DataException | IllegalArgumentException e) {
      // The calls of an unreadable class are not known, like those of a missing one.
    }
  }

  /** Returns the number of methods read so far; they are numbered from 0. */
  public int methods() {
    return methodTypes.size;
  }

  /** Returns a method's number; -1 if no class that was read declares it. */
  public int method(MethodName name) {
    int type = types.number(name.owner());
    types.look(type); // which may read the class, and so number its signatures
    int signature = signatures.find(name.signature());
    return signature < 0 ? -1 : types.declared(type, signature);
  }

  /** Returns the name with which its class declares it. */
  public MethodName name(int method) {
    return name(methodTypes.get(method), methodSignatures.get(method));
  }

  private MethodName name(int type, int signature) {
    return signatures.name(types.name(type), signature);
  }

  /** Returns the class that declares a method, with slashes. */
  public String owner(int method) {
    return types.name(methodTypes.get(method));
  }

  public boolean isJdk(int method) {
    return method >= ownMethods;
  }

  /** Returns whether a method has an access flag. */
  public boolean has(int method, int flag) {
    return (methodFlags.get(method) & flag) != 0;
  }

  /** Returns whether a method declares an exception of one of the kinds in {@link Thrown}. */
  public boolean declares(int method, Thrown kind) {
    return has(method, kind.flag);
  }

  /** Returns the number of a method's first call; its other calls follow. */
  public int firstCall(int method) {
    return firstCalls.get(method);
  }

  /** The number after that of a method's last call. */
  public int endOfCalls(int method) {
    return method + 1 < firstCalls.size ? firstCalls.get(method + 1) : callBcis.size;
  }

  public int bci(int call) {
    return callBcis.get(call);
  }

  /** Returns the type that an instruction creates, with slashes; empty for calls. */
  public Optional<String> created(int call) {
    int reference = callReferences.get(call);
    return references.kind(reference) == CallScan.NEW
        ? Optional.of(types.name(references.type(reference)))
        : Optional.empty();
  }

  /** Counts the type that an instruction creates, if it creates one, as instantiated. */
  public void createAt(int call) {
    if (references.kind(callReferences.get(call)) == CallScan.NEW) {
      types.create(references.type(callReferences.get(call)));
    }
  }

  /** Returns whether an instruction creates a lambda, which does not call its body. */
  public boolean makesLambda(int call) {
    return references.kind(callReferences.get(call)) == CallScan.LAMBDA;
  }

  /** Returns how many things the instructions of the methods read so far name. */
  public int references() {
    return references.size();
  }

  /** Returns whether an instruction only creates an object. */
  public boolean isNoCall(int call) {
    return references.kind(callReferences.get(call)) == CallScan.NEW || makesLambda(call);
  }

  /** Makes the next search examine again lambdas that were created earlier. */
  public void settle() {
    dispatches.forEach(dispatch -> dispatch.lambdas = 0);
  }

  /** Returns whether an examined call can lead to more methods with more types. */
  public boolean isOpen(int call) {
    return dispatchOf[callReferences.get(call)] != null;
  }

  /** Returns the number of types that count as instantiated. */
  public int created() {
    return types.live();
  }

  /** Returns the interface of the lambda that an instruction creates, with slashes. */
  public String lambdaType(int call) {
    return types.name(references.face(callReferences.get(call)));
  }

  /** Returns the method that an instruction names, as it names it; for a lambda, its body. */
  public MethodName named(int call) {
    int reference = callReferences.get(call);
    return name(references.type(reference), references.signature(reference));
  }

  /** Returns the method that a call finds on an object of that class; -1 if none. */
  public int find(MethodName name) {
    method(name); // which may read the class, and so number its signatures
    int signature = signatures.find(name.signature());
    return signature < 0 ? -1 : types.resolve(types.number(name.owner()), signature);
  }

  /** The number of what an instruction names: calls with one number have the same targets. */
  public int reference(int call) {
    return callReferences.get(call);
  }

  /** Returns the method that a call names, looked up from there; -1 if it is not found. */
  public int resolved(int call) {
    int reference = callReferences.get(call);
    return references.kind(reference) == CallScan.NEW
        ? -1
        : types.resolve(references.type(reference), references.signature(reference));
  }

  /** Returns the methods that a call can lead to, or the body of a lambda that is created. */
  public int[] targets(int call) {
    return targetsOf(callReferences.get(call));
  }

  /** Returns the methods that a virtual call of a method can lead to. */
  public int[] implementations(int method) {
    return targets(dispatch(methodTypes.get(method), methodSignatures.get(method), method));
  }

  /**
   * Returns the method of an interface that lambdas can implement; -1 if they cannot.
   *
   * @param type its name with slashes
   */
  public int functionalMethod(String type) {
    return types.functionalMethod(
        types.number(type),
        method ->
            Set.of("equals(Ljava/lang/Object;)Z", "hashCode()I", "toString()Ljava/lang/String;")
                .contains(signatures.get(methodSignatures.get(method))));
  }

  /** Returns whether a type, by its name with slashes, is or extends or implements another. */
  public boolean isSubtype(String name, String ancestor) {
    return types.isBelow(types.number(name), types.number(ancestor));
  }

  public boolean isInterface(String name) {
    return (types.look(types.number(name)).access & Opcodes.ACC_INTERFACE) != 0;
  }

  private int[] targetsOf(int reference) {
    if (reference >= fixed.length) {
      fixed = Arrays.copyOf(fixed, references() + references() / 8);
      dispatchOf = Arrays.copyOf(dispatchOf, fixed.length);
    }
    if (fixed[reference] != null) {
      return fixed[reference];
    }
    if (dispatchOf[reference] != null) {
      return targets(dispatchOf[reference]);
    }
    int kind = references.kind(reference);
    int[] targets = NONE;
    if (kind != CallScan.NEW) {
      int type = references.type(reference);
      int signature = references.signature(reference);
      int resolved = types.resolve(type, signature);
      if (kind != CallScan.STATIC
          && kind != CallScan.SPECIAL
          && isVirtual(type, signature, resolved)) {
        Dispatch dispatch = dispatch(type, signature, resolved);
        // The examination may have read more.
        if (reference < dispatchOf.length) {
          dispatchOf[reference] = dispatch;
        }
        return targets(dispatch);
      }
      targets = resolved < 0 ? NONE : new int[] {resolved};
    }
    if (reference < fixed.length) {
      fixed[reference] = targets;
    }
    return targets;
  }

  private boolean isVirtual(int type, int signature, int resolved) {
    int alone = Opcodes.ACC_FINAL | Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC;
    return !types.name(type).equals(TypeHierarchy.OBJECT)
        && (resolved < 0 || !has(resolved, alone))
        && !signatures.get(signature).startsWith("<init>");
  }

  private Dispatch dispatch(int type, int signature, int resolved) {
    int number = dispatchNumbers.get(CallTypes.key(type, signature));
    if (number < 0) {
      number = dispatches.size();
      dispatchNumbers.put(CallTypes.key(type, signature), number);
      dispatches.add(new Dispatch(type, signature, resolved));
    }
    return dispatches.get(number);
  }

  private int[] targets(Dispatch dispatch) {
    IntList live = types.get(dispatch.type).liveBelow;
    while (dispatch.live < live.size) {
      int target = types.resolve(live.get(dispatch.live++), dispatch.signature);
      if (target >= 0) {
        dispatch.add(target);
      }
    }
    Set<Integer> bodies = lambdas.get(dispatch.signature);
    if (bodies != null && dispatch.lambdas < bodies.size()) {
      // A reference to a method of an interface can lead back to itself.
      dispatch.lambdas = bodies.size();
      for (int body : List.copyOf(bodies)) {
        int face = references.face(body);
        if (types.isBelow(face, dispatch.type)
            && !(references.type(body) == dispatch.type
                && references.signature(body) == dispatch.signature)) {
          for (int target : targetsOf(body)) {
            dispatch.add(target);
          }
        }
      }
    }
    return dispatch.targets.length == 0 ? dispatch.otherwise : dispatch.targets;
  }
}
