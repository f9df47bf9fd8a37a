package io.github.vtdiag.agent.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Asks for one carrier before its first virtual thread, and tells how many there are. */
public final class SetsScheduler {
  private SetsScheduler() {}

  private static boolean agentStarts() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("vtdiag"));
  }

  public static void main(String[] args) throws InterruptedException {
    do {
      Pins.pause();
    } while (agentStarts());
    System.setProperty("jdk.virtualThreadScheduler.parallelism", "1");
    System.setProperty("jdk.virtualThreadScheduler.maxPoolSize", "1");
    Set<String> carriers = ConcurrentHashMap.newKeySet();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      threads.add(
          Thread.startVirtualThread(
              () -> {
                Pins.pause();
                carriers.add(Thread.currentThread().toString().replaceAll(".*@", ""));
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.println(carriers.size());
  }
}
