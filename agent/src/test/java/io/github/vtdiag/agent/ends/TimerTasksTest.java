package io.github.vtdiag.agent.ends;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.agent.threads.CasesRun;
import io.github.vtdiag.testing.Jdk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Delayed;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TimerTasksTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void aTaskThatIsDueLaterMayEndWhatItRefersTo(Jdk jdk) throws Exception {
    assertEquals(
        List.of(
            "no wait: no",
            "no blocker: no",
            "a future that no task has: no",
            "one of two futures that no task has: no",
            // It may only look whether the future is done.
            "a task that comes again and again: no",
            "a task that is cancelled: no",
            "a future beside one that times out: no",
            "a task of a Timer that comes again and again: no",
            "a task of a Timer that is cancelled: no",
            "a task of a cancelled Timer: no",
            "a task of a Timer: in 60 min",
            "a task for a future: in 60 min",
            "a task for what a future is made of: in 60 min",
            "a task for a latch: in 60 min",
            "a task that its executor wraps: in 60 min",
            "a future that times out: in 60 min",
            "a future that gets a value then: in 60 min",
            "two of them: in 60 min",
            // From Java 25 on a fork-join pool has it.
            "a delayed executor: " + (jdk == Jdk.JAVA_25 ? "no" : "in 60 min"),
            "delayed nothing: false",
            "delayed latch: false",
            "delayed future: " + (jdk == Jdk.JAVA_25)),
        CasesRun.lines(jdk, folder, Cases.class, "java.util"));
  }

  /** Prints of several waits when a task may end them. */
  static final class Cases {
    private static final long HOUR = TimeUnit.HOURS.toMillis(1);

    private final CountDownLatch started = new CountDownLatch(1);
    private final CountDownLatch wrapperStarted = new CountDownLatch(1);
    private final List<Future<?>> tasks = new ArrayList<>();
    private final ScheduledExecutorService timer = new ScheduledThreadPoolExecutor(1);

    private final ScheduledExecutorService wrapping =
        new ScheduledThreadPoolExecutor(1) {
          @Override
          protected <V> RunnableScheduledFuture<V> decorateTask(
              Runnable runnable, RunnableScheduledFuture<V> task) {
            return new Wrapped<>(task);
          }
        };

    /** A task as executors wrap it that note more about it. */
    private record Wrapped<V>(RunnableScheduledFuture<V> task)
        implements RunnableScheduledFuture<V> {
      @Override
      public void run() {
        task.run();
      }

      @Override
      public boolean isPeriodic() {
        return task.isPeriodic();
      }

      @Override
      public long getDelay(TimeUnit unit) {
        return task.getDelay(unit);
      }

      @Override
      public int compareTo(Delayed other) {
        return task.compareTo(other);
      }

      @Override
      public boolean cancel(boolean interrupt) {
        return task.cancel(interrupt);
      }

      @Override
      public boolean isCancelled() {
        return task.isCancelled();
      }

      @Override
      public boolean isDone() {
        return task.isDone();
      }

      @Override
      public V get() throws InterruptedException, ExecutionException {
        return task.get();
      }

      @Override
      public V get(long timeout, TimeUnit unit)
          throws InterruptedException, ExecutionException, TimeoutException {
        return task.get(timeout, unit);
      }
    }

    public static void main(String[] args) throws InterruptedException {
      new Cases().print();
      System.exit(0);
    }

    private void print() throws InterruptedException {
      timer.execute(started::countDown); // So that it has a thread.
      wrapping.execute(wrapperStarted::countDown);
      wrapperStarted.await();
      started.await();
      CompletableFuture<Void> none = new CompletableFuture<>();
      CompletableFuture<Void> night = new CompletableFuture<>();
      tasks.add(timer.schedule(() -> night.complete(null), 1, TimeUnit.HOURS));
      CompletableFuture<Void> again = new CompletableFuture<>();
      tasks.add(timer.scheduleAtFixedRate(() -> again.complete(null), 1, 1, TimeUnit.HOURS));
      CompletableFuture<Void> cancelled = new CompletableFuture<>();
      timer.schedule(() -> cancelled.complete(null), 1, TimeUnit.HOURS).cancel(false);
      CompletableFuture<Void> timesOut = new CompletableFuture<>();
      timesOut.orTimeout(1, TimeUnit.HOURS);
      CompletableFuture<Void> getsValue = new CompletableFuture<>();
      getsValue.completeOnTimeout(null, 1, TimeUnit.HOURS);
      CompletableFuture<Void> delayed =
          CompletableFuture.runAsync(
              () -> {}, CompletableFuture.delayedExecutor(1, TimeUnit.HOURS));
      CountDownLatch latch = new CountDownLatch(1);
      tasks.add(timer.schedule(latch::countDown, 1, TimeUnit.HOURS));
      Object ofNight = blocker(night::join);
      Object ofTimeout = blocker(timesOut::join);
      Object ofValue = blocker(getsValue::join);

      print("no wait");
      print("no blocker", ofNight, null);
      print("a future that no task has", blocker(none::join));
      print("one of two futures that no task has", ofNight, blocker(none::join));
      print("a task that comes again and again", blocker(again::join));
      print("a task that is cancelled", blocker(cancelled::join));
      print("a future beside one that times out", ofTimeout, blocker(none::join));
      Timer cancelledTimer = new Timer(true);
      Timer alarm = new Timer(true);
      print("a task of a Timer that comes again and again", ofTimer(alarm, HOUR, false));
      print("a task of a Timer that is cancelled", ofTimer(alarm, 0, true));
      Object ofCancelled = ofTimer(cancelledTimer, 0, false);
      cancelledTimer.cancel();
      print("a task of a cancelled Timer", ofCancelled);
      print("a task of a Timer", ofTimer(alarm, 0, false));
      print("a task for a future", ofNight);
      print("a task for what a future is made of", blocker(night.thenRun(() -> {})::join));
      print("a task for a latch", blocker(() -> await(latch)));
      CountDownLatch wrapped = new CountDownLatch(1);
      tasks.add(wrapping.schedule(wrapped::countDown, 1, TimeUnit.HOURS));
      print("a task that its executor wraps", blocker(() -> await(wrapped)));
      print("a future that times out", ofTimeout);
      print("a future that gets a value then", ofValue);
      print("two of them", ofTimeout, ofValue, ofNight);
      print("a delayed executor", blocker(delayed::join));
      printDelayed("nothing");
      printDelayed("latch", blocker(() -> await(latch)));
      printDelayed("future", blocker(delayed::join));
    }

    /** Returns what a thread is parked for that waits for a latch of a Timer's task. */
    private static Object ofTimer(Timer timer, long period, boolean cancelled)
        throws InterruptedException {
      CountDownLatch latch = new CountDownLatch(1);
      TimerTask task =
          new TimerTask() {
            @Override
            public void run() {
              latch.countDown();
            }
          };
      if (period == 0) {
        timer.schedule(task, HOUR);
      } else {
        timer.schedule(task, HOUR, period);
      }
      if (cancelled) {
        task.cancel();
      }
      return blocker(() -> await(latch));
    }

    private static void await(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private static void print(String what, Object... blockers) {
      OptionalLong end = new TimerTasks().end(new ArrayList<>(Arrays.asList(blockers)));
      long minutes = Math.round((double) end.orElse(0) / TimeUnit.MINUTES.toNanos(1));
      System.out.println(what + ": " + (end.isEmpty() ? "no" : "in " + minutes + " min"));
    }

    private static void printDelayed(String what, Object... blockers) {
      boolean delayed = new TimerTasks().mayBeDelayed(List.of(blockers));
      System.out.println("delayed " + what + ": " + delayed);
    }

    private static Object blocker(Runnable wait) throws InterruptedException {
      Thread waiting = Thread.ofPlatform().daemon().start(wait);
      while (waiting.getState() != Thread.State.WAITING
          || LockSupport.getBlocker(waiting) == null) {
        Thread.sleep(5);
      }
      return LockSupport.getBlocker(waiting);
    }
  }
}
