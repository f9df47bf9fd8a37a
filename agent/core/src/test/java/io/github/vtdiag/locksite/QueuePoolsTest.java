package io.github.vtdiag.locksite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import java.io.IOException;
import java.io.InputStream;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueuePoolsTest {
  /** What may be used as a pool. */
  static final class Users {
    private final BlockingQueue<StringBuilder> free = new LinkedBlockingQueue<>();
    private final BlockingQueue<StringBuilder> others = new LinkedBlockingQueue<>();
    private boolean done;

    void releases() throws InterruptedException {
      StringBuilder taken = free.take();
      try {
        work(taken);
      } finally {
        free.put(taken);
      }
    }

    void releasesUnlessItFails() throws InterruptedException {
      while (!done) {
        StringBuilder taken = free.take();
        work(taken);
        free.add(taken);
      }
    }

    void releasesWhatCameInTime(LinkedBlockingDeque<StringBuilder> pool)
        throws InterruptedException {
      while (!done) {
        StringBuilder taken = pool.pollFirst(1, TimeUnit.SECONDS);
        if (taken != null) {
          work(taken);
          pool.addFirst(taken);
        }
      }
    }

    static void releasesInALambda(BlockingQueue<StringBuilder> pool) {
      Thread.startVirtualThread(
          () -> {
            try {
              StringBuilder taken = pool.take();
              taken.append('.');
              pool.put(taken);
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          });
    }

    void triesAgain() throws InterruptedException {
      while (!done) {
        StringBuilder task = free.take();
        if (work(task) < 0) {
          free.put(task);
        }
      }
    }

    void triesAgainWhatFailed() throws InterruptedException {
      while (!done) {
        StringBuilder task = free.take();
        try {
          work(task);
        } catch (IllegalStateException e) {
          free.put(task);
        }
      }
    }

    void works() throws InterruptedException {
      while (!done) {
        work(free.take());
      }
    }

    void handsOn() throws InterruptedException {
      StringBuilder taken = free.take();
      others.put(taken);
    }

    void findsMore() throws InterruptedException {
      StringBuilder taken = free.take();
      free.put(new StringBuilder(taken));
    }

    private int work(StringBuilder text) {
      return text.append('.').length();
    }
  }

  /** A pool of its own, and a channel that looks much like it. */
  static final class Pool {
    private final BlockingQueue<StringBuilder> free = new LinkedBlockingQueue<>();
    private final BlockingQueue<StringBuilder> sent = new LinkedBlockingQueue<>();

    StringBuilder get() throws InterruptedException {
      return free.take();
    }

    void done(int uses, StringBuilder text) {
      text.setLength(uses);
      free.add(text);
    }

    void send(StringBuilder text) {
      sent.add(text);
    }
  }

  static final class Callers {
    private final Pool pool = new Pool();

    void gives() throws InterruptedException {
      StringBuilder text = pool.get();
      try {
        text.append('.');
      } finally {
        pool.done(0, text);
      }
    }

    void sends() throws InterruptedException {
      pool.send(pool.get());
    }

    void keeps() throws InterruptedException {
      pool.get().append('.');
    }
  }

  /** Pools that wrap what they lend, and a channel that wraps its messages. */
  static final class Lender {
    private final BlockingQueue<StringBuilder> free = new LinkedBlockingQueue<>();
    private final BlockingQueue<StringBuilder> sent = new LinkedBlockingQueue<>();

    Loan loan() throws InterruptedException {
      return new Loan(this, free.take());
    }

    LoanOfQueue loanByItself() throws InterruptedException {
      StringBuilder text = free.take();
      return new LoanOfQueue(free, text);
    }

    Part part() throws InterruptedException {
      return new Part(free.take(), 1);
    }

    AutoCloseable lambda() throws InterruptedException {
      StringBuilder text = free.take();
      return () -> free.add(text);
    }

    AutoCloseable answer() throws InterruptedException {
      StringBuilder text = free.take();
      return () -> sent.add(text);
    }

    void end(Part part) {
      free.add(part.text());
    }

    void log(Part part) {
      sent.add(part.text());
    }

    void back(StringBuilder text) {
      free.add(text);
    }
  }

  record Part(StringBuilder text, int number) {}

  record LoanOfQueue(BlockingQueue<StringBuilder> of, StringBuilder text) {
    void end() {
      of.add(text);
    }
  }

  static final class Loan implements AutoCloseable {
    private final Lender lender;
    private final StringBuilder text;

    Loan(Lender lender, StringBuilder text) {
      this.lender = lender;
      this.text = text;
    }

    @Override
    public void close() {
      lender.back(text);
    }

    void putBack() {
      lender.free.add(text);
    }

    void answer() {
      lender.sent.add(text);
    }

    int length() {
      return text.length();
    }
  }

  static final class Borrowers {
    private final Lender lender = new Lender();

    void loan() throws InterruptedException {
      try (Loan loan = lender.loan()) {
        loan.length();
      }
    }

    void loanUnlessItFails() throws InterruptedException {
      Loan loan = lender.loan();
      loan.length();
      loan.putBack();
    }

    void loanNowAndThen() throws InterruptedException {
      Loan loan = lender.loan();
      if (loan.length() > 1) {
        loan.putBack();
      }
    }

    void loanAndAnswer() throws InterruptedException {
      Loan loan = lender.loan();
      loan.answer();
    }

    void loanOnly() throws InterruptedException {
      lender.loan().length();
    }

    void loanByItself() throws InterruptedException {
      LoanOfQueue loan = lender.loanByItself();
      loan.end();
    }

    void part() throws InterruptedException {
      Part part = lender.part();
      lender.end(part);
    }

    void partLogged() throws InterruptedException {
      Part part = lender.part();
      lender.log(part);
    }

    void lambda() throws Exception {
      AutoCloseable loan = lender.lambda();
      loan.close();
    }

    void answer() throws Exception {
      AutoCloseable loan = lender.answer();
      loan.close();
    }
  }

  private static List<CodeSites> find(String name) {
    try {
      return List.of(read(Class.forName(name)));
    } catch (ClassNotFoundException | IOException e) {
      return List.of();
    }
  }

  /** Asks for each pair of lines of the two methods. */
  private static PutsBack putsBackByCaller(
      Class<?> pool, String method, Class<?> users, String caller) throws IOException {
    CodeSites code = read(pool);
    CodeSites callers = read(users);
    List<Integer> callerLines = lines(users, caller);
    return PutsBack.most(
        lines(pool, method).stream()
            .flatMap(
                line ->
                    callerLines.stream()
                        .map(
                            callerLine ->
                                code.putsBack(
                                    method,
                                    line,
                                    Optional.of(frame(callers, caller, callerLine)),
                                    List.of(callers),
                                    QueuePoolsTest::find))));
  }

  private static Frame frame(CodeSites type, String method, int line) {
    return new Frame(type.type(), method, "()V", 0, -1, line, Frame.Kind.UNKNOWN);
  }

  private static List<Integer> lines(Class<?> type, String method) throws IOException {
    return LockMaps.methodsOf(bytes(type)).stream()
        .filter(code -> code.name.equals(method))
        .flatMap(code -> IntStream.range(0, code.size()).mapToObj(code::line))
        .distinct()
        .toList();
  }

  private static CodeSites read(Class<?> type) throws IOException {
    return CodeSites.read(bytes(type), new ClassRef(type.getName(), "app"));
  }

  private static byte[] bytes(Class<?> type) throws IOException {
    try (InputStream in =
        type.getResourceAsStream(type.getName().replaceFirst(".*\\.", "") + ".class")) {
      return in.readAllBytes();
    }
  }

  /** Asks for each line of this file. */
  private static PutsBack putsBack(String method) throws IOException {
    CodeSites users = read(Users.class);
    return IntStream.range(1, 400)
        .mapToObj(
            line -> users.putsBack(method, line, Optional.empty(), List.of(), name -> List.of()))
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  private static PutsBack putsBackByCaller(String caller) throws IOException {
    return putsBackByCaller(Pool.class, "get", Callers.class, caller);
  }

  @ParameterizedTest
  @ValueSource(strings = {"works", "handsOn", "findsMore", "triesAgainWhatFailed"})
  void aQueueOfWorkIsNoPool(String method) throws IOException {
    assertEquals(PutsBack.NEVER, putsBack(method));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "releases",
        "releasesUnlessItFails",
        "releasesWhatCameInTime",
        "lambda$releasesInALambda$0"
      })
  void aQueueIntoWhichEachPutsBackWhatItTakesIsAPool(String method) throws IOException {
    assertEquals(PutsBack.ALWAYS, putsBack(method));
  }

  @Test
  void aWorkerMayPutBackATaskThatIsToBeTriedAgain() throws IOException {
    assertEquals(PutsBack.SOMETIMES, putsBack("triesAgain"));
  }

  @Test
  void aCallerGivesBackWhatAMethodTookForIt() throws IOException {
    assertEquals(PutsBack.ALWAYS, putsBackByCaller("gives"));
    assertEquals(PutsBack.NEVER, putsBackByCaller("sends"));
    assertEquals(PutsBack.NEVER, putsBackByCaller("keeps"));
  }

  @ParameterizedTest
  @CsvSource({
    "loan, loan, ALWAYS",
    "loan, loanUnlessItFails, ALWAYS",
    "loan, loanNowAndThen, SOMETIMES",
    "loanByItself, loanByItself, ALWAYS",
    "part, part, ALWAYS",
    "lambda, lambda, ALWAYS",
    "loan, loanAndAnswer, NEVER",
    "loan, loanOnly, NEVER",
    "part, partLogged, NEVER",
    "answer, answer, NEVER"
  })
  void anObjectMayBeWrappedBeforeItIsLent(String method, String caller, PutsBack expected)
      throws IOException {
    assertEquals(expected, putsBackByCaller(Lender.class, method, Borrowers.class, caller));
  }
}
