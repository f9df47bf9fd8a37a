package io.github.vtdiag.locksite.oracle;

import static io.github.vtdiag.locksite.oracle.Probe.hit;

import io.github.vtdiag.locksite.oracle.Probe.Lock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Every public method is one way to hold monitors. It calls {@link Probe#hit} where it holds some,
 * and where it has just given some back. Each lock is named by the expression that locks it.
 */
@SuppressWarnings({"UnnecessaryAsync", "JdkObsolete"}) // JDK classes are here for their monitors
public class Constructs {
  private static final Lock SHARED = new Lock("Constructs.SHARED");
  private final Lock outer = new Lock("this.outer");
  private final Lock inner = new Lock("this.inner");
  private final Lock returned = new Lock("result of Constructs.returned()");
  private final Lock left = new Lock("local variable chosen");
  private final Lock right = new Lock("local variable chosen");
  private final Lock[] locks = {new Lock("an array element"), new Lock("an array element")};
  private final Lock parameter = new Lock("parameter lock");
  private final Box box = new Box();
  private final Lock outerOfOther = new Lock("a Constructs's field outerOfOther");

  /** What is stored here escapes: the JIT cannot remove its monitor. A removed one pins nothing. */
  Object escaped;

  private int counter;

  // ---- synchronized methods

  public synchronized void synchronizedMethod() {
    hit();
  }

  public void staticSynchronizedMethod() {
    lockedStatically();
  }

  private static synchronized void lockedStatically() {
    hit();
  }

  public synchronized void synchronizedMethodWithBlock() {
    hit();
    synchronized (inner) {
      hit();
    }
    hit();
  }

  public synchronized int synchronizedMethodThatCallsAnother() {
    hit();
    synchronizedMethod();
    return counter;
  }

  public void synchronizedRecursion() {
    recurse(3);
  }

  private synchronized void recurse(int depth) {
    if (depth > 0) {
      recurse(depth - 1);
    }
    hit();
  }

  // ---- what is locked

  public void blockOnThis() {
    hit();
    synchronized (this) {
      hit();
    }
    hit();
  }

  public void blockOnField() {
    synchronized (outer) {
      hit();
    }
  }

  public void blockOnStaticField() {
    synchronized (SHARED) {
      hit();
    }
  }

  public void blockOnClassLiteral() {
    synchronized (Constructs.class) {
      hit();
    }
  }

  public void blockOnParameter() {
    lockParameter(1L, parameter);
  }

  private static void lockParameter(long wide, Lock lock) {
    synchronized (lock) {
      if (wide > 0) {
        hit();
      }
    }
  }

  public void blockOnCallResult() {
    synchronized (returned()) {
      hit();
    }
  }

  private Lock returned() {
    return returned;
  }

  public void blockOnFieldOfAnotherObject() {
    synchronized (box.content) {
      hit();
    }
  }

  private static final class Box {
    private final Lock content = new Lock("a Constructs$Box's field content");
  }

  public void blockOnArrayElement() {
    for (int i = 0; i < locks.length; i++) {
      synchronized (locks[i]) {
        hit();
      }
    }
  }

  public void blockOnNewObject() {
    Lock fresh = new Lock("new Probe$Lock");
    escaped = fresh;
    synchronized (fresh) {
      hit();
    }
  }

  public void blockOnLocalCopyOfField() {
    Lock copy = outer;
    Lock copyOfCopy = copy;
    synchronized (copyOfCopy) {
      hit();
    }
  }

  public void blockOnTernary() {
    Lock chosen = counter % 2 == 0 ? left : right;
    synchronized (chosen) {
      hit();
    }
    counter++;
  }

  public void blockOnCastField() {
    Object plain = box;
    synchronized (((Box) plain).content) {
      hit();
    }
  }

  public void blockOnReassignedVariable() {
    Lock chosen = left;
    for (int i = 0; i < 2; i++) {
      synchronized (chosen) {
        hit();
      }
      chosen = right;
    }
  }

  // ---- nesting

  public void nestedBlocks() {
    synchronized (outer) {
      hit();
      synchronized (inner) {
        hit();
        synchronized (SHARED) {
          hit();
        }
        hit();
      }
      hit();
    }
    hit();
  }

  public void reentrantBlocks() {
    synchronized (outer) {
      synchronized (outer) {
        hit();
      }
      hit();
    }
  }

  public void reentrantOnOneVariable() {
    Lock copy = outer;
    synchronized (copy) {
      synchronized (copy) {
        hit();
      }
      hit();
    }
  }

  public void consecutiveBlocks() {
    synchronized (outer) {
      hit();
    }
    hit();
    synchronized (inner) {
      hit();
    }
  }

  public void twoLocksInOneExpression() {
    counter += lockAndGet(parameter, 1) + lockAndGet(parameter, lockAndGet(parameter, 2));
  }

  private static int lockAndGet(Lock lock, int value) {
    synchronized (lock) {
      hit();
      return value;
    }
  }

  public void regionsInSeveralFrames() {
    synchronized (outer) {
      middleFrame();
    }
  }

  private void middleFrame() {
    hit();
    synchronized (inner) {
      synchronizedMethodWithBlock();
    }
  }

  // ---- control flow

  public void blockInLoop() {
    for (int i = 0; i < 3; i++) {
      hit();
      synchronized (outer) {
        hit();
      }
    }
  }

  public void loopInBlock() {
    synchronized (outer) {
      for (int i = 0; i < 3; i++) {
        hit();
      }
    }
    hit();
  }

  public int returnFromBlock() {
    for (int i = 0; ; i++) {
      synchronized (outer) {
        if (i == 1) {
          hit();
          return counter;
        }
        hit();
      }
    }
  }

  public void breakAndContinueInBlock() {
    all:
    for (int i = 0; i < 3; i++) {
      synchronized (outer) {
        for (int j = 0; ; j++) {
          synchronized (inner) {
            if (j == 1) {
              continue all;
            }
            if (i == 1) {
              break all;
            }
            hit();
          }
          hit();
        }
      }
    }
    hit();
  }

  public void throwFromBlock() {
    try {
      synchronized (outer) {
        hit();
        fail();
      }
    } catch (IllegalStateException e) {
      hit();
    }
    hit();
  }

  private static void fail() {
    throw new IllegalStateException("expected");
  }

  public void tryFinallyInBlock() {
    synchronized (outer) {
      try {
        hit();
        fail();
      } catch (IllegalStateException e) {
        hit();
      } finally {
        hit();
      }
    }
    hit();
  }

  public void tryFinallyAroundBlock() {
    try {
      synchronized (outer) {
        hit();
      }
    } finally {
      hit();
    }
  }

  public void blockInCatch() {
    try {
      fail();
    } catch (IllegalStateException e) {
      synchronized (outer) {
        hit();
      }
      hit();
    }
  }

  public void blockInFinally() {
    try {
      hit();
      fail();
    } catch (IllegalStateException e) {
      hit();
    } finally {
      synchronized (outer) {
        hit();
      }
    }
  }

  public int returnThroughFinallyWithBlock() {
    try {
      synchronized (outer) {
        hit();
        return counter;
      }
    } finally {
      synchronized (inner) {
        hit();
      }
    }
  }

  public void tryWithResourcesInBlock() {
    synchronized (outer) {
      try (Resource resource = new Resource()) {
        escaped = resource;
        hit();
        resource.use();
      }
      hit();
    }
  }

  public void blockInTryWithResources() {
    try (Resource resource = new Resource()) {
      escaped = resource;
      synchronized (outer) {
        resource.use();
        fail();
      }
    } catch (IllegalStateException e) {
      hit();
    }
  }

  private static final class Resource implements AutoCloseable {
    synchronized void use() {
      hit();
    }

    @Override
    public synchronized void close() {
      hit();
    }
  }

  public void switchInBlock() {
    synchronized (outer) {
      switch (counter++ % 3) {
        case 0 -> hit();
        case 1 -> {
          synchronized (inner) {
            hit();
          }
        }
        default -> hit();
      }
    }
  }

  public void blockInStringSwitch() {
    switch (counter++ % 2 == 0 ? "Aa" : "BB") { // two strings of one hash code
      case "Aa" -> {
        synchronized (outer) {
          hit();
        }
      }
      case "BB" -> {
        synchronized (inner) {
          hit();
        }
      }
      default -> throw new AssertionError();
    }
  }

  public void patternSwitchInBlock() {
    Object value = counter++ % 2 == 0 ? "text" : new Point(1, 2, outer);
    synchronized (inner) {
      switch (value) {
        case String text when text.isEmpty() -> throw new AssertionError();
        case String text -> hit();
        case Point(int x, int y, Lock lock) when x < y -> {
          synchronized (outer) {
            hit();
          }
        }
        default -> throw new AssertionError();
      }
    }
  }

  public void labeledWhileWithCondition() {
    int i = 0;
    synchronized (outer) {
      do {
        if ((i % 2 == 0 && counter >= 0) || i > 5) {
          hit();
        }
        i++;
      } while (i < 4);
    }
  }

  public void manyWideLocals() {
    long a = counter;
    double b = a;
    long c = a + 1;
    double d = b * 2;
    long e = c + a;
    double f = d - b;
    synchronized (outer) {
      long g = a + e;
      double h = b + f;
      synchronized (inner) {
        long i = g * 2;
        hit();
        counter += (int) (i + h);
      }
      hit();
      counter += (int) (g + h + c + d);
    }
  }

  // ---- other shapes of code

  public void lambdaInBlock() {
    synchronized (outer) {
      Runnable task =
          () -> {
            hit();
            synchronized (inner) {
              hit();
            }
          };
      task.run();
    }
  }

  public void capturedLock() {
    Lock lock = parameter;
    Supplier<Integer> task =
        () -> {
          synchronized (lock) {
            hit();
            return 1;
          }
        };
    counter += task.get();
  }

  public void methodReferenceInBlock() {
    synchronized (outer) {
      Runnable task = this::synchronizedMethod;
      task.run();
    }
  }

  public void anonymousClass() {
    Runnable task =
        new Runnable() {
          @Override
          public synchronized void run() {
            synchronized (outerOfOther) {
              hit();
            }
          }
        };
    escaped = task;
    task.run();
  }

  public void innerClass() {
    Enclosing enclosing = new Enclosing();
    escaped = enclosing;
    enclosing.new Nested().run();
  }

  /** Locks its outer object, whose name from here is {@code this$0}. */
  private static class Enclosing extends Lock {
    Enclosing() {
      super("this.this$0");
    }

    private final class Nested {
      void run() {
        synchronized (Enclosing.this) {
          hit();
        }
      }
    }
  }

  public void enumConstantBody() {
    Operation.FIRST.run();
  }

  private enum Operation {
    FIRST {
      @Override
      void run() {
        synchronized (this) {
          hit();
        }
      }
    };

    abstract void run();
  }

  public void interfaceDefaultMethod() {
    Defaults defaults = new Defaults() {};
    escaped = defaults;
    defaults.run();
  }

  private interface Defaults {
    default void run() {
      synchronized (this) {
        hit();
        lockClass();
      }
    }

    private void lockClass() {
      synchronized (Defaults.class) {
        hit();
      }
    }
  }

  public void recordMethod() {
    Point point = new Point(1, 2, new Lock("this.lock"));
    escaped = point;
    point.run();
  }

  private record Point(int x, int y, Lock lock) {
    void run() {
      synchronized (lock) {
        hit();
      }
    }
  }

  public void bridgeMethod() {
    Comparator<String> comparator = new SynchronizedComparator();
    escaped = comparator;
    counter += compare(comparator, "a", "b");
  }

  private static <T> int compare(Comparator<T> comparator, T a, T b) {
    return comparator.compare(a, b);
  }

  private static final class SynchronizedComparator implements Comparator<String> {
    @Override
    public synchronized int compare(String a, String b) {
      hit();
      return a.compareTo(b);
    }
  }

  public void constructor() {
    new Constructed(this);
  }

  private static final class Constructed {
    private final Lock lock = new Lock("this.lock");

    Constructed(Constructs constructs) {
      constructs.escaped = this;
      synchronized (this) {
        synchronized (lock) {
          hit();
        }
      }
    }
  }

  /** A class is initialized once: in the run that is recorded, not before. */
  public void staticInitializer() {
    synchronized (outer) {
      if (Probe.armed) {
        counter += Initialized.VALUE.length();
      }
    }
  }

  private static final class Initialized {
    static final String VALUE;

    static {
      synchronized (SHARED) {
        hit();
      }
      VALUE = String.valueOf(System.nanoTime());
    }
  }

  public void genericVarargs() {
    synchronized (outer) {
      counter += sum(1, 2, 3);
    }
  }

  @SafeVarargs
  private static <T extends Number> int sum(T... numbers) {
    synchronized (SHARED) {
      int sum = 0;
      for (T number : numbers) {
        hit();
        sum += number.intValue();
      }
      return sum;
    }
  }

  // ---- monitors of the JDK

  public void concurrentHashMapBin() {
    Map<String, Integer> map = new ConcurrentHashMap<>();
    escaped = map;
    counter +=
        map.computeIfAbsent(
            "key",
            key -> {
              hit();
              return 1;
            });
    // A second key of the same hash: another branch, which locks the bin's first node.
    map.clear();
    map.put("Aa", 1);
    counter +=
        map.computeIfAbsent(
            "BB",
            key -> {
              hit();
              return 2;
            });
  }

  public void synchronizedCollection() {
    Map<String, Integer> map = Collections.synchronizedMap(new HashMap<>());
    escaped = map;
    map.computeIfAbsent(
        "key",
        key -> {
          hit();
          return 1;
        });
    List<Integer> list = Collections.synchronizedList(new ArrayList<>(List.of(1, 2)));
    escaped = list;
    list.forEach(element -> hit());
  }

  public void stringBufferInBlock() {
    synchronized (outer) {
      StringBuffer buffer = new StringBuffer();
      escaped = buffer;
      buffer.append(
          new Object() {
            @Override
            public String toString() {
              hit();
              return "";
            }
          });
    }
  }
}
