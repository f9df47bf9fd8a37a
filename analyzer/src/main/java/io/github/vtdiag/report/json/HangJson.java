package io.github.vtdiag.report.json;

import io.github.vtdiag.attach.ToldHang;
import io.github.vtdiag.dump.HangAnswer;
import io.github.vtdiag.dump.SnapshotPair;
import io.github.vtdiag.hang.DiagnosisDetail;
import io.github.vtdiag.hang.DiagnosisWords;
import io.github.vtdiag.hang.LockRef;
import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.hang.WaitEdge;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.waits.Stall;

/** Writes the answer to whether a JVM hangs as JSON. */
final class HangJson {
  private HangJson() {}

  static void members(JsonObject json, HangAnswer answer) {
    SnapshotPair looks = answer.looks();
    DiagnosisWords words = new DiagnosisWords(looks.feature());
    json.put("outcome", answer.outcome())
        .putText("processId", looks.processId())
        .putText("java", looks.version())
        .put("nanosBetweenLooks", looks.apart())
        .put("virtualThreads", looks.after().threads().stream().filter(SeenThread::virtual).count())
        .array(
            "diagnoses",
            answer.diagnoses(),
            (each, diagnosis) -> {
              each.put("kind", diagnosis.kind())
                  .put("sure", answer.isSure(diagnosis))
                  .put("text", diagnosis.verdict())
                  .texts("evidence", words.evidence(diagnosis));
              diagnosis.details().forEach(detail -> detail(each, detail));
            })
        .array(
            "pools",
            answer.pools(),
            (each, crowd) ->
                each.put("pool", crowd.pool())
                    .put("asked", crowd.asked().toString())
                    .put("threads", crowd.threads()))
        .array("holderNotSeen", answer.unseen(), HangJson::thread)
        .array("kept", answer.keepers(), HangJson::thread)
        .texts("agentSays", answer.agentSays().stream().map(ToldHang::text).toList())
        .texts("limits", looks.limits());
  }

  private static void detail(JsonObject json, DiagnosisDetail detail) {
    switch (detail) {
      case DiagnosisDetail.Cycle cycle -> json.array("cycle", cycle.edges(), HangJson::edge);
      case DiagnosisDetail.Carriers carriers ->
          json.put("queued", carriers.queued())
              .array(
                  "kept",
                  carriers.kept(),
                  (each, kept) ->
                      each.object("thread", to -> thread(to, kept.thread()))
                          .array("waitsFor", kept.chain(), HangJson::edge));
      case DiagnosisDetail.Crowds crowds ->
          json.array(
              "crowds",
              crowds.crowds(),
              (each, crowd) ->
                  each.put("threads", crowd.threads())
                      .object("example", to -> thread(to, crowd.example())));
      case DiagnosisDetail.Abandoned abandoned ->
          json.put("lock", abandoned.lock().text())
              .put("endedOwnerId", abandoned.owner().threadId())
              .putText("endedOwnerName", abandoned.owner().name());
      case DiagnosisDetail.Waiters waiters ->
          json.array("waiters", waiters.waiters(), HangJson::thread);
      case DiagnosisDetail.StandingStill standing -> stall(json, standing.stall());
      case DiagnosisDetail.Moved moved -> json.put("moved", moved.count());
      case DiagnosisDetail.LostThreads lost ->
          json.array("forgotten", lost.waiters(), HangJson::thread);
    }
  }

  private static void stall(JsonObject json, Stall stall) {
    json.put("awaited", stall.subject())
        .putText("lock", stall.lock())
        .put("threads", stall.threads())
        .put("longestNanos", stall.longestNanos())
        .texts("stack", stall.stack().frames().stream().map(Frame::toString).toList());
  }

  private static void edge(JsonObject json, WaitEdge edge) {
    json.object("waiter", to -> thread(to, edge.waiter()))
        .put("how", edge.how())
        .put("lock", edge.lock().text())
        .put("otherId", edge.other().id())
        .put("heldIn", edge.heldIn().map(Frame::toString))
        .put("exact", edge.exact());
  }

  private static void thread(JsonObject json, SeenThread thread) {
    json.put("id", thread.id())
        .put("name", thread.name())
        .put("virtual", thread.virtual())
        .put("state", thread.state().map(Thread.State::name))
        .put("mount", thread.mount())
        .putText("waitsFor", thread.waitsFor().object().map(LockRef::text).orElse(""))
        .texts("stack", thread.frames().stream().map(Frame::toString).toList())
        .array(
            "holds",
            thread.held(),
            (each, held) ->
                each.put("kind", held.kind())
                    .put("lock", held.lock().text())
                    .put("depth", held.depth()));
  }
}
