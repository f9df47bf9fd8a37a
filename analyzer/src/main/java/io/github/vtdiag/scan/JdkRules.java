package io.github.vtdiag.scan;

import io.github.vtdiag.program.CallGraph;
import io.github.vtdiag.program.MethodName;
import io.github.vtdiag.program.Thrown;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.objectweb.asm.Opcodes;

/**
 * The rules that tell which methods of the JDK count as waiting. Nearly all of them can reach a
 * point at which threads wait: in class loading, logging or a lock that the JDK holds for a moment.
 * A wait that matters is part of a method's contract. Such a method declares the exception with
 * which the wait ends ({@code InterruptedException}, {@code IOException}, {@code SQLException}). Or
 * it is one of {@code java.util.concurrent} that waits uninterruptibly. So a path is followed
 * inside the JDK as long as each method on it is of this kind.
 */
final class JdkRules {
  /** The types that only load, configure or log something on the path: no call has this purpose. */
  private static final List<String> BESIDE =
      List.of(
          "java/io/FileDescriptor",
          "java/lang/Class",
          "java/lang/ClassLoader",
          "java/lang/Module",
          "java/lang/System$Logger",
          "java/lang/invoke/",
          "java/lang/module/",
          "java/lang/reflect/",
          "java/security/",
          "java/util/ResourceBundle",
          "java/util/ServiceLoader",
          "java/util/jar/",
          "java/util/logging/",
          "jdk/internal/loader/",
          "jdk/internal/logger/",
          "jdk/internal/module/",
          "jdk/internal/reflect/",
          "jdk/jfr/",
          "sun/launcher/",
          "sun/security/jca/",
          "sun/util/locale/",
          "sun/util/logging/");

  private static final String FUTURE = "java/util/concurrent/CompletableFuture";

  private static final Pattern WAITS_FOR_FUTURE = Pattern.compile("get|join|waitingGet|timedGet");

  /** The interface that only registers what to do once a task has ended. */
  private static final String STAGE = "java/util/concurrent/CompletionStage";

  /** A map's bin, which is locked for as long as a few nodes are linked. */
  private static final String BIN = "java/util/concurrent/ConcurrentHashMap$TreeBin";

  /**
   * The file channel, which maps a file once more, after a sleep, if there was no address space.
   */
  private static final String FILE_CHANNEL = "sun/nio/ch/FileChannelImpl";

  private static final Pattern MOVES_DATA =
      Pattern.compile("(read|write|recv|receive|send|connect|accept|poll|transfer|force).*");

  private static final Pattern LOOKS_UP = Pattern.compile("(lookup|getHostBy|isReachable).*");

  /** The methods that only hand something over, and do not wait for room. */
  private static final Pattern HANDS_ON =
      Pattern.compile("add|addAll|offer|execute|submit|signal.*|unlock|release");

  /**
   * The methods that keep a lock for a moment, which threads that wait in the channel do not hold.
   */
  private static final Set<String> OF_CHANNELS =
      Set.of("implCloseChannel", "implConfigureBlocking");

  /** The native methods that only read something, or get or give back memory. */
  private static final Pattern NATIVE_MOMENT =
      Pattern.compile(
          "_?((get|set|is|has|should|can|new|alloc|create|init|free|release|delete|destroy|dispose"
              + "|clear)([A-Z_].*|)|address.*|hash.*|.*[vV]ersion.*|size.*|length.*"
              + "|.*(Address|Offset|Size|Length|Count).*)");

  private static final Set<String> FILES =
      Set.of("java/io/FileInputStream", "java/io/FileOutputStream", "java/io/RandomAccessFile");

  /** The getters and setters, which mostly work on data already fetched or yet to be sent. */
  private static final Pattern ACCESSOR =
      Pattern.compile("(get|set|is|was|find|clear|register|update|supports).*");

  private static final Set<String> ROWS =
      Set.of(
          "java/sql/ResultSet",
          "java/sql/PreparedStatement",
          "java/sql/CallableStatement",
          "java/sql/ResultSetMetaData",
          "java/sql/ParameterMetaData");

  private final CallGraph graph;

  /** By method, whether it was checked, and below whether it is beside. */
  private final BitSet asked = new BitSet();

  private final BitSet beside = new BitSet();

  JdkRules(CallGraph graph) {
    this.graph = graph;
  }

  /** Returns the wait in a method itself: all paths end at such a point. */
  Optional<Wait> point(int method) {
    boolean isNative = graph.has(method, Opcodes.ACC_NATIVE);
    if (!graph.isJdk(method)) {
      return isNative && !NATIVE_MOMENT.matcher(graph.name(method).name()).matches()
          ? Optional.of(Wait.NATIVE)
          : Optional.empty();
    }
    String owner = graph.owner(method);
    if (owner.startsWith("java/util/concurrent/locks/")) {
      String name = graph.name(method).name();
      if (owner.endsWith("/LockSupport") && name.startsWith("park")) {
        return Optional.of(Wait.PARK);
      }
      if (name.equals("lock")) {
        return Optional.of(Wait.LOCK);
      }
    }
    if (owner.equals("java/lang/Thread") && graph.name(method).name().equals("sleep")) {
      return Optional.of(Wait.SLEEP);
    }
    return isNative ? nativePoint(method, owner) : contract(method, owner);
  }

  private Optional<Wait> nativePoint(int method, String owner) {
    String name = graph.name(method).name();
    if (owner.equals("java/lang/Object")) {
      return name.startsWith("wait") ? Optional.of(Wait.OBJECT_WAIT) : Optional.empty();
    }
    if (owner.startsWith("java/net/Inet")) {
      return LOOKS_UP.matcher(name).matches() ? Optional.of(Wait.HOST_NAME) : Optional.empty();
    }
    if (graph.declares(method, Thrown.INPUT_OUTPUT) && MOVES_DATA.matcher(name).matches()) {
      return FILES.contains(owner) || owner.contains("File")
          ? Optional.of(Wait.FILE)
          : owner.startsWith("sun/nio/ch/") ? Optional.of(Wait.SOCKET) : Optional.empty();
    }
    return Optional.empty();
  }

  /** Returns the wait in the contract of an abstract method, which has no known implementation. */
  private Optional<Wait> contract(int method, String owner) {
    if (!graph.has(method, Opcodes.ACC_ABSTRACT)) {
      return Optional.empty();
    }
    if (graph.declares(method, Thrown.INTERRUPTED)) {
      return Optional.of(owner.startsWith("java/net/") ? Wait.SOCKET : Wait.PARK);
    }
    return graph.declares(method, Thrown.SQL)
            && (owner.startsWith("java/sql/") || owner.startsWith("javax/sql/"))
        ? Optional.of(Wait.DATABASE)
        : Optional.empty();
  }

  /** Returns a cost for points at which a wait is less likely; 0 for most. */
  double penalty(int method, Wait wait) {
    MethodName name = graph.name(method);
    return switch (wait) {
      case SLEEP, OBJECT_WAIT, PARK, SOCKET, HOST_NAME -> 0;
      case DATABASE ->
          ROWS.contains(name.owner()) && ACCESSOR.matcher(name.name()).matches() ? 4 : 0;
      case LOCK -> 6; // only while another holds it, which is mostly short
      case NATIVE -> 10;
      case FILE -> Reach.OF_FILE;
    };
  }

  /** Returns whether a wait is part of the purpose of a method of the JDK. */
  boolean mayWait(int method) {
    return declares(method)
        || (isConcurrent(method) && !graph.owner(method).equals(STAGE))
        || point(method).isPresent();
  }

  /** Returns whether a wait in {@code called} counts as one of {@code caller}, both of the JDK. */
  boolean leads(int caller, int called) {
    if (isBeside(called) || graph.owner(called).equals(BIN)) {
      return false;
    }
    if (isNoWait(caller, called)) {
      return false;
    }
    if (declares(caller)) {
      return declares(called)
          || point(called).isPresent()
          || (isConcurrent(caller) && isTogether(caller, called));
    }
    return isConcurrent(caller)
        && (point(called).isPresent() || declares(called) || isTogether(caller, called))
        && !HANDS_ON.matcher(graph.name(caller).name()).matches();
  }

  /** Returns whether a wait in the called method is not part of the caller's purpose. */
  private boolean isNoWait(int caller, int called) {
    String name = graph.name(called).name();
    return switch (graph.owner(caller)) {
      case FILE_CHANNEL -> graph.owner(called).equals("java/lang/Thread");
      // Other methods register what to do once it is complete.
      case FUTURE -> !WAITS_FOR_FUTURE.matcher(graph.name(caller).name()).matches();
      default -> OF_CHANNELS.contains(name);
    };
  }

  /** Returns whether a method of the JDK only loads, configures or logs something. */
  boolean isBeside(int method) {
    if (!asked.get(method)) {
      asked.set(method);
      beside.set(method, startsBeside(graph.owner(method)));
    }
    return beside.get(method);
  }

  private static boolean startsBeside(String owner) {
    for (String each : BESIDE) {
      if (owner.startsWith(each)) {
        return true;
      }
    }
    return false;
  }

  private boolean declares(int method) {
    return graph.declares(method, Thrown.INTERRUPTED)
        || graph.declares(method, Thrown.INPUT_OUTPUT)
        || graph.declares(method, Thrown.SQL);
  }

  private boolean isConcurrent(int method) {
    return graph.owner(method).startsWith("java/util/concurrent/")
        || graph.owner(method).equals("java/lang/Thread");
  }

  /** Returns whether the methods are of one source file, or both of the base of all locks. */
  private boolean isTogether(int caller, int called) {
    String owner = graph.owner(called);
    return top(owner).equals(top(graph.owner(caller)))
        || owner.startsWith("java/util/concurrent/locks/AbstractQueued")
        || (owner.equals("java/util/concurrent/ForkJoinTask")
            && graph.owner(caller).startsWith("java/util/concurrent/ForkJoin"));
  }

  private static String top(String name) {
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  /**
   * Returns whether a call hands a task to another thread, which does not hold the caller's
   * monitors.
   */
  boolean handsOver(int method) {
    MethodName name = graph.name(method);
    return name.name().endsWith("Async")
        || graph.isSubtype(name.owner(), "java/util/concurrent/Executor")
        || graph.isSubtype(name.owner(), "java/lang/Thread")
        || name.owner().startsWith("java/lang/Thread$")
        || name.owner().equals("java/lang/Runtime")
        || name.owner().equals("java/util/Timer")
        || name.owner().equals(STAGE)
        || name.owner().equals("java/lang/reflect/Proxy") // stores the handler
        || name.owner().equals("java/lang/ref/Cleaner")
        || name.name().equals("<init>")
        || (name.owner().endsWith("Future") && !name.name().equals("run"));
  }

  /**
   * Returns whether a call of the method could lead to the loop of a thread or a pool, as {@code
   * run} could.
   */
  static boolean isThreadLoop(MethodName name) {
    return name.signature().equals("run()V");
  }
}
