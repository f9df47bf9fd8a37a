package io.github.vtdiag.patch;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MonitorCallsTest {
  @TempDir private Path folder;

  @Test
  void aTimeoutThatIsComputed() throws IOException {
    Expected.rewrites(
        folder,
        """
        class A {
          static final long POLL = 50;
          volatile long timeout;
          synchronized void run(int seconds) throws InterruptedException {
            wait(seconds * 1000L);
            wait(timeout);
            wait(POLL);
          }
        }
        """,
        """
        import java.util.concurrent.TimeUnit;
        import java.util.concurrent.locks.Condition;
        import java.util.concurrent.locks.ReentrantLock;

        class A {
          static final long POLL = 50;
          private final transient ReentrantLock lock = new ReentrantLock();
          private final transient Condition condition = lock.newCondition();
          volatile long timeout;
          void run(int seconds) throws InterruptedException {
            lock.lock();
            try {
              {
                long millis = seconds * 1000L;
                if (millis > 0) {
                  condition.await(millis, TimeUnit.MILLISECONDS);
                } else if (millis == 0) {
                  condition.await();
                } else {
                  throw new IllegalArgumentException("timeout value is negative");
                }
              }
              {
                long timeoutMillis = timeout;
                if (timeoutMillis > 0) {
                  condition.await(timeoutMillis, TimeUnit.MILLISECONDS);
                } else if (timeoutMillis == 0) {
                  condition.await();
                } else {
                  throw new IllegalArgumentException("timeout value is negative");
                }
              }
              condition.await(POLL, TimeUnit.MILLISECONDS);
            } finally {
              lock.unlock();
            }
          }
        }
        """);
  }

  @Test
  void aCommentInATimeout() throws IOException {
    Expected.declines(
        folder,
        "has a comment in its timeout",
        """
        class A {
          synchronized void run(int n) throws InterruptedException { wait(n * /* s */ 1000L); }
        }
        """);
  }

  @Test
  void aCommentAmongNanoseconds() throws IOException {
    Expected.declines(
        folder,
        "has a comment in its timeout",
        """
        class A {
          synchronized void run(int n) throws InterruptedException {
            wait(1, // none
                n);
          }
        }
        """);
  }

  @Test
  void nanosecondsThatAreComputed() throws IOException {
    Expected.rewrites(
        folder,
        """
        class A {
          synchronized void run(java.time.Duration millis) throws InterruptedException {
            if (!millis.isNegative())
              wait(millis.toMillis(),
                  millis.getNano() % 1_000_000);
          }
        }
        """,
        """
        import java.util.concurrent.TimeUnit;
        import java.util.concurrent.locks.Condition;
        import java.util.concurrent.locks.ReentrantLock;

        class A {
          private final transient ReentrantLock lock = new ReentrantLock();
          private final transient Condition condition = lock.newCondition();

          void run(java.time.Duration millis) throws InterruptedException {
            lock.lock();
            try {
              if (!millis.isNegative())
                {
                  long timeoutMillis = millis.toMillis();
                  int nanos = millis.getNano() % 1_000_000;
                  if (timeoutMillis < 0) {
                    throw new IllegalArgumentException("timeoutMillis value is negative");
                  }
                  if (nanos < 0 || nanos > 999999) {
                    throw new IllegalArgumentException("nanosecond timeout value out of range");
                  }
                  if (timeoutMillis == 0 && nanos == 0) {
                    condition.await();
                  } else {
                    condition.await(nanos > 0 && timeoutMillis < Long.MAX_VALUE ? timeoutMillis + 1 : timeoutMillis, TimeUnit.MILLISECONDS);
                  }
                }
            } finally {
              lock.unlock();
            }
          }
        }
        """);
  }

  @Test
  void aWaitThatIsAnExpression() throws IOException {
    Expected.declines(
        folder,
        "not a statement of its own",
        """
        class A {
          interface Act { void act() throws InterruptedException; }
          synchronized Act run() { Act act = () -> this.wait(5); return act; }
        }
        """);
  }

  /** What a guard leaves out is not asked again; what it may let through is. */
  @Test
  void aTimeoutBehindAGuard() throws IOException {
    Programs program =
        Programs.of(
            folder,
            "A.java",
            """
            class A {
              synchronized void returned(long ms) throws InterruptedException {
                if (ms <= 0) return;
                wait(ms);
              }
              synchronized void around(long ms) throws InterruptedException {
                while (!isDone() && ms != 3) {
                  if (ms > 0 && !isDone()) {
                    wait(ms);
                  }
                }
              }
              synchronized void negative(long ms) throws InterruptedException {
                if (ms < 0) {
                  throw new IllegalArgumentException();
                }
                wait(ms);
              }
              synchronized void other(long ms) throws InterruptedException {
                if (ms == 0) { wait(); } else { wait(ms); }
              }
              synchronized void either(long ms, boolean b) throws InterruptedException {
                if (ms > 0 || b) { wait(ms); }
              }
              synchronized void again(long ms) throws InterruptedException {
                if (ms <= 0) return;
                while (!isDone()) {
                  wait(ms);
                  ms -= 3;
                }
              }
              synchronized boolean isDone() { return false; }
              synchronized void least(long ms) throws InterruptedException {
                if (ms >= 1) wait(ms);
              }
              synchronized void turned(int ms) throws InterruptedException {
                if (1L > ms) return;
                wait(ms);
              }
              synchronized void more(long ms) throws InterruptedException {
                if (1 > ms) { wait(ms); }
              }
              synchronized void all(long ms) throws InterruptedException {
                if (ms >= 0) { wait(ms); }
              }
              synchronized void last(long ms) throws InterruptedException {
                if (ms <= 1) { wait(ms); }
              }
            }
            """);
    String text = program.after(program.patch()).source("A.java");
    String three = "else if (ms == 0)";
    assertFalse(method(text, "returned", "around").contains("if (ms > 0)"), text);
    assertFalse(method(text, "around", "negative").contains("if (ms > 0) {"), text);
    assertTrue(method(text, "negative", "other").contains("} else {"), text);
    assertFalse(method(text, "negative", "other").contains(three), text);
    assertTrue(method(text, "either", "again").contains(three), text);
    assertTrue(method(text, "again", "isDone() {").contains(three), text);
    assertFalse(method(text, "least", "turned").contains("if (ms > 0)"), text);
    assertFalse(method(text, "turned", "more").contains("if (ms > 0)"), text);
    assertTrue(method(text, "more", "all").contains(three), text);
    assertTrue(method(text, "all", "last").contains("if (ms > 0)"), text);
    assertTrue(text.substring(text.indexOf("void last")).contains(three), text);
  }

  private static String method(String text, String from, String to) {
    int start = text.indexOf("void " + from);
    return text.substring(start, text.indexOf(" " + to, start + 10));
  }

  @Test
  void waitingBecomesACondition() throws IOException {
    Expected.rewrites(
        folder,
        """
        package demo;

        import static java.util.Objects.requireNonNull;

        import java.util.ArrayDeque;
        import org.w3c.dom.Document;

        class A<T> {
          private final ArrayDeque<T> queue = new ArrayDeque<>();

          synchronized T take(long timeout) throws InterruptedException {
            assert Thread.holdsLock(this);
            while (queue.isEmpty()) {
              wait(timeout);
              wait(0);
              this.wait(10L);
              wait(0, 1);
              wait();
            }
            return queue.remove();
          }

          synchronized void put(T value) {
            queue.add(requireNonNull(value));
            notifyAll();
            notify();
          }
        }
        """,
        """
        package demo;

        import static java.util.Objects.requireNonNull;

        import java.util.ArrayDeque;
        import java.util.concurrent.TimeUnit;
        import java.util.concurrent.locks.Condition;
        import java.util.concurrent.locks.ReentrantLock;
        import org.w3c.dom.Document;

        class A<T> {
          private final transient ReentrantLock lock = new ReentrantLock();
          private final transient Condition condition = lock.newCondition();
          private final ArrayDeque<T> queue = new ArrayDeque<>();

          T take(long timeout) throws InterruptedException {
            lock.lock();
            try {
              assert lock.isHeldByCurrentThread();
              while (queue.isEmpty()) {
                if (timeout > 0) {
                  condition.await(timeout, TimeUnit.MILLISECONDS);
                } else if (timeout == 0) {
                  condition.await();
                } else {
                  throw new IllegalArgumentException("timeout value is negative");
                }
                condition.await();
                condition.await(10L, TimeUnit.MILLISECONDS);
                condition.await(1, TimeUnit.MILLISECONDS);
                condition.await();
              }
              return queue.remove();
            } finally {
              lock.unlock();
            }
          }

          void put(T value) {
            lock.lock();
            try {
              queue.add(requireNonNull(value));
              condition.signalAll();
              condition.signal();
            } finally {
              lock.unlock();
            }
          }
        }
        """);
  }
}
