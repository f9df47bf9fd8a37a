package io.github.vtdiag.agent.probe;

import io.github.vtdiag.agent.jvm.JdkInternals;
import io.github.vtdiag.agent.options.CountedMethod;
import io.github.vtdiag.boot.CallCounts;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Counts how often methods return: one call before each of their return instructions. Nothing else
 * in them changes, so exceptions leave them as before and are not counted.
 *
 * <p>The JVM calls it after the what-if, with its output, and again whenever a class is
 * retransformed.
 */
public final class CallCounter implements ClassFileTransformer {
  private static final String COUNTS = "io.github.vtdiag.boot.CallCounts";
  private static final String COUNTS_INTERNAL = COUNTS.replace('.', '/');

  /**
   * The methods to count by the class's internal name, with their places in the order of the
   * option.
   */
  private final Map<String, Map<String, Integer>> wanted = new HashMap<>();

  private final Consumer<String> complain;

  /** The complaints made already: a class that is retransformed would repeat them. */
  private final Set<String> complaints = ConcurrentHashMap.newKeySet();

  private CallCounter(List<CountedMethod> methods, Consumer<String> complain) {
    for (int i = 0; i < methods.size(); i++) {
      CountedMethod method = methods.get(i);
      wanted
          .computeIfAbsent(method.className().replace('.', '/'), name -> new HashMap<>())
          .put(method.method(), i);
    }
    this.complain = complain;
  }

  /**
   * Starts counting.
   *
   * @param complain receives a sentence about a method that cannot be counted, on the thread that
   *     loads its class
   * @return a function that returns how often the method at a place of the list has returned so far
   */
  public static IntToLongFunction install(
      Instrumentation instrumentation, List<CountedMethod> methods, Consumer<String> complain)
      throws IOException, ReflectiveOperationException, UnmodifiableClassException {
    BootClasses.define(instrumentation, Map.of(COUNTS, BootClasses.read(COUNTS)));
    CallCounts.begin(methods.size());
    CallCounter counter = new CallCounter(methods, complain);
    instrumentation.addTransformer(counter, true);
    for (Class<?> loaded : JdkInternals.loadedClasses(instrumentation)) {
      if (counter.wanted.containsKey(loaded.getName().replace('.', '/'))
          && instrumentation.isModifiableClass(loaded)) {
        instrumentation.retransformClasses(loaded);
      }
    }
    return CallCounts::count;
  }

  @Override
  public byte[] transform(
      Module module,
      ClassLoader loader,
      String internalName,
      Class<?> redefined,
      ProtectionDomain domain,
      byte[] classFile) {
    Map<String, Integer> methods = internalName == null ? null : wanted.get(internalName);
    if (methods == null) {
      return null;
    }
    String className = internalName.replace('/', '.');
    try {
      if (module == Object.class.getModule()) {
        say(
            className
                + " is in java.base, which counting itself uses; count a method of the"
                + " application");
      } else if (!BootClasses.isSeenBy(loader, COUNTS)) {
        // The method would end with a NoClassDefFoundError after all its work.
        say(
            "cannot count in "
                + className
                + ": its class loader "
                + loader.getClass().getName()
                + " does not delegate "
                + COUNTS
                + " to the bootstrap loader");
      } else {
        return count(className, methods, classFile);
      }
    } catch (Throwable e) {
      say("cannot count in " + className + ": " + e);
    }
    return null;
  }

  private void say(String complaint) {
    if (complaints.add(complaint)) {
      complain.accept(complaint);
    }
  }

  private byte[] count(String className, Map<String, Integer> methods, byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    MethodSearch found = new MethodSearch(writer, methods);
    reader.accept(found, 0);
    for (String method : methods.keySet()) {
      CountedMethod name = new CountedMethod(className, method);
      if (found.natives.contains(method)) {
        say(name + " or one of its overloads is native; count a method that calls it");
      } else if (found.abstracts.contains(method) && !found.counted.contains(method)) {
        say(name + " is abstract; count it in a class that implements it");
      } else if (!found.counted.contains(method)) {
        say("there is no method " + name + "; count it in the class that declares it");
      }
    }
    return found.counted.isEmpty() ? null : writer.toByteArray();
  }

  /** Adds the calls, and records which methods it found. */
  private static final class MethodSearch extends ClassVisitor {
    private final Map<String, Integer> methods;
    private final Set<String> counted = new HashSet<>();
    private final Set<String> abstracts = new HashSet<>();
    private final Set<String> natives = new HashSet<>();

    MethodSearch(ClassVisitor next, Map<String, Integer> methods) {
      super(Opcodes.ASM9, next);
      this.methods = methods;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] thrown) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, thrown);
      Integer place = methods.get(name);
      // A bridge only calls the method that counts.
      if (place == null || (access & Opcodes.ACC_BRIDGE) != 0) {
        return next;
      }
      if ((access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0) {
        ((access & Opcodes.ACC_NATIVE) != 0 ? natives : abstracts).add(name);
        return next;
      }
      counted.add(name);
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitInsn(int opcode) {
          if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
            push(place);
            visitMethodInsn(Opcodes.INVOKESTATIC, COUNTS_INTERNAL, "returned", "(I)V", false);
          }
          super.visitInsn(opcode);
        }

        private void push(int number) {
          if (number <= 5) {
            super.visitInsn(Opcodes.ICONST_0 + number);
          } else {
            super.visitIntInsn(Opcodes.SIPUSH, number);
          }
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
          super.visitMaxs(maxStack + 1, maxLocals);
        }
      };
    }
  }
}
