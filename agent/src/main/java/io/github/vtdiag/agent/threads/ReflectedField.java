package io.github.vtdiag.agent.threads;

import java.lang.reflect.Field;
import java.util.Optional;

/**
 * A field that is read by reflection. If the class has no such field, as on another JDK, or its
 * package is not open, no object has a value.
 */
public final class ReflectedField {
  /** A field that no class has. */
  public static final ReflectedField NONE = new ReflectedField(Optional.empty());

  private final Optional<Field> field;

  private ReflectedField(Optional<Field> field) {
    this.field = field;
  }

  public static ReflectedField of(String type, String name) {
    try {
      return of(Class.forName(type), name);
    } catch (ReflectiveOperationException e) {
      return NONE;
    }
  }

  /** Returns the field of that name that the class itself declares. */
  public static ReflectedField of(Class<?> type, String name) {
    try {
      return of(type.getDeclaredField(name));
    } catch (NoSuchFieldException e) {
      return NONE;
    }
  }

  public static ReflectedField of(Field field) {
    return field.trySetAccessible() ? new ReflectedField(Optional.of(field)) : NONE;
  }

  /**
   * Returns the value.
   *
   * @param object may be null, or of a class without the field: then there is no value
   * @return null if there is no value
   */
  public Object value(Object object) {
    return field.filter(each -> each.getDeclaringClass().isInstance(object)).isEmpty()
        ? null
        : read(object);
  }

  /** Returns the value of a static field; null if there is none. */
  public Object ofClass() {
    return field.isEmpty() ? null : read(null);
  }

  private Object read(Object object) {
    try {
      return field.orElseThrow().get(object);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
