package io.github.vtdiag.fleet;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.account.Use;
import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Finding.Hang;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Finding.Wait;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.analysis.Identities;
import io.github.vtdiag.analysis.Identity;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.findings.Stalls;
import io.github.vtdiag.hang.WakeUpFaults;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.Launch;
import io.github.vtdiag.model.ServiceInfo;
import io.github.vtdiag.model.Sha256;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pipeline.Pipeline;
import io.github.vtdiag.recording.RecordingData;
import io.github.vtdiag.recording.RecordingFacts;
import io.github.vtdiag.verdict.Conclusions;
import io.github.vtdiag.waits.Stall;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/** Makes the rows of a recording that was read. */
final class RowsOfRecording {
  /** The date of a recording that could not be read. */
  static final String NO_DATE = "unknown";

  private static final int HASH = 32;
  private static final KnownFixes FIXES = KnownFixes.load();

  private final Map<Table, List<Row>> rows = new EnumMap<>(Table.class);
  private final Set<String> stacks = new TreeSet<>();
  private final Set<String> frames = new TreeSet<>();
  private final String key;
  private final RecordingFacts facts;
  private final ServiceInfo service;

  private RowsOfRecording(RecordingFacts facts, String key, ServiceInfo given) {
    this.key = key;
    this.facts = facts;
    this.service = given.or(facts.service());
  }

  static Row failed(String key, String name, long bytes, String failure, ServiceInfo given) {
    return common(key, given, NO_DATE)
        .put("name", name)
        .put("bytes", bytes)
        .put("failure", failure);
  }

  static Map<Table, List<Row>> of(
      RecordingData data, String key, String name, long bytes, ServiceInfo given)
      throws DataException {
    RowsOfRecording rows = new RowsOfRecording(data.facts(), key, given);
    Findings findings = Pipeline.ofRecordingsAlone().findings(List.of(data));
    rows.recording(findings, name, bytes);
    Identities identities = Identities.of(findings);
    findings.pins().forEach(pin -> rows.pin(pin, identities.of(pin)));
    findings.behaviors().forEach(other -> rows.behavior(other, identities.of(other)));
    rows.account(findings.account());
    findings.hangs().forEach(rows::hang);
    Stalls.found(data).forEach(rows::stall);
    findings.gaps().forEach(rows::gap);
    return rows.rows;
  }

  private static Row common(String key, ServiceInfo service, String date) {
    return new Row()
        .put("recording", key)
        .put("service_name", service.service())
        .put("version", service.version())
        .put("version_order", VersionOrder.key(service.version()))
        .put("service", LakeFiles.folder(service.service()))
        .put("date", date);
  }

  private Row row(Table table) {
    Row row = table.isDictionary() ? new Row() : common(key, service, date());
    rows.computeIfAbsent(table, t -> new ArrayList<>()).add(row);
    return row;
  }

  private String date() {
    return Instant.ofEpochSecond(0, facts.startNanos())
        .atZone(ZoneOffset.UTC)
        .toLocalDate()
        .toString();
  }

  private void recording(Findings findings, String name, long bytes) {
    Account account = findings.account();
    row(Table.RECORDING)
        .put("name", name)
        .put("bytes", bytes)
        .put("problems", String.join("; ", facts.problems()))
        .put("instance", service.instance())
        .put("namespace", service.namespace())
        .put("environment", service.environment())
        .put("pod", service.pod())
        .put("container", service.container())
        .put("vendor", service.vendor())
        .put("jdk_version", facts.jdkVersion())
        .put("jdk", facts.jdk())
        .put("faults", String.join(", ", faults(facts.jdkVersion())))
        .put("agent", facts.agent().map(RecordingFacts.Agent::version).orElse(""))
        .put("launched", launched(facts.launch()))
        .put("start_nanos", facts.startNanos())
        .put("duration_nanos", facts.durationNanos())
        .putIf("carriers", boxed(facts.parallelism()))
        .put("verdict", Conclusions.of(findings).kind().name())
        .put("pins", findings.cost().count())
        .put("pinned_nanos", findings.cost().totalNanos())
        .put("longest_nanos", findings.cost().longestNanos())
        .putIf("capacity_nanos", findings.capacity().map(Findings.Capacity::nanos))
        .putIf("gone_on_24_nanos", findings.since24().map(Findings.Since24::goneNanos))
        .putIf("queue_mean", account.queue().map(Account.CarrierQueue::mean))
        .putIf("monopolized_share", monopolized(account))
        .putIf(
            "longest_wait_nanos",
            findings.longestWait().isPresent()
                ? Optional.of(findings.longestWait().getAsLong())
                : Optional.empty())
        .put("durations", findings.cost().durations());
  }

  private static Optional<Integer> boxed(OptionalInt number) {
    return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
  }

  private static Optional<Double> monopolized(Account account) {
    return account
        .saturation()
        .filter(saturation -> account.spanNanos() > 0)
        .map(
            saturation ->
                saturation.nanos() * saturation.part(Use.JAVA) / (double) account.spanNanos());
  }

  private static String launched(Launch launch) {
    return launch.jar().isEmpty() ? launch.mainClass() : launch.jarName();
  }

  private static List<String> faults(String jdkVersion) {
    try {
      return jdkVersion.isEmpty()
          ? List.of()
          : WakeUpFaults.faults(Runtime.Version.parse(jdkVersion));
    } catch (IllegalArgumentException e) {
      return List.of(); // A version that no JDK has.
    }
  }

  private void pin(Pin pin, Identity identity) {
    Row row =
        row(Table.FINDING)
            .put("family", "pin")
            .put("kind", pin.kind().name())
            .put("title", pin.title())
            .put("place", pin.site().name())
            .put("limits", true)
            .put("count", pin.count())
            .put("total_nanos", pin.total())
            .put("longest_nanos", pin.longest())
            .put("threads", (double) pin.threads())
            .put("goes_on_24", !pin.site().pinsSince24())
            .put("stack", stack(pin.stack()))
            .put("durations", pin.cost().durations());
    identity(row, identity);
    row.put("inside_jdk", pin.owner() instanceof Owner.Jdk);
    // Only the caller can do anything about a monitor of the JDK's.
    if (pin.caller().isPresent()) {
      Pin.Caller caller = pin.caller().get();
      owner(row, caller.owner(), caller.frame().type().name(), caller.frame().method());
    } else {
      owner(row, pin.owner(), pin.site().className(), pin.site().method());
    }
  }

  private void behavior(Behavior behavior, Identity identity) {
    Observation seen = behavior.seen();
    Row row =
        row(Table.FINDING)
            .put("family", behavior instanceof Wait ? "wait" : "misuse")
            .put("kind", behavior.kind().name())
            .put("title", seen.site().map(Frame::qualifiedMethod).orElse(seen.subject()))
            .put("place", seen.subject())
            .put("limits", seen.limits())
            .put("count", seen.count())
            .putIf("threads", seen.atOnce().map(Observation.AtOnce::mean))
            .put("unit", seen.amount().unit().name())
            .put("amount", seen.amount().value());
    identity(row, identity);
    owner(
        row,
        seen.owner(),
        seen.inside().map(frame -> frame.type().name()).orElse(""),
        seen.inside().map(Frame::method).orElse(""));
  }

  private static void identity(Row row, Identity identity) {
    row.put("fingerprint", identity.fingerprint())
        .put("ambiguous", identity.ambiguous())
        .put("identity", identity.text());
  }

  private static void owner(Row row, Owner owner, String className, String method) {
    switch (owner) {
      case Owner.Application application -> row.put("owner", "application");
      case Owner.Jdk jdk -> row.put("owner", "JDK");
      case Owner.UnknownJar unknown -> row.put("owner", "unknown");
      case Owner.Library(Coordinates library, String location) ->
          row.put("owner", "library")
              .put("library", library.name())
              .put("library_version", library.version())
              .put("fixed_in", FIXES.fixedIn(library, className, method).orElse(""));
    }
  }

  private void account(Account account) {
    for (Use use : Use.values()) {
      Account.Share share = account.share(use);
      if (account.capacityNanos() > 0) {
        row(Table.ACCOUNT)
            .put("use", use.name())
            .put("nanos", share.nanos())
            .put("error_nanos", share.errorNanos())
            .put("at_least", share.atLeast());
      }
    }
  }

  private void hang(Hang hang) {
    Identities.of(hang)
        .forEach(
            (identity, places) ->
                row(Table.HANG)
                    .put("fingerprint", identity.fingerprint())
                    .put("identity", identity.text())
                    .put("kind", hang.seen().kind().wireName())
                    .put("deadlock", hang.seen().deadlock())
                    .put("ongoing", hang.isOngoing())
                    .put("certain", hang.seen().kind().isCertain())
                    .put("at_nanos", hang.seen().startNanos())
                    .put("verdict", hang.verdict()));
  }

  private void stall(Stall stall) {
    row(Table.STALL)
        .put("fingerprint", hash(stall.subject() + " in " + stall.method()).substring(0, HASH / 2))
        .put("subject", stall.subject())
        .put("method", stall.method())
        .put("threads", stall.threads())
        .put("longest_nanos", stall.longestNanos())
        .put("stack", stack(stall.stack()));
  }

  private void gap(Gap gap) {
    row(Table.GAP).put("kind", gap.kind().name()).put("text", gap.text());
  }

  /** Returns the hash of a stack, whose frames get rows the first time. */
  private String stack(StackTrace stack) {
    List<String> hashes = new ArrayList<>();
    for (Frame frame : stack.frames()) {
      String text =
          "%s.%s%s:%d"
              .formatted(frame.type().name(), frame.method(), frame.descriptor(), frame.line());
      String hash = hash(text);
      hashes.add(hash);
      if (frames.add(hash)) {
        row(Table.FRAME)
            .put("frame", hash)
            .put("class", frame.type().name())
            .put("method", frame.method())
            .put("descriptor", frame.descriptor())
            .put("line", frame.line());
      }
    }
    String hash = hash(String.join(" ", hashes));
    if (stacks.add(hash)) {
      for (int i = 0; i < hashes.size(); i++) {
        row(Table.STACK).put("stack", hash).put("position", i).put("frame", hashes.get(i));
      }
    }
    return hash;
  }

  private static String hash(String text) {
    byte[] digest = Sha256.digest().digest(text.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest).substring(0, HASH);
  }
}
