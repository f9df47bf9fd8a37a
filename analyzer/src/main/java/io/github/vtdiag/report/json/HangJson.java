package io.github.vtdiag.report.json;

import io.github.vtdiag.attach.ToldHang;
import io.github.vtdiag.dump.HangAnswer;
import io.github.vtdiag.dump.PoolCrowd;
import io.github.vtdiag.dump.SnapshotPair;
import io.github.vtdiag.hang.Diagnosis;
import io.github.vtdiag.hang.DiagnosisDetail;
import io.github.vtdiag.hang.DiagnosisWords;
import io.github.vtdiag.hang.HeldLock;
import io.github.vtdiag.hang.LockRef;
import io.github.vtdiag.hang.SeenThread;
import io.github.vtdiag.hang.WaitEdge;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.waits.Stall;
import java.io.IOException;
import java.util.List;

/** Whether a JVM hangs, for programs. */
final class HangJson {
  private final JsonDocument json;
  private final HangAnswer answer;
  private final DiagnosisWords words;

  private HangJson(JsonDocument json, HangAnswer answer) {
    this.json = json;
    this.answer = answer;
    this.words = new DiagnosisWords(answer.looks().feature());
  }

  static void members(JsonDocument json, HangAnswer answer) throws IOException {
    new HangJson(json, answer).members();
  }

  private void members() throws IOException {
    SnapshotPair looks = answer.looks();
    json.out.writeStringField("outcome", answer.outcome().name());
    json.textOrNull("processId", looks.processId());
    json.textOrNull("java", looks.version());
    if (looks.apart().isPresent()) {
      json.out.writeNumberField("nanosBetweenLooks", looks.apart().getAsLong());
    } else {
      json.out.writeNullField("nanosBetweenLooks");
    }
    json.out.writeNumberField(
        "virtualThreads", looks.after().threads().stream().filter(SeenThread::virtual).count());
    json.out.writeArrayFieldStart("diagnoses");
    for (Diagnosis diagnosis : answer.diagnoses()) {
      diagnosis(diagnosis);
    }
    json.out.writeEndArray();
    json.out.writeArrayFieldStart("pools");
    for (PoolCrowd crowd : answer.pools()) {
      json.out.writeStartObject();
      json.out.writeStringField("pool", crowd.pool());
      json.out.writeStringField("asked", crowd.asked().toString());
      json.out.writeNumberField("threads", crowd.threads());
      json.out.writeEndObject();
    }
    json.out.writeEndArray();
    threads("holderNotSeen", answer.unseen());
    threads("kept", answer.keepers());
    json.texts("agentSays", answer.agentSays().stream().map(ToldHang::text).toList());
    json.texts("limits", looks.limits());
  }

  private void diagnosis(Diagnosis diagnosis) throws IOException {
    json.out.writeStartObject();
    json.out.writeStringField("kind", diagnosis.kind().name());
    json.out.writeBooleanField("sure", answer.isSure(diagnosis));
    json.out.writeStringField("text", words.verdict(diagnosis));
    json.texts("evidence", words.evidence(diagnosis));
    for (DiagnosisDetail detail : diagnosis.details()) {
      detail(detail);
    }
    json.out.writeEndObject();
  }

  private void detail(DiagnosisDetail detail) throws IOException {
    switch (detail) {
      case DiagnosisDetail.Cycle cycle -> edges("cycle", cycle.edges());
      case DiagnosisDetail.Carriers carriers -> kept(carriers.kept(), carriers.queued());
      case DiagnosisDetail.Crowds crowds -> {
        json.out.writeArrayFieldStart("crowds");
        for (Diagnosis.Crowd crowd : crowds.crowds()) {
          json.out.writeStartObject();
          json.out.writeNumberField("threads", crowd.threads());
          json.out.writeFieldName("example");
          thread(crowd.example());
          json.out.writeEndObject();
        }
        json.out.writeEndArray();
      }
      case DiagnosisDetail.Abandoned abandoned -> {
        json.out.writeStringField("lock", abandoned.lock().text());
        json.out.writeNumberField("endedOwnerId", abandoned.owner().threadId());
        json.textOrNull("endedOwnerName", abandoned.owner().name());
        threads("waiters", abandoned.waiters());
      }
      case DiagnosisDetail.StandingStill standing -> stall(standing.stall());
      case DiagnosisDetail.Moved moved -> json.out.writeNumberField("moved", moved.threads());
      case DiagnosisDetail.LostThreads lost -> threads("forgotten", lost.threads());
    }
  }

  private void stall(Stall stall) throws IOException {
    json.out.writeStringField("awaited", stall.subject());
    json.textOrNull("lock", stall.lock());
    json.out.writeNumberField("threads", stall.threads());
    json.out.writeNumberField("longestNanos", stall.longestNanos());
    json.texts("stack", stall.stack().frames().stream().map(Frame::toString).toList());
  }

  private void kept(List<Diagnosis.Kept> all, long queued) throws IOException {
    json.out.writeNumberField("queued", queued);
    json.out.writeArrayFieldStart("kept");
    for (Diagnosis.Kept kept : all) {
      json.out.writeStartObject();
      json.out.writeFieldName("thread");
      thread(kept.thread());
      edges("waitsFor", kept.chain());
      json.out.writeEndObject();
    }
    json.out.writeEndArray();
  }

  private void edges(String field, List<WaitEdge> edges) throws IOException {
    json.out.writeArrayFieldStart(field);
    for (WaitEdge edge : edges) {
      json.out.writeStartObject();
      json.out.writeFieldName("waiter");
      thread(edge.waiter());
      json.out.writeStringField("how", edge.how().name());
      json.out.writeStringField("lock", edge.lock().text());
      json.out.writeNumberField("otherId", edge.other().id());
      json.textOrNull("heldIn", edge.heldIn().map(Frame::toString).orElse(""));
      json.out.writeBooleanField("exact", edge.exact());
      json.out.writeEndObject();
    }
    json.out.writeEndArray();
  }

  private void threads(String field, List<SeenThread> threads) throws IOException {
    json.out.writeArrayFieldStart(field);
    for (SeenThread thread : threads) {
      thread(thread);
    }
    json.out.writeEndArray();
  }

  private void thread(SeenThread thread) throws IOException {
    json.out.writeStartObject();
    json.out.writeNumberField("id", thread.id());
    json.out.writeStringField("name", thread.name());
    json.out.writeBooleanField("virtual", thread.virtual());
    json.textOrNull("state", thread.state().map(Thread.State::name).orElse(""));
    json.out.writeStringField("mount", thread.mount().name());
    json.textOrNull("waitsFor", thread.waitsFor().object().map(LockRef::text).orElse(""));
    json.texts("stack", thread.frames().stream().map(Frame::toString).toList());
    json.out.writeArrayFieldStart("holds");
    for (HeldLock held : thread.held()) {
      json.out.writeStartObject();
      json.out.writeStringField("kind", held.kind().name());
      json.out.writeStringField("lock", held.lock().text());
      json.out.writeNumberField("depth", held.depth());
      json.out.writeEndObject();
    }
    json.out.writeEndArray();
    json.out.writeEndObject();
  }
}
