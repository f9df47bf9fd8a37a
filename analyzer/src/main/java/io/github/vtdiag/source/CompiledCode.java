package io.github.vtdiag.source;

import static org.objectweb.asm.Opcodes.ACC_SYNTHETIC;
import static org.objectweb.asm.Opcodes.ASM9;
import static org.objectweb.asm.Opcodes.NEW;

import io.github.vtdiag.program.MethodName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/** The calls, creations and field accesses in the classes of one source file, by name and line. */
final class CompiledCode extends ClassVisitor {
  /** The line number where the class file has none. */
  private static final int NO_LINE = 0;

  /**
   * The prefix of the accessors that compilers before Java 11 put between nested classes. The rest
   * of the name carries no information.
   */
  private static final String ACCESSOR = "access$";

  /** The digits that a compiler puts before the name of a local class. */
  private static final Pattern DIGITS = Pattern.compile("^\\d+");

  private final Map<String, NavigableMap<Integer, Integer>> called = new HashMap<>();
  private final Map<String, NavigableMap<Integer, Integer>> created = new HashMap<>();
  private final Map<String, NavigableMap<Integer, Integer>> accessed = new HashMap<>();
  private final NavigableMap<Integer, Integer> throughAccessors = new TreeMap<>();

  /** The methods with code that has no line numbers, as owner, name and descriptor. */
  private final Set<MethodName> unnumbered = new HashSet<>();

  /** Tells whether there are any line numbers; without them, only names can be compared. */
  private boolean hasLines;

  private String owner;

  CompiledCode() {
    super(ASM9);
  }

  void add(byte[] classFile) {
    new ClassReader(classFile).accept(this, ClassReader.SKIP_FRAMES);
  }

  /**
   * Returns whether an enhancer added the method after compilation. A compiler numbers the lines of
   * all methods or of none.
   */
  boolean isAdded(MethodName method) {
    return hasLines && unnumbered.contains(method);
  }

  /** Returns the minimum number of calls of a method of that name on lines of a range. */
  int calls(String name, int first, int last) {
    return count(called, name, first, last);
  }

  /** Returns how often an object of a class of that simple name is created on lines of a range. */
  int creations(String simpleName, int first, int last) {
    return count(created, simpleName, first, last);
  }

  /** Returns how often a field of that name is read or written on lines of a range. */
  int accesses(String name, int first, int last) {
    return count(accessed, name, first, last);
  }

  private int count(
      Map<String, NavigableMap<Integer, Integer>> all, String name, int first, int last) {
    NavigableMap<Integer, Integer> lines = all.get(name);
    if (lines == null) {
      return 0;
    }
    return hasLines
        ? sum(lines, first, last) + sum(throughAccessors, first, last)
        : Integer.MAX_VALUE;
  }

  private static int sum(NavigableMap<Integer, Integer> lines, int first, int last) {
    return lines.subMap(first, true, last, true).values().stream().mapToInt(n -> n).sum();
  }

  @Override
  public void visit(
      int version, int access, String name, String signature, String above, String[] interfaces) {
    owner = name;
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String method, String descriptor, String signature, String[] thrown) {
    boolean accessor = (access & ACC_SYNTHETIC) != 0 && method.startsWith(ACCESSOR);
    MethodName key = new MethodName(owner, method, descriptor);
    return new MethodVisitor(ASM9) {
      private int line = NO_LINE;

      @Override
      public void visitCode() {
        unnumbered.add(key);
      }

      @Override
      public void visitLineNumber(int number, Label start) {
        line = number;
        hasLines = true;
        unnumbered.remove(key);
      }

      @Override
      public void visitMethodInsn(
          int opcode, String owner, String name, String of, boolean isInterface) {
        if (name.startsWith(ACCESSOR)) {
          throughAccessors.merge(line, 1, Integer::sum);
        } else {
          put(called, name);
        }
      }

      @Override
      public void visitFieldInsn(int opcode, String owner, String name, String of) {
        put(accessed, name);
      }

      @Override
      public void visitTypeInsn(int opcode, String type) {
        if (opcode == NEW) {
          put(created, type.substring(type.lastIndexOf('/') + 1));
          // A simple name may have a dollar itself, as in code that was generated.
          for (int at = type.indexOf('$'); at >= 0; at = type.indexOf('$', at + 1)) {
            put(created, DIGITS.matcher(type.substring(at + 1)).replaceFirst(""));
          }
        }
      }

      @Override
      public void visitInvokeDynamicInsn(
          String name, String of, Handle bootstrap, Object... arguments) {
        for (Object argument : arguments) {
          if (argument instanceof Handle handle) {
            put(called, handle.getName());
          }
        }
      }

      private void put(Map<String, NavigableMap<Integer, Integer>> all, String name) {
        all.computeIfAbsent(name, key -> new TreeMap<>())
            .merge(accessor ? NO_LINE : line, 1, Integer::sum);
      }
    };
  }
}
