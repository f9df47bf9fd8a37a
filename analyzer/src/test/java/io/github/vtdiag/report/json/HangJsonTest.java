package io.github.vtdiag.report.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.harrel.jsonschema.providers.JacksonNode;
import io.github.vtdiag.dump.HangAnswer;
import io.github.vtdiag.dump.SnapshotPair;
import io.github.vtdiag.hang.CarrierPool;
import io.github.vtdiag.hang.CarriersKept;
import io.github.vtdiag.hang.Diagnosis;
import io.github.vtdiag.hang.DiagnosisKind;
import io.github.vtdiag.hang.LockCycle;
import io.github.vtdiag.hang.LockHolder;
import io.github.vtdiag.hang.LockRef;
import io.github.vtdiag.hang.NotScheduled;
import io.github.vtdiag.hang.Reachability;
import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.hang.Snapshot;
import io.github.vtdiag.hang.Stranded;
import io.github.vtdiag.hang.ThreadWait;
import io.github.vtdiag.hang.WaitEdge;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.report.Report;
import io.github.vtdiag.report.Style;
import io.github.vtdiag.report.format.Formats;
import io.github.vtdiag.report.words.Detail;
import io.github.vtdiag.waits.Awaited;
import io.github.vtdiag.waits.LongWait;
import io.github.vtdiag.waits.Stall;
import io.github.vtdiag.waits.WaitDetail;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What programs are told of a running JVM, for each kind of diagnosis. */
final class HangJsonTest {
  private static final LockRef LOCK = LockRef.of("com.example.Lock", 1);
  private static final SeenThread WAITER =
      new SeenThread(
          7,
          "",
          true,
          Optional.of(Thread.State.WAITING),
          SeenThread.Mount.UNMOUNTED,
          OptionalLong.empty(),
          List.of(),
          new ThreadWait.Park(Optional.of(LOCK), new LockHolder.Woken(), false),
          List.of());
  private static final WaitEdge EDGE =
      new WaitEdge(WAITER, LOCK, WaitEdge.How.LOCK, WAITER, Optional.empty(), true);

  private static Diagnosis of(DiagnosisKind kind) {
    List<CarriersKept.Kept> kept = List.of(new CarriersKept.Kept(WAITER, List.of(EDGE)));
    return switch (kind) {
      case LOCK_CYCLE -> new LockCycle(List.of(EDGE, EDGE));
      case DEADLOCK_BY_PINNING -> new CarriersKept.DeadlockByPinning(kept, 1, "");
      case NEVER_RELEASED ->
          new Diagnosis.NeverReleased(
              LOCK, new LockHolder.Ended(3, "leaver", true), List.of(WAITER));
      case STARVED ->
          new CarriersKept.Starved(kept, 1, List.of(), CarriersKept.Starved.Deadlock.NONE);
      case STRANDED -> new Stranded(List.of(WAITER));
      case NOT_SCHEDULED -> new NotScheduled(3, 1, 2, "", List.of(WAITER));
      case LOST_WAKE_UP -> new Diagnosis.LostWakeUp(List.of(WAITER));
      case STALLED ->
          new Diagnosis.Stalled(
              new Stall(
                  new Awaited(Awaited.Kind.SEMAPHORE, "Semaphore", Optional.empty()),
                  Optional.empty(),
                  new StackTrace(List.of(), false),
                  false,
                  "",
                  2,
                  31_000_000_000L,
                  false,
                  LongWait.Wakers.OTHERS,
                  WaitDetail.NONE));
      case WAITING ->
          new Diagnosis.Waiting(
              List.of(new Diagnosis.Crowd(WAITER, 2, Optional.empty(), List.of())), 2);
      case RUNNING -> new Diagnosis.Busy(1, 2);
      case IDLE -> new Diagnosis.Idle(2, 0);
      case NOT_KNOWN -> new Diagnosis.Unknown("nothing was seen");
    };
  }

  @ParameterizedTest
  @EnumSource
  void hasTheKindAndWhatItIsMadeOf(DiagnosisKind kind) throws Exception {
    Snapshot look =
        new Snapshot(
            List.of(WAITER), 0, CarrierPool.NOT_KNOWN, true, Reachability.NOT_KNOWN, List.of());
    SnapshotPair looks =
        new SnapshotPair("1", "25", look, look, OptionalLong.of(1), false, List.of(), List.of());
    HangAnswer answer =
        new HangAnswer(
            looks,
            List.of(of(kind)),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            HangAnswer.Outcome.NOT_KNOWN);
    String json =
        Formats.JSON.write(new Report.Hung("1", answer, Detail.FULL, List.of()), Style.PLAIN);
    Validator.Result result =
        new ValidatorFactory()
            .withJsonNodeFactory(new JacksonNode.Factory())
            .validate(Files.readString(Path.of("..", "docs", "hang.schema.json")), json);
    assertTrue(result.isValid(), () -> result.getErrors() + "\n" + json);
    JsonNode diagnosis = new ObjectMapper().readTree(json).at("/diagnoses/0");
    assertEquals(kind.name(), diagnosis.path("kind").asText());
    if (kind == DiagnosisKind.LOST_WAKE_UP) {
      assertEquals(7, diagnosis.at("/forgotten/0/id").asInt());
      assertEquals(
          "lost wake-up: 1 virtual thread waits though nothing keeps it",
          diagnosis.path("text").asText());
    }
  }
}
