/// story: The C library's qsort calls a Java comparator, which waits.
/// java: 25
/// kind: pin
/// holder: NativeComparator.sort
/// truth: JEP 454: the upcall runs above a native frame, which no virtual thread can leave
/// advice: pattern native
/// proof: run Fixed
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

class NativeComparator {
  private static final Linker LINKER = Linker.nativeLinker();

  static int compare(MemorySegment left, MemorySegment right) {
    try {
      Thread.sleep(40);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return Integer.compare(left.get(ValueLayout.JAVA_INT, 0), right.get(ValueLayout.JAVA_INT, 0));
  }

  static void sort(int... values) throws Exception {
    try (Arena arena = Arena.ofConfined()) {
      var pointer = ValueLayout.ADDRESS.withTargetLayout(ValueLayout.JAVA_INT);
      MethodHandle qsort =
          LINKER.downcallHandle(
              LINKER.defaultLookup().find("qsort").orElseThrow(),
              FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
      MethodHandle compare =
          MethodHandles.lookup()
              .findStatic(
                  NativeComparator.class, "compare", MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
      MemorySegment callback = LINKER.upcallStub(compare, FunctionDescriptor.of(ValueLayout.JAVA_INT, pointer, pointer), arena);
      MemorySegment array = arena.allocateFrom(ValueLayout.JAVA_INT, values);
      qsort.invokeExact(array, (long) values.length, 4L, callback);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    Case.repeat(() -> sort(2, 1));
  }

  static class Fixed {
    public static void main(String[] args) throws Exception {
      Case.repeat(
          () -> {
            Thread platform = Thread.ofPlatform().start(() -> sortQuietly(2, 1));
            platform.join();
          });
    }

    private static void sortQuietly(int... values) {
      try {
        sort(values);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
