package io.github.vtdiag.dump;

import java.util.ArrayList;
import java.util.List;
import org.netbeans.lib.profiler.heap.Heap;
import org.netbeans.lib.profiler.heap.JavaClass;
import org.netbeans.lib.profiler.heap.ThreadObjectGCRoot;

/**
 * A stack of a heap dump as thread dumps would show it, without what they hide.
 *
 * @param lines innermost first
 * @param numbers what the heap dump calls these frames
 */
record HeapStack(List<String> lines, List<Integer> numbers) {
  static final HeapStack NONE = new HeapStack(List.of(), List.of());

  private static final String CONTINUATION = "jdk.internal.vm.Continuation.";

  HeapStack {
    lines = List.copyOf(lines);
    numbers = List.copyOf(numbers);
  }

  static HeapStack of(ThreadObjectGCRoot thread, Heap heap) {
    StackTraceElement[] frames = thread.getStackTrace();
    List<String> lines = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    for (int number = 0; frames != null && number < frames.length; number++) {
      if (!isHidden(frames[number])) {
        lines.add(line(frames[number], heap));
        numbers.add(number);
      }
    }
    return new HeapStack(lines, numbers);
  }

  /** Frames of hidden classes, and of methods that the JDK marks as hidden. */
  private static boolean isHidden(StackTraceElement frame) {
    String method = frame.getClassName() + "." + frame.getMethodName();
    return frame.getClassName().contains("$$Lambda")
        || frame.getClassName().startsWith("java.lang.invoke.LambdaForm$")
        || method.startsWith(CONTINUATION + "yield")
        || method.startsWith(CONTINUATION + "enter")
        || method.equals("java.lang.VirtualThread.yieldContinuation");
  }

  private static String line(StackTraceElement frame, Heap heap) {
    JavaClass type = heap.getJavaClassByName(frame.getClassName());
    boolean isJdk =
        type == null ? frame.getClassName().startsWith("java.") : type.getClassLoader() == null;
    String file = frame.getFileName();
    String place =
        frame.isNativeMethod()
            ? "Native Method"
            : frame.getLineNumber() < 0 || file == null
                ? "Unknown Source"
                : file + ":" + frame.getLineNumber();
    return (isJdk ? "java.base/" : "")
        + frame.getClassName()
        + "."
        + frame.getMethodName()
        + "("
        + place
        + ")";
  }

  /** Returns the frames of the virtual thread on a stack that has its carrier's below. */
  HeapStack virtualPart() {
    int end = 0;
    while (end < lines.size() && !lines.get(end).contains("java.lang.VirtualThread.run(")) {
      end++;
    }
    return part(0, Math.min(end + 1, lines.size()));
  }

  /** Returns the frames of the carrier on a stack that has its virtual thread's above. */
  HeapStack carrierPart() {
    int begin = 0;
    while (begin < lines.size() && !lines.get(begin).contains(CONTINUATION + "run(")) {
      begin++;
    }
    return part(begin, lines.size());
  }

  private HeapStack part(int from, int to) {
    return new HeapStack(lines.subList(from, to), numbers.subList(from, to));
  }
}
