import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.SynchronousQueue;

/** Queues and pipes one side of which has died. */
final class Queues {
  private Queues() {}

  /** A producer dies after it has delivered some, and its five consumers wait. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void diedProducer() {
    LinkedBlockingQueue<Integer> queue = new LinkedBlockingQueue<>();
    Programs.start(
        () -> {
          for (int i = 0; i < 50; i++) {
            queue.put(i);
            Programs.sleep(0.05);
          }
          throw new IllegalStateException("no more input");
        });
    Programs.repeat(5, queue::take);
  }

  /** Requests take from a pool made of a queue, and most do not give back what they took. */
  @Programs.StandsStill("ArrayBlockingQueue")
  static void requestsAtLeakedQueue() {
    ArrayBlockingQueue<Integer> pool = new ArrayBlockingQueue<>(3);
    for (int i = 0; i < 3; i++) {
      pool.add(i);
    }
    Programs.startPlatform(
        () -> {
          for (int i = 0; i < 60; i++) {
            boolean leaks = i % 3 == 2;
            Programs.start(
                () -> {
                  Integer taken = pool.take();
                  if (!leaks) {
                    pool.put(taken);
                  }
                });
            Programs.sleep(0.2);
          }
        });
  }

  /** A client asks a worker by one queue and takes from another, and the worker has died. */
  @Programs.StandsStill("LinkedBlockingQueue")
  static void diedWorker() {
    LinkedBlockingQueue<Integer> questions = new LinkedBlockingQueue<>();
    LinkedBlockingQueue<Integer> answers = new LinkedBlockingQueue<>();
    Programs.start(
        () -> {
          for (int i = 0; i < 20; i++) {
            answers.put(questions.take());
          }
        });
    Programs.repeat(
        5,
        () -> {
          questions.put(1);
          answers.take();
        });
  }

  /** A consumer dies, and five producers wait for room in the queue. */
  @Programs.StandsStill("ArrayBlockingQueue")
  static void diedConsumer() {
    ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(10);
    Programs.start(
        () -> {
          for (int i = 0; i < 50; i++) {
            queue.take();
          }
        });
    Programs.repeat(5, () -> queue.put(1));
  }

  /** A consumer dies, and the producers that wait for room are started anew again and again. */
  @Programs.StandsStill("LinkedBlockingQueue|producersWithoutConsumer")
  static void producersWithoutConsumer() {
    BlockingQueue<Integer> queue = new LinkedBlockingQueue<>(10);
    Programs.startPlatform(
        () -> {
          while (true) {
            Programs.start(() -> queue.put(1));
            Programs.sleep(0.1);
          }
        });
  }

  /** Three threads hand something over, and nobody takes it. */
  @Programs.StandsStill("SynchronousQueue")
  static void handOverNotTaken() {
    SynchronousQueue<Integer> queue = new SynchronousQueue<>();
    Programs.start(3, () -> queue.put(1));
  }

  /** Three threads take, and nobody hands anything over. */
  @Programs.StandsStill("SynchronousQueue")
  static void handOverNotOffered() {
    SynchronousQueue<Integer> queue = new SynchronousQueue<>();
    Programs.start(3, queue::take);
  }

  /** A thread transfers an element that nobody receives. */
  @Programs.StandsStill("LinkedTransferQueue")
  static void transferNotReceived() {
    LinkedTransferQueue<Integer> queue = new LinkedTransferQueue<>();
    Programs.start(() -> queue.transfer(1));
  }

  /** A thread reads from a pipe to which nobody writes. */
  @Programs.StandsStill("PipedInputStream|pipe")
  static void pipeWithoutWriter() throws IOException {
    PipedInputStream in = new PipedInputStream(new PipedOutputStream());
    Programs.start(in::read);
  }

  /** A thread writes to a pipe from which nobody reads. */
  @Programs.StandsStill("PipedInputStream|PipedOutputStream|pipe")
  static void pipeWithoutReader() throws IOException {
    PipedOutputStream out = new PipedOutputStream(new PipedInputStream(64));
    Programs.start(() -> out.write(new byte[1000]));
  }
}
