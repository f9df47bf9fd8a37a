package vtdiag.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import vtdiag.advice.Advice;
import vtdiag.advice.Advised;
import vtdiag.advice.Prediction;
import vtdiag.advice.Recommendation;
import vtdiag.advice.Recommendation.Why;
import vtdiag.analysis.Cost;
import vtdiag.analysis.Finding;
import vtdiag.analysis.Findings;
import vtdiag.analysis.Findings.Freed;
import vtdiag.analysis.Findings.Since24;
import vtdiag.analysis.Gap;
import vtdiag.analysis.LockObjects;
import vtdiag.analysis.Site;
import vtdiag.gate.Policy.Check;
import vtdiag.gate.Verdict;
import vtdiag.model.Confidence;
import vtdiag.model.Frame;
import vtdiag.model.LockExpression;
import vtdiag.model.LockSite;
import vtdiag.model.MonitorRegion;
import vtdiag.model.PinCause;
import vtdiag.patch.Patch;
import vtdiag.program.Owner;
import vtdiag.recording.RecordingFacts;
import vtdiag.safety.Decision;
import vtdiag.safety.Lock;

/**
 * Findings and verdicts for programs, as {@code docs/json-schema.md} says. Members may be added
 * under the same schema number; a change of what is there raises it.
 */
public final class JsonReport {
  /** The version of the schema. */
  public static final int SCHEMA = 1;

  private final JsonGenerator json;

  /** Null where there are no findings. */
  private final Advice advice;

  private JsonReport(JsonGenerator json, Advice advice) {
    this.json = json;
    this.advice = advice;
  }

  public static String of(Findings findings, Advice advice) {
    return write(advice, report -> report.document(findings, Optional.empty()));
  }

  /** With the gate's verdict. */
  public static String of(Findings findings, Verdict verdict, Advice advice) {
    return write(advice, report -> report.document(findings, Optional.of(verdict)));
  }

  /**
   * A patch with what it leaves out.
   *
   * @param refused what was not even tried
   * @param diff the patch itself
   * @param base the folder in which to apply it
   */
  public static String of(
      Patch patch, List<Decision.Declined> refused, byte[] diff, Path base, boolean verified) {
    // There are no findings in it to advise on.
    return write(null, report -> report.patch(patch, refused, diff, base, verified));
  }

  private interface Part {
    void write(JsonReport report) throws IOException;
  }

  private static String write(Advice advice, Part part) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.setPrettyPrinter(
          new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));
      part.write(new JsonReport(json, advice));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.append('\n').toString();
  }

  private void document(Findings findings, Optional<Verdict> verdict) throws IOException {
    json.writeStartObject();
    json.writeNumberField("schema", SCHEMA);
    if (verdict.isPresent()) {
      gate(verdict.get());
    }
    json.writeArrayFieldStart("recordings");
    for (RecordingFacts facts : findings.recordings()) {
      recording(facts);
    }
    json.writeEndArray();
    json.writeObjectFieldStart("total");
    cost(findings.cost());
    json.writeNumberField("threads", findings.threads());
    if (findings.capacity().isPresent()) {
      json.writeNumberField("capacityNanos", findings.capacity().get().nanos());
    } else {
      json.writeNullField("capacityNanos");
    }
    share("shareOfCapacity", findings.shareOfCapacity());
    json.writeEndObject();
    json.writeFieldName("since24");
    if (findings.since24().isPresent()) {
      since24(findings.since24().get());
    } else {
      json.writeNull();
    }
    json.writeArrayFieldStart("findings");
    for (Finding finding : findings.findings()) {
      finding(finding);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("limits");
    for (Gap gap : findings.gaps()) {
      json.writeStartObject();
      json.writeStringField("kind", name(gap.kind()));
      textOrNull("recording", gap.recording());
      json.writeStringField("text", gap.text());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void patch(
      Patch patch, List<Decision.Declined> refused, byte[] diff, Path base, boolean verified)
      throws IOException {
    json.writeStartObject();
    json.writeNumberField("schema", SCHEMA);
    json.writeStringField("base", base.toString());
    json.writeBooleanField("verified", verified);
    json.writeArrayFieldStart("files");
    for (Patch.Change change : patch.files()) {
      json.writeString(base.relativize(change.path()).toString().replace('\\', '/'));
    }
    json.writeEndArray();
    json.writeArrayFieldStart("locks");
    for (Lock lock : patch.moved()) {
      lock(lock);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("declined");
    for (Patch.Declined each : patch.declined()) {
      declined(AdviceWords.name(each.lock()), each.obstacle(), each.reason(), each.lock().sites());
    }
    for (Decision.Declined each : refused) {
      declined("", each.rung(), each.reason(), each.sites());
    }
    json.writeEndArray();
    // Lines of a file in another encoding than UTF-8 are no text for JSON.
    try {
      json.writeStringField(
          "diff", StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(diff)).toString());
    } catch (CharacterCodingException e) {
      json.writeNullField("diff");
    }
    json.writeStringField("diffBase64", Base64.getEncoder().encodeToString(diff));
    json.writeEndObject();
  }

  private void declined(String lock, Enum<?> rung, String reason, List<LockSite> sites)
      throws IOException {
    json.writeStartObject();
    textOrNull("lock", lock);
    json.writeStringField("rung", name(rung));
    json.writeStringField("reason", reason);
    lockSites(sites);
    json.writeEndObject();
  }

  private void lock(Lock lock) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", AdviceWords.name(lock));
    lockSites(lock.sites());
    json.writeEndObject();
  }

  private void gate(Verdict verdict) throws IOException {
    json.writeObjectFieldStart("gate");
    switch (verdict) {
      case Verdict.Pass pass -> {
        json.writeStringField("verdict", "PASS");
        checks(pass.checks());
      }
      case Verdict.Fail fail -> {
        json.writeStringField("verdict", "FAIL");
        checks(fail.checks());
      }
      case Verdict.NoData noData -> {
        json.writeStringField("verdict", "NO_DATA");
        texts("reasons", noData.reasons());
      }
    }
    texts("warnings", verdict.warnings());
    json.writeEndObject();
  }

  private void checks(List<Check> checks) throws IOException {
    json.writeArrayFieldStart("checks");
    for (Check check : checks) {
      json.writeStartObject();
      json.writeStringField("name", name(check.name()));
      json.writeStringField("figure", check.figure());
      json.writeStringField("limit", check.limit());
      json.writeBooleanField("broken", check.broken());
      textOrNull("where", check.where().orElse(""));
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void recording(RecordingFacts facts) throws IOException {
    json.writeStartObject();
    json.writeStringField("source", facts.source());
    textOrNull("jdkVersion", facts.jdkVersion());
    json.writeNumberField("startNanos", facts.startNanos());
    json.writeNumberField("durationNanos", facts.durationNanos());
    if (facts.parallelism().isPresent()) {
      json.writeNumberField("parallelism", facts.parallelism().getAsInt());
    } else {
      json.writeNullField("parallelism");
    }
    if (facts.waitingThreads().isPresent()) {
      json.writeNumberField("waitingThreads", facts.waitingThreads().getAsDouble());
    } else {
      json.writeNullField("waitingThreads");
    }
    textOrNull("agentVersion", facts.agent().map(RecordingFacts.Agent::version).orElse(""));
    json.writeEndObject();
  }

  private void since24(Since24 since24) throws IOException {
    json.writeStartObject();
    json.writeNumberField("goneNanos", since24.goneNanos());
    json.writeNumberField("staysNanos", since24.staysNanos());
    json.writeNumberField("unknownNanos", since24.unknownNanos());
    json.writeEndObject();
  }

  private void finding(Finding finding) throws IOException {
    json.writeStartObject();
    json.writeStringField("title", finding.title());
    json.writeFieldName("site");
    site(finding.site(), finding.cause());
    json.writeFieldName("owner");
    owner(finding.owner(), finding.site().className(), finding.site().method());
    json.writeFieldName("frame");
    frame(finding.frame());
    json.writeFieldName("caller");
    if (finding.caller().isPresent()) {
      Finding.Caller caller = finding.caller().get();
      json.writeStartObject();
      json.writeFieldName("frame");
      frame(Optional.of(caller.frame()));
      json.writeFieldName("owner");
      owner(caller.owner(), caller.frame().type().name(), caller.frame().method());
      json.writeEndObject();
    } else {
      json.writeNull();
    }
    json.writeObjectFieldStart("cost");
    cost(finding.cost());
    json.writeNumberField("shareOfPinned", finding.shareOfPinned());
    share("shareOfCapacity", finding.shareOfCapacity());
    json.writeNumberField("threads", finding.threads());
    json.writeEndObject();
    json.writeArrayFieldStart("operations");
    for (Finding.OperationCount each : finding.operations()) {
      json.writeStartObject();
      json.writeStringField("kind", name(each.operation().kind()));
      textOrNull("detail", each.operation().detail());
      json.writeNumberField("count", each.count());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("alsoHeld");
    for (Finding.AlsoHeld also : finding.alsoHeld()) {
      json.writeStartObject();
      json.writeFieldName("site");
      site(also.site(), also.cause());
      json.writeFieldName("owner");
      owner(also.owner(), also.site().className(), also.site().method());
      json.writeNumberField("count", also.count());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeObjectFieldStart("confidence");
    for (Confidence confidence : Confidence.values()) {
      if (finding.confidence().containsKey(confidence)) {
        json.writeNumberField(name(confidence), finding.confidence().get(confidence));
      }
    }
    json.writeEndObject();
    json.writeFieldName("lockObjects");
    lockObjects(finding.lockObjects());
    json.writeFieldName("advice");
    advised(advice.of(finding));
    json.writeEndObject();
  }

  private void advised(Advised advised) throws IOException {
    json.writeStartObject();
    json.writeFieldName("recommendation");
    recommendation(advised.recommendation());
    json.writeStringField("reason", advised.reason());
    json.writeArrayFieldStart("together");
    for (Recommendation each : advised.together()) {
      recommendation(each);
    }
    json.writeEndArray();
    json.writeObjectFieldStart("effect");
    freed("freed", advised.effect().freed());
    freed("ofFinding", advised.effect().ofFinding());
    freed("alone", advised.effect().aloneFreed());
    json.writeStringField("sharing", name(advised.effect().sharing()));
    json.writeObjectFieldStart("prediction");
    switch (advised.effect().prediction()) {
      case Prediction.Range range -> {
        json.writeNumberField("nowPerSecond", range.now());
        json.writeNumberField("leastPerSecond", range.least());
        json.writeNumberField("mostPerSecond", range.most());
        json.writeStringField("assumption", range.assumption());
      }
      case Prediction.None none -> json.writeStringField("notPredicted", none.why());
    }
    json.writeEndObject();
    json.writeEndObject();
    json.writeArrayFieldStart("alternatives");
    for (Advised.Alternative other : advised.alternatives()) {
      json.writeStartObject();
      json.writeFieldName("recommendation");
      recommendation(other.recommendation());
      freed("freed", other.freed());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void freed(String field, Freed freed) throws IOException {
    json.writeObjectFieldStart(field);
    json.writeNumberField("nanos", freed.nanos());
    json.writeNumberField("unsureNanos", freed.unsureNanos());
    json.writeEndObject();
  }

  private void recommendation(Recommendation recommendation) throws IOException {
    json.writeStartObject();
    switch (recommendation) {
      case Recommendation.Rewrite rewrite -> {
        json.writeStringField("kind", "REWRITE");
        json.writeArrayFieldStart("locks");
        for (Lock lock : rewrite.locks()) {
          lock(lock);
        }
        json.writeEndArray();
      }
      case Recommendation.UpgradeLibrary upgrade -> {
        json.writeStringField("kind", "UPGRADE_LIBRARY");
        json.writeStringField("library", upgrade.fix().library());
        json.writeStringField("from", upgrade.from());
        json.writeStringField("to", upgrade.to());
        json.writeStringField("lastSeenToPin", upgrade.fix().lastSeen());
        json.writeStringField("evidence", upgrade.fix().evidence());
      }
      case Recommendation.ChangePattern change -> {
        json.writeStringField("kind", "CHANGE_PATTERN");
        json.writeStringField("pattern", name(change.pattern()));
        json.writeStringField("place", change.place());
      }
      case Recommendation.UpgradeJdk jdk -> json.writeStringField("kind", "UPGRADE_JDK");
      case Recommendation.Keep keep -> {
        json.writeStringField("kind", "KEEP");
        switch (keep.why()) {
          case Why.Harmless harmless -> json.writeStringField("why", "HARMLESS");
          case Why.Refused refused -> refused("REFUSED", refused.declined());
          case Why.HeldTogether held -> {
            refused("HELD_TOGETHER", held.declined());
            json.writeStringField("other", held.other().name());
          }
          case Why.NotExplained unknown -> json.writeStringField("why", "NOT_EXPLAINED");
        }
      }
    }
    json.writeStringField("text", AdviceWords.toDo(recommendation));
    json.writeEndObject();
  }

  private void refused(String why, Decision.Declined declined) throws IOException {
    json.writeStringField("why", why);
    json.writeStringField("rung", name(declined.rung()));
    lockSites(declined.sites());
  }

  private void lockSites(List<LockSite> sites) throws IOException {
    json.writeArrayFieldStart("sites");
    for (LockSite site : sites) {
      json.writeStartObject();
      json.writeStringField("class", site.type().name());
      json.writeStringField("method", site.method());
      json.writeStringField("descriptor", site.descriptor());
      json.writeFieldName("region");
      region(site.region());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private void lockObjects(Optional<LockObjects> seen) throws IOException {
    if (seen.isEmpty()) {
      json.writeNull();
      return;
    }
    json.writeStartObject();
    json.writeNumberField("samples", seen.get().samples());
    json.writeNumberField("objects", seen.get().objects());
    json.writeNumberField("threads", seen.get().threads());
    json.writeNumberField("threadsOfBusiest", seen.get().threadsOfBusiest());
    json.writeEndObject();
  }

  private void site(Site site, PinCause cause) throws IOException {
    json.writeStartObject();
    json.writeStringField("kind", name(site.kind()));
    textOrNull("class", site.className());
    textOrNull("method", site.method());
    textOrNull("descriptor", site.descriptor());
    textOrNull("detail", site.detail());
    json.writeFieldName("region");
    if (cause instanceof PinCause.HeldMonitor held) {
      region(held.site().region());
    } else {
      json.writeNull();
    }
    json.writeEndObject();
  }

  private void region(MonitorRegion region) throws IOException {
    LockExpression lock = region.lock();
    json.writeStartObject();
    json.writeNumberField("enterBci", region.enterBci());
    json.writeNumberField("firstLine", region.firstLine());
    json.writeNumberField("lastLine", region.lastLine());
    json.writeObjectFieldStart("lock");
    json.writeStringField("kind", name(lock.kind()));
    textOrNull("owner", lock.owner());
    textOrNull("name", lock.name());
    json.writeStringField("text", lock.text());
    json.writeEndObject();
    json.writeEndObject();
  }

  private void owner(Owner owner, String className, String method) throws IOException {
    json.writeStartObject();
    switch (owner) {
      case Owner.Application application -> {
        json.writeStringField("kind", "APPLICATION");
        textOrNull("location", application.location());
      }
      case Owner.Library library -> {
        json.writeStringField("kind", "LIBRARY");
        textOrNull("location", library.location());
        textOrNull("group", library.coordinates().group());
        json.writeStringField("artifact", library.coordinates().artifact());
        textOrNull("version", library.coordinates().version());
        textOrNull(
            "fixedIn", advice.fixes().fixedIn(library.coordinates(), className, method).orElse(""));
      }
      case Owner.Jdk jdk -> json.writeStringField("kind", "JDK");
      case Owner.UnknownJar unknown -> {
        json.writeStringField("kind", "UNKNOWN_JAR");
        textOrNull("location", unknown.location());
      }
    }
    json.writeEndObject();
  }

  private void frame(Optional<Frame> frame) throws IOException {
    if (frame.isEmpty()) {
      json.writeNull();
      return;
    }
    json.writeStartObject();
    json.writeStringField("class", frame.get().type().name());
    json.writeStringField("method", frame.get().method());
    json.writeStringField("descriptor", frame.get().descriptor());
    json.writeNumberField("bci", frame.get().bci());
    json.writeNumberField("line", frame.get().line());
    json.writeEndObject();
  }

  private void cost(Cost cost) throws IOException {
    json.writeNumberField("count", cost.count());
    json.writeNumberField("totalNanos", cost.totalNanos());
    json.writeNumberField("longestNanos", cost.longestNanos());
    json.writeNumberField("p50Nanos", cost.p50Nanos());
    json.writeNumberField("p99Nanos", cost.p99Nanos());
  }

  private void share(String field, OptionalDouble share) throws IOException {
    if (share.isPresent()) {
      json.writeNumberField(field, share.getAsDouble());
    } else {
      json.writeNullField(field);
    }
  }

  private void texts(String field, List<String> texts) throws IOException {
    json.writeArrayFieldStart(field);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }

  private void textOrNull(String field, String text) throws IOException {
    if (text.isEmpty()) {
      json.writeNullField(field);
    } else {
      json.writeStringField(field, text);
    }
  }

  private static String name(Enum<?> constant) {
    return constant.name();
  }
}
