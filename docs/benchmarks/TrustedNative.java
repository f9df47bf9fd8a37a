import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * What trust.py gates on Java 22 and later: C's qsort calls a comparator that sleeps, which pins on
 * every Java.
 */
public class TrustedNative {
  public static void main(String[] args) throws Exception {
    Trusted.run(4, TrustedNative::sort);
  }

  private static long sort() throws Exception {
    try (Arena arena = Arena.ofConfined()) {
      Linker linker = Linker.nativeLinker();
      FunctionDescriptor comparing =
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS);
      MethodHandle comparator =
          MethodHandles.lookup()
              .findStatic(
                  TrustedNative.class,
                  "compare",
                  MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
      MethodHandle qsort =
          linker.downcallHandle(
              linker.defaultLookup().find("qsort").orElseThrow(),
              FunctionDescriptor.ofVoid(
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.ADDRESS));
      MemorySegment numbers = arena.allocateFrom(ValueLayout.JAVA_INT, 2, 1);
      qsort.invokeExact(numbers, 2L, 4L, linker.upcallStub(comparator, comparing, arena));
      return numbers.get(ValueLayout.JAVA_INT, 0);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  static int compare(MemorySegment a, MemorySegment b) {
    Trusted.slow();
    return 0;
  }
}
