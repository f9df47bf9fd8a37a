import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.locks.LockSupport;

/** Sorts by the C library's qsort with a comparator that blocks, in a virtual thread. */
public class ForeignSort {
  static int compare(MemorySegment a, MemorySegment b) {
    LockSupport.parkNanos(1_000_000);
    return Integer.compare(a.get(JAVA_INT, 0), b.get(JAVA_INT, 0));
  }

  static void sort() {
    try (Arena arena = Arena.ofConfined()) {
      Linker linker = Linker.nativeLinker();
      MethodHandle qsort =
          linker.downcallHandle(
              linker.defaultLookup().find("qsort").orElseThrow(),
              FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
      MethodHandle compare =
          MethodHandles.lookup()
              .findStatic(
                  ForeignSort.class,
                  "compare",
                  MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
      var pointer = ADDRESS.withTargetLayout(JAVA_INT);
      MemorySegment comparator =
          linker.upcallStub(compare, FunctionDescriptor.of(JAVA_INT, pointer, pointer), arena);
      MemorySegment numbers = arena.allocate(8, 4);
      numbers.setAtIndex(JAVA_INT, 0, 2);
      numbers.setAtIndex(JAVA_INT, 1, 1);
      qsort.invokeExact(numbers, 2L, 4L, comparator);
      System.out.println(numbers.getAtIndex(JAVA_INT, 0));
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Thread.ofVirtual().start(ForeignSort::sort).join();
  }
}
