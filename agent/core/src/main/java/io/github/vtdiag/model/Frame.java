package io.github.vtdiag.model;

import java.lang.reflect.Modifier;

/**
 * One frame of a recorded stack.
 *
 * @param type the class that declares the method
 * @param method the method's name, {@code <clinit>} and {@code <init>} included
 * @param descriptor the method's descriptor (JVMS 4.3.3)
 * @param modifiers the method's access flags as {@link Modifier} reads them
 * @param bci the bytecode index, or -1 where there is none (native methods)
 * @param line the source line, or -1
 * @param kind how the frame was running
 */
public record Frame(
    ClassRef type, String method, String descriptor, int modifiers, int bci, int line, Kind kind) {

  /** The ways a frame runs, as in JFR's {@code jdk.types.FrameType}. */
  public enum Kind {
    INTERPRETED,
    COMPILED,
    INLINED,
    NATIVE,
    UNKNOWN
  }

  /** Returns the same frame, of a class whose source file is known. */
  public Frame withSource(String file) {
    ClassRef known = type.withSource(file);
    return known.source().equals(type.source())
        ? this
        : new Frame(known, method, descriptor, modifiers, bci, line, kind);
  }

  /** Returns whether its class is known: recordings can lack names. */
  public boolean isNamed() {
    return !type.name().isEmpty();
  }

  public boolean isNative() {
    return kind == Kind.NATIVE || Modifier.isNative(modifiers);
  }

  public boolean isSynchronized() {
    return Modifier.isSynchronized(modifiers);
  }

  /**
   * Returns the bci of the {@code monitorenter} at which the frame waits, or -1 if it waits for the
   * method's own monitor. HotSpot's interpreter has moved on to the next instruction by then,
   * compiled code has not.
   */
  public int monitorEnterBci() {
    if (bci <= 0) {
      return -1; // the object must be pushed first, so bci 0 is no monitorenter
    }
    return kind == Kind.INTERPRETED ? bci - 1 : bci;
  }

  public boolean isClassInitializer() {
    return method.equals("<clinit>");
  }

  /** Returns whether this is {@code className.method}, any overload. */
  public boolean is(String className, String methodName) {
    return method.equals(methodName) && type.name().equals(className);
  }

  /** Returns {@code com.example.Foo.bar}. */
  public String qualifiedMethod() {
    return type.name() + "." + method;
  }

  /** Returns {@code Foo.bar(Foo.java:12)} without the file: {@code com.example.Foo.bar:12}. */
  @Override
  public String toString() {
    return line < 0 ? qualifiedMethod() : qualifiedMethod() + ":" + line;
  }
}
