package whatif;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What the what-if cannot do. */
public final class Stops {
  private Stops() {}

  private static final class Native {
    synchronized native void call();
  }

  private static int lockedWithTheJdk() {
    List<Integer> list = Collections.synchronizedList(new ArrayList<>(List.of(1)));
    Object unknown = list;
    synchronized (unknown) {
      return list.size();
    }
  }

  public static void main(String[] args) {
    System.out.println("starting");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
    System.out.println(
        args[0].equals("native") ? new Native().hashCode() != 1 : lockedWithTheJdk());
  }
}
