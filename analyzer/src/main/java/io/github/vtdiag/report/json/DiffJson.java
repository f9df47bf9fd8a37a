package io.github.vtdiag.report.json;

import io.github.vtdiag.baseline.Conditions;
import io.github.vtdiag.baseline.Difference;
import io.github.vtdiag.baseline.RunSummary;
import io.github.vtdiag.baseline.Tolerance;
import io.github.vtdiag.baseline.WholeChange;
import java.util.stream.Stream;

/** Writes the changes from one run to another as JSON. */
final class DiffJson {
  private DiffJson() {}

  static void members(JsonObject json, Difference difference) {
    json.object("before", run -> run(run, difference.before()))
        .object("after", run -> run(run, difference.after()))
        .put("comparable", difference.isComparable())
        .put("verdict", difference.verdict())
        .object("whole", difference.whole(), DiffJson::whole)
        .texts(
            "obstacles",
            Stream.concat(difference.obstacles().stream(), difference.starved().stream()).toList())
        .texts("untold", difference.untold())
        .texts("remarks", difference.remarks())
        .object("tolerance", tolerance -> tolerance(tolerance, difference.tolerance()))
        .array("changes", difference.changes(), ChangeJson::write)
        .array("others", difference.others(), ChangeJson::write);
  }

  private static void whole(JsonObject json, WholeChange whole) {
    json.object("blockedCarriers", pair -> pair(pair, whole.blocked()))
        .object("queuedThreads", whole.queued(), DiffJson::pair)
        .object("work", whole.work(), DiffJson::work)
        .object("blockedSecondsPerWork", whole.blockedPerWork(), DiffJson::pair);
  }

  private static void work(JsonObject json, WholeChange.Work work) {
    json.texts("methods", work.methods().stream().sorted().toList())
        .object("perSecond", pair -> pair(pair, work.perSecond()));
  }

  private static void pair(JsonObject json, WholeChange.Pair pair) {
    json.put("before", pair.before()).put("after", pair.after());
  }

  private static void tolerance(JsonObject json, Tolerance tolerance) {
    json.put("factor", tolerance.factor())
        .put("longestNanos", tolerance.longestNanos())
        .put("medianNanos", tolerance.typicalNanos())
        .put("pins", tolerance.pins())
        .put("newNanos", tolerance.newNanos());
  }

  private static void run(JsonObject json, RunSummary run) {
    Conditions of = run.conditions();
    json.put("name", run.name())
        .numbers("java", of.jdks())
        .put("recordings", of.recordings())
        .put("durationNanos", of.durationNanos())
        .put("watched", of.watched())
        .put("load", of.load())
        .put("findings", run.findings().size())
        .put("others", run.others().size());
  }
}
