package io.github.vtdiag.program;

import static org.objectweb.asm.Opcodes.ACC_INTERFACE;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ASM9;

import io.github.vtdiag.locksite.LockMaps;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.owner.Owner;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;

/** A class of a program. Its members and its monitors are decoded when they are asked for. */
public final class ClassFile {

  /**
   * A field as its class declares it.
   *
   * @param annotated whether an annotation that is there at run time may make others set it
   */
  public record Field(
      FieldName name, String descriptor, int access, Object constant, boolean annotated) {
    /** Returns whether one field serves all instances. */
    public boolean isStatic() {
      return has(ACC_STATIC);
    }

    public boolean has(int flag) {
      return (access & flag) != 0;
    }
  }

  /**
   * A method as its class declares it.
   *
   * @param annotated whether an annotation that is there at run time may make others call it
   */
  public record Method(MethodName name, int access, boolean annotated) {
    public boolean has(int flag) {
      return (access & flag) != 0;
    }
  }

  /** The members that a class declares, and its source file. */
  private record Members(
      int access,
      boolean annotated,
      String source,
      Map<String, Field> fields,
      Map<String, Method> methods,
      List<MethodName> names) {}

  private final ClassScan.Head head;
  private final ClassSource from;
  private final RecentBytes recent;
  private volatile Members members;
  private volatile ClassMonitors monitors;

  ClassFile(ClassScan.Head head, ClassSource from, RecentBytes recent) {
    this.head = head;
    this.from = from;
    this.recent = recent;
  }

  /** Returns the name with slashes. */
  public String name() {
    return head.name();
  }

  public String dotted() {
    return name().replace('/', '.');
  }

  /** Returns the name with slashes; null for Object. */
  public String superName() {
    return head.superName();
  }

  public List<String> interfaces() {
    return head.interfaces();
  }

  public boolean isInterface() {
    return (head.access() & ACC_INTERFACE) != 0;
  }

  public boolean isRecord() {
    return "java/lang/Record".equals(head.superName());
  }

  /** Returns whether it has a method with {@code monitorenter}, or one that is synchronized. */
  public boolean locks() {
    return !head.locking().isEmpty();
  }

  public Owner owner() {
    return from.owner();
  }

  /** Returns the jar or directory it is in. */
  public String location() {
    return from.location();
  }

  /**
   * Returns whether it replaces a class of the same jar on newer JDKs, and so has a source of its
   * own.
   */
  public boolean isVersioned() {
    return from instanceof ClassSource.InRoot(var root, var name, var entry, var owners)
        && entry.startsWith("META-INF/versions/");
  }

  /** Returns the Java version that it is compiled for. */
  int javaVersion() {
    // Class files count from 45, which was Java 1.1.
    return head.majorVersion() - 44;
  }

  public boolean has(int flag) {
    return (members().access() & flag) != 0;
  }

  /** Returns whether an annotation that is there at run time may make others use it. */
  public boolean isAnnotated() {
    return members().annotated();
  }

  /** Returns the file it was compiled from; null if it does not say. */
  public String source() {
    return members().source();
  }

  /** Returns the fields by name. */
  public Map<String, Field> fields() {
    return members().fields();
  }

  /** Returns the methods by name and descriptor, in the order of the class file. */
  public Map<String, Method> methods() {
    return members().methods();
  }

  /** Returns the name of a method, by its place in the class file. */
  MethodName methodName(int place) {
    return members().names().get(place);
  }

  /** Returns the bytes, which are read again if they are not kept any more. */
  public byte[] bytes() {
    try {
      return recent.of(from);
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Returns the monitors of its methods; methods that hold none are left out. */
  public ClassMonitors monitors() {
    if (monitors == null) {
      try {
        monitors =
            LockMaps.read(
                bytes(),
                new ClassRef(dotted(), ""),
                location(),
                ClassMonitors.Evidence.CLASS_PATH,
                head.locking()::get);
      } catch (IllegalArgumentException e) {
        throw unreadable(e);
      }
    }
    return monitors;
  }

  private Members members() {
    if (members == null) {
      MemberReader reader = new MemberReader();
      try {
        new ClassReader(bytes()).accept(reader, ClassReader.SKIP_CODE | ClassReader.SKIP_FRAMES);
      } catch (UnreadableClassException e) {
        throw e;
      } catch (RuntimeException | StackOverflowError e) {
        // ASM fails on damaged classes with any kind of exception.
        throw unreadable(e);
      }
      if (reader.methods.size() != head.methods()) {
        throw unreadable(new IllegalArgumentException("two methods of one name"));
      }
      members =
          new Members(
              reader.access,
              reader.annotated,
              reader.source,
              reader.fields,
              reader.methods,
              reader.methods.values().stream().map(Method::name).toList());
    }
    return members;
  }

  /** Returns the exception to throw when its code turns out to be damaged. */
  public UnreadableClassException unreadable(Throwable cause) {
    UnreadClass unread =
        new UnreadClass(dotted(), location(), "it is damaged, or was changed meanwhile");
    recent.unreadable.add(unread);
    return new UnreadableClassException(unread, cause);
  }

  private static final class MemberReader extends ClassVisitor {
    private final Map<String, Field> fields = new LinkedHashMap<>();
    private final Map<String, Method> methods = new LinkedHashMap<>();
    private String name;
    private int access;
    private boolean annotated;
    private String source;

    MemberReader() {
      super(ASM9);
    }

    /** The annotations of the language, which a compiler writes for another one. */
    private static final List<String> WITHOUT_MEANING =
        List.of("Ljava/lang/", "Lkotlin/", "Lgroovy/", "Lscala/");

    /** Returns whether an annotation may make others call or set a member; some never do. */
    private static boolean mayMatter(String annotation, boolean visible) {
      String name = annotation.substring(annotation.lastIndexOf('/') + 1);
      return visible
          && WITHOUT_MEANING.stream().noneMatch(annotation::startsWith)
          && !name.contains("Null")
          && !name.contains("null")
          && !Set.of("API;", "GuardedBy;", "Incubating;", "Internal;").contains(name);
    }

    @Override
    public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
      annotated |= mayMatter(descriptor, visible);
      return null;
    }

    @Override
    public void visit(
        int version, int access, String name, String signature, String superName, String[] faces) {
      this.access = access;
      this.name = name;
    }

    @Override
    public void visitSource(String source, String debug) {
      this.source = source;
    }

    @Override
    public FieldVisitor visitField(
        int access, String field, String descriptor, String signature, Object constant) {
      FieldName declared = new FieldName(name, field);
      fields.put(field, new Field(declared, descriptor, access, constant, false));
      return new FieldVisitor(ASM9) {
        @Override
        public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
          if (mayMatter(annotation, visible)) {
            fields.put(field, new Field(declared, descriptor, access, constant, true));
          }
          return null;
        }
      };
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String method, String descriptor, String signature, String[] thrown) {
      MethodName declared = new MethodName(name, method, descriptor);
      methods.put(declared.signature(), new Method(declared, access, false));
      return new MethodVisitor(ASM9) {
        @Override
        public AnnotationVisitor visitAnnotation(String annotation, boolean visible) {
          if (mayMatter(annotation, visible)) {
            methods.put(declared.signature(), new Method(declared, access, true));
          }
          return null;
        }

        @Override
        public AnnotationVisitor visitParameterAnnotation(
            int parameter, String annotation, boolean visible) {
          return visitAnnotation(annotation, visible);
        }
      };
    }
  }
}
