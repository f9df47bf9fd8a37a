package whatif;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What the what-if cannot do. */
public final class Stops {
  private Stops() {}

  /** The inner block could only end in the body that goes on with the outer one. */
  private static int bothKinds(Object outer, Object inner) {
    synchronized (outer) {
      synchronized (inner) {
        return inner.hashCode();
      }
    }
  }

  public static void main(String[] args) {
    System.out.println("starting");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
    List<Integer> list = Collections.synchronizedList(new ArrayList<>(List.of(1)));
    int result =
        switch (args[0]) {
          case "lock outside" -> bothKinds(new Object(), list);
          case "monitor outside" -> bothKinds(list, new Object());
          default -> throw new IllegalArgumentException(args[0]);
        };
    System.out.println(result != 1);
  }
}
