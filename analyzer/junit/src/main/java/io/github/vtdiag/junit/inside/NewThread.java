package io.github.vtdiag.junit.inside;

import java.lang.StackWalker.StackFrame;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Finds the thread that this one is creating, while that inherits from it. Java gives the new
 * thread to nobody, but its constructor is on the stack, and {@code java.lang.LiveStackFrame}, the
 * JDK's own, knows each frame's {@code this}. It is package-private. A lookup in its package, made
 * as frameworks for serialization make objects, reaches it. It finds nothing on a Java that gives
 * no answer or a wrong one, nor with {@code -Dvtdiag.junit.constructors=false}.
 */
final class NewThread {
  /** The most frames that are searched: three times as many as there are up to the constructor. */
  private static final int MOST_FRAMES = 24;

  private static final String SWITCH = "vtdiag.junit.constructors";
  private static final long NONE = 0;
  private static final Optional<NewThread> HERE = prepare();

  private final StackWalker walker;
  private final MethodHandle locals;

  private NewThread(StackWalker walker, MethodHandle locals) {
    this.walker = walker;
    this.locals = locals;
  }

  /** Checks whether this Java tells, while no test runs. */
  static void load() {
    // The class does it when it is initialized.
  }

  /**
   * Returns the number of the thread whose constructor is on this thread's stack, if it can be
   * found.
   */
  static OptionalLong number() {
    return HERE.map(NewThread::find).orElseGet(OptionalLong::empty);
  }

  private OptionalLong find() {
    return walker.walk(
        frames ->
            frames
                .limit(MOST_FRAMES)
                .map(this::created)
                .filter(Objects::nonNull)
                .mapToLong(Thread::threadId)
                .findFirst());
  }

  /** Returns the thread that this frame constructs; null if it does something else. */
  private Thread created(StackFrame frame) {
    if (!frame.getMethodName().equals("<init>")
        || !frame.getClassName().equals("java.lang.Thread")) {
      return null;
    }
    try {
      Object[] all = (Object[]) locals.invokeExact(frame);
      return all.length > 0 && all[0] instanceof Thread thread ? thread : null;
    } catch (Throwable e) {
      // The creator of the thread must not notice.
      return null;
    }
  }

  private static Optional<NewThread> prepare() {
    if (System.getProperty(SWITCH, "true").equals("false")) {
      return Optional.empty();
    }
    try {
      MethodHandles.Lookup javaLang = lookup();
      Class<?> frame = Class.forName("java.lang.LiveStackFrame");
      StackWalker walker =
          (StackWalker)
              javaLang
                  .findStatic(frame, "getStackWalker", MethodType.methodType(StackWalker.class))
                  .invoke();
      MethodHandle locals =
          javaLang
              .findVirtual(frame, "getLocals", MethodType.methodType(Object[].class))
              .asType(MethodType.methodType(Object[].class, StackFrame.class));
      return Optional.of(new NewThread(walker, locals)).filter(NewThread::isRight);
    } catch (Throwable e) {
      return Optional.empty();
    }
  }

  /** Returns a lookup in {@code java.lang} and nowhere else. */
  private static MethodHandles.Lookup lookup() throws ReflectiveOperationException {
    Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
    Constructor<?> constructor =
        MethodHandles.Lookup.class.getDeclaredConstructor(Class.class, Class.class, int.class);
    Constructor<?> open =
        (Constructor<?>)
            factory
                .getMethod("newConstructorForSerialization", Class.class, Constructor.class)
                .invoke(
                    factory.getMethod("getReflectionFactory").invoke(null),
                    MethodHandles.Lookup.class,
                    constructor);
    return (MethodHandles.Lookup)
        open.newInstance(Object.class, null, MethodHandles.lookup().lookupModes());
  }

  /** Returns whether it finds two threads that are created here, one of either kind. */
  @SuppressWarnings("ThreadLocalUsage") // only for the two threads that are created here
  private boolean isRight() {
    AtomicLong told = new AtomicLong();
    InheritableThreadLocal<NewThread> inherited =
        new InheritableThreadLocal<>() {
          @Override
          protected NewThread childValue(NewThread parent) {
            told.set(parent.find().orElse(NONE));
            return null;
          }
        };
    inherited.set(this);
    try {
      return Thread.ofVirtual().unstarted(NewThread::nothing).threadId() == told.get()
          && Thread.ofPlatform().unstarted(NewThread::nothing).threadId() == told.get();
    } finally {
      inherited.remove();
    }
  }

  private static void nothing() {}
}
