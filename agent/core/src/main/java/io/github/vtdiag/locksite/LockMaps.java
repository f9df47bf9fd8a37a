package io.github.vtdiag.locksite;

import static org.objectweb.asm.Opcodes.ASM9;

import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.model.MonitorRegion.Kind;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;

/** Reads lock maps from class bytes, and writes them as the text that recordings carry. */
public final class LockMaps {
  private LockMaps() {}

  /**
   * Finds the regions in which a class holds monitors.
   *
   * @throws IllegalArgumentException if the bytes are not a class file that can be read
   */
  public static ClassMonitors read(
      byte[] classFile, ClassRef type, String location, ClassMonitors.Evidence evidence) {
    return read(classFile, type, location, evidence, method -> true);
  }

  /**
   * Finds the regions in which some methods of a class hold monitors.
   *
   * @param wanted selects methods by their number in the class file, counted from 0
   * @throws IllegalArgumentException if the bytes are not a class file that can be read
   */
  public static ClassMonitors read(
      byte[] classFile,
      ClassRef type,
      String location,
      ClassMonitors.Evidence evidence,
      IntPredicate wanted) {
    List<MethodMonitors> methods = new ArrayList<>();
    ClassRef named;
    try {
      MonitorFlow.Budget budget = new MonitorFlow.Budget();
      Members members = Members.read(classFile, wanted);
      for (MethodCode code : members.methods) {
        if (code.size() > 0) { // abstract and native methods have none
          code.lastOwnLine = members.lastOwnLine;
          methods.add(monitors(type.name(), code, budget));
        }
      }
      named = type.withSource(members.source);
    } catch (RuntimeException | StackOverflowError e) {
      // ASM checks little. On bytes that are not a class it fails in many ways. On deeply nested
      // annotations or constants it fails with a stack overflow.
      throw new IllegalArgumentException("not a class file that can be read: " + e, e);
    }
    return new ClassMonitors(named, location, evidence, methods);
  }

  /**
   * Returns the name of the file that a class was compiled from; null if the class has none.
   *
   * @throws IllegalArgumentException if the bytes are not a class file that can be read
   */
  public static String source(byte[] classFile) {
    try {
      return Members.read(classFile, method -> false).source;
    } catch (RuntimeException | StackOverflowError e) {
      throw new IllegalArgumentException("not a class file that can be read: " + e, e);
    }
  }

  /**
   * Returns all methods of a class; those without code have no instruction.
   *
   * @throws IllegalArgumentException if the bytes are not a class file that can be read
   */
  static List<MethodCode> methodsOf(byte[] classFile) {
    try {
      return Members.read(classFile, method -> true).methods;
    } catch (RuntimeException | StackOverflowError e) {
      throw new IllegalArgumentException("not a class file that can be read: " + e, e);
    }
  }

  /** The methods and the source file that one pass over a class file collects. */
  private static final class Members extends ClassVisitor {
    private final List<MethodCode> methods = new ArrayList<>();
    private final OffsetReader reader;
    private final IntPredicate wanted;
    private int next;

    /** The name of the source file; null if the class has none. */
    private String source;

    private int lastOwnLine = Integer.MAX_VALUE;

    private Members(OffsetReader reader, IntPredicate wanted) {
      super(ASM9);
      this.reader = reader;
      this.wanted = wanted;
    }

    static Members read(byte[] classFile, IntPredicate wanted) {
      OffsetReader reader = new OffsetReader(classFile);
      Members members = new Members(reader, wanted);
      reader.accept(members, ClassReader.SKIP_FRAMES);
      return members;
    }

    @Override
    public void visitSource(String file, String debug) {
      source = file;
      lastOwnLine = OwnLines.last(debug);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      if (!wanted.test(next++)) {
        return null;
      }
      MethodCode code = new MethodCode(access, name, descriptor, () -> reader.bci);
      methods.add(code);
      return code;
    }
  }

  private static MethodMonitors monitors(
      String className, MethodCode code, MonitorFlow.Budget budget) {
    MonitorFlow.Blocks blocks = MonitorFlow.blocks(code, budget);
    List<MonitorRegion> regions = new ArrayList<>();
    if (code.isSynchronized()) {
      IntSummaryStatistics lines =
          IntStream.range(0, code.size())
              .map(code::line)
              .filter(line -> line >= 0 && line <= code.lastOwnLine)
              .summaryStatistics();
      boolean known = lines.getCount() > 0;
      regions.add(
          new MonitorRegion(
              Kind.METHOD,
              LockExpressions.ofMethod(className, code),
              -1,
              known ? lines.getMin() : -1,
              known ? lines.getMax() : -1,
              List.of()));
    }
    regions.addAll(blocks.regions());
    return new MethodMonitors(code.name, code.desc, regions, blocks.exact(), code.callSites());
  }

  /** Chooses call sites. */
  @FunctionalInterface
  public interface Wanted {
    boolean at(MethodMonitors method, int bci);
  }

  /**
   * Returns the methods that hold monitors, as text for a JFR event. Methods that certainly hold
   * none are left out, unless a call site in them is wanted.
   *
   * @param classes the call sites whose initialized class is to be included
   */
  public static String write(List<MethodMonitors> methods, Wanted classes) {
    return LockMapText.write(
        methods.stream()
            .filter(
                method ->
                    !method.regions().isEmpty()
                        || !method.exact()
                        || method.callSites().stream()
                            .anyMatch(site -> classes.at(method, site.bci())))
            .toList(),
        classes);
  }

  /** Returns the same without the classes that call sites initialize. */
  public static String write(List<MethodMonitors> methods) {
    return write(methods, (method, bci) -> false);
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException if the text is anything else
   */
  public static List<MethodMonitors> parse(String text) {
    return LockMapText.parse(text);
  }

  /** Exposes the bci of the instruction being visited, which ASM otherwise keeps to itself. */
  private static final class OffsetReader extends ClassReader {
    private int bci;

    OffsetReader(byte[] classFile) {
      super(classFile);
    }

    @Override
    protected void readBytecodeInstructionOffset(int offset) {
      bci = offset;
    }
  }
}
