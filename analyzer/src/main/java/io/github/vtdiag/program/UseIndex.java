package io.github.vtdiag.program;

import io.github.vtdiag.program.ClassFile.Field;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The methods of a program that call a method of a name, or use a field of a name, and the classes
 * that declare a field of a name. They are kept as numbers, and become names again when they are
 * asked for.
 */
public final class UseIndex {
  /** The number of bits of a bucket; in a program of 60 MB some thirty entries share one. */
  private static final int BUCKET_BITS = 16;

  private final List<ClassFile> classes;

  /** The number of the first method of each class. */
  private final int[] firstMethods;

  private final TypeHierarchy hierarchy;
  private final Set<String> dynamicTypes;
  private final long[] keys;
  private final int[] methods;
  private final int[] buckets = new int[(1 << BUCKET_BITS) + 1];

  /**
   * @param classes all scanned classes; null for those that do not count
   * @param firstMethods the number of the first method of each
   */
  UseIndex(
      List<ClassFile> classes, int[] firstMethods, List<Scanned> scans, TypeHierarchy hierarchy) {
    this.classes = classes;
    this.firstMethods = firstMethods;
    this.hierarchy = hierarchy;
    this.dynamicTypes = new LinkedHashSet<>();
    int size = 0;
    for (Scanned scan : scans) {
      dynamicTypes.addAll(scan.dynamicTypes());
      size += scan.keys().length;
      for (long key : scan.keys()) {
        buckets[bucket(key) + 1]++;
      }
    }
    for (int i = 1; i < buckets.length; i++) {
      buckets[i] += buckets[i - 1];
    }
    keys = new long[size];
    methods = new int[size];
    int[] next = Arrays.copyOf(buckets, buckets.length);
    for (Scanned scan : scans) {
      for (int i = 0; i < scan.keys().length; i++) {
        int at = next[bucket(scan.keys()[i])]++;
        keys[at] = scan.keys()[i];
        methods[at] = scan.methods()[i] + scan.firstMethod();
      }
    }
  }

  /**
   * The names that the methods of some classes use.
   *
   * @param methods the number of the method that names each key, counted within these classes
   * @param firstMethod the number of their first method in the program
   */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Scanned(long[] keys, int[] methods, Set<String> dynamicTypes, int firstMethod) {}

  private static int bucket(long key) {
    return (int) ((key * 0x9E3779B97F4A7C15L) >>> (64 - BUCKET_BITS));
  }

  /**
   * Returns the methods with an instruction that calls or refers to one of that name and
   * descriptor.
   */
  public Set<MethodName> callers(String signature) {
    return names(find(UseKey.method(signature)));
  }

  /**
   * Returns the methods with an instruction that reads or writes the field, or one that hides it.
   */
  public Set<MethodName> fieldUsers(FieldName field) {
    return names(
        hierarchy.subtree(field.owner()).stream()
            .map(owner -> new FieldName(owner, field.name()))
            .flatMapToInt(each -> find(UseKey.field(each))));
  }

  /** Returns the methods with an instruction that loads a string constant that may be a name. */
  public Set<MethodName> stringLoaders(String name) {
    return names(find(UseKey.string(name)));
  }

  /** Returns the methods with an instruction that loads the {@code Class} of a type. */
  public Set<MethodName> literalLoaders(String type) {
    return names(find(UseKey.literal(type)));
  }

  /** Returns the fields of a name, by the class that declares them. */
  public Map<String, Field> fields(String name) {
    Map<String, Field> found = new LinkedHashMap<>();
    find(UseKey.declared(name)).distinct().sorted().forEach(first -> addFields(first, name, found));
    return found;
  }

  /** Classes without methods share the number of the next: all that have it are asked. */
  private void addFields(int firstMethod, String name, Map<String, Field> found) {
    int at = lastClass(firstMethod);
    while (at >= 0 && firstMethods[at] == firstMethod) {
      ClassFile type = classes.get(at);
      if (type != null && type.fields().containsKey(name)) {
        found.put(type.name(), type.fields().get(name));
      }
      at--;
    }
  }

  /** Returns whether a lambda may be an instance of the type. */
  public boolean mayBeLambda(String type) {
    return hierarchy.subtree(type).stream().anyMatch(dynamicTypes::contains);
  }

  private IntStream find(long key) {
    return IntStream.range(buckets[bucket(key)], buckets[bucket(key) + 1])
        .filter(i -> keys[i] == key)
        .map(i -> methods[i]);
  }

  /** Returns the names in the order of the class path and of the class files. */
  private Set<MethodName> names(IntStream numbers) {
    Set<MethodName> found = new LinkedHashSet<>();
    numbers.distinct().sorted().forEach(method -> addMethod(method, found));
    return found;
  }

  private void addMethod(int number, Set<MethodName> found) {
    int index = lastClass(number);
    ClassFile type = classes.get(index);
    if (type != null) {
      found.add(type.methodName(number - firstMethods[index]));
    }
  }

  /** Returns the last class whose first method has this number, or the class of the method. */
  private int lastClass(int method) {
    int at = Arrays.binarySearch(firstMethods, method);
    int index = at < 0 ? -at - 2 : at;
    while (index + 1 < firstMethods.length && firstMethods[index + 1] == method) {
      index++;
    }
    return index;
  }
}
