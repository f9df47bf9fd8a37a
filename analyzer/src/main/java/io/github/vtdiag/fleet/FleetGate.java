package io.github.vtdiag.fleet;

import io.github.vtdiag.analysis.Gap;
import io.github.vtdiag.fleet.FleetVerdict.Group;
import io.github.vtdiag.fleet.FleetVerdict.Kind;
import io.github.vtdiag.gate.Allowance;
import io.github.vtdiag.gate.Gate;
import io.github.vtdiag.gate.Gathered;
import io.github.vtdiag.gate.Measure;
import io.github.vtdiag.gate.Policy;
import io.github.vtdiag.gate.Scope;
import io.github.vtdiag.model.DataException;
import io.github.vtdiag.policy.PolicyFile;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Judges the recordings of each group by a policy, as the gate judges one run's. If the lake lacks
 * something, such as the classes for a limit of one package, there is no proof.
 */
public final class FleetGate {
  private static final int NAMED = 3;
  private static final String JDK = "JDK";

  /** The pins of a group at one site. */
  private record Site(
      String name,
      List<String> names,
      String owner,
      boolean insideJdk,
      long count,
      long total,
      long longest,
      String shownBy) {}

  /** The sums of a group. */
  private static final class Known {
    long recordings;
    double duration;
    OptionalDouble capacity = OptionalDouble.empty();
    OptionalDouble queue = OptionalDouble.empty();
    OptionalDouble monopolized = OptionalDouble.empty();
    OptionalDouble idle = OptionalDouble.empty();
    OptionalDouble wait = OptionalDouble.empty();
    final List<Site> sites = new ArrayList<>();
    final List<Gap> gaps = new ArrayList<>();
    final List<String> unread = new ArrayList<>();
    final List<String> hangs = new ArrayList<>();
    final List<String> maybe = new ArrayList<>();
    final Set<String> hung = new TreeSet<>();
  }

  private final Policy policy;
  private final Map<String, Known> groups = new LinkedHashMap<>();

  private FleetGate(Policy policy) {
    this.policy = policy;
  }

  /** Returns the policy of a file, as far as a fleet can be held against it. */
  public static Policy policy(PolicyFile file, LocalDate today) throws DataException {
    if (file.limits().isEmpty()) {
      throw new DataException(
          file.source() + ": has no limits, and a fleet has no baseline; add some");
    }
    return new Policy(
        file.limits(),
        file.allowances(),
        Optional.empty(),
        file.evidence(),
        file.warmUp().isPresent() ? List.of("the warm-up") : List.of(),
        today,
        Optional.of(file.source()));
  }

  /**
   * Judges a lake.
   *
   * @param by of {@link FleetAnswers#DIMENSIONS}
   * @param since only versions from this one on; empty for all
   */
  public static FleetVerdict judge(LakeEngine engine, List<String> by, String since, Policy policy)
      throws DataException {
    FleetAnswers.views(engine, since);
    FleetGate gate = new FleetGate(policy);
    gate.read(engine, by);
    List<Group> judged = new ArrayList<>();
    gate.groups.forEach((group, known) -> judged.add(gate.judge(group, known)));
    judged.sort(Comparator.comparing(Group::kind).reversed().thenComparing(Group::name));
    return new FleetVerdict(by, judged);
  }

  private void read(LakeEngine engine, List<String> by) throws DataException {
    String group =
        "concat_ws(' ', "
            + String.join(
                ", ",
                by.stream()
                    .map(key -> "coalesce(CAST(r.%s AS STRING), 'unknown %s')".formatted(key, key))
                    .toList())
            + ")";
    // If one of them does not tell a figure, the group does not.
    for (List<Object> row :
        rows(
            engine,
            """
            SELECT GROUP AS g, count(*), sum(duration_nanos),
              CASE WHEN count(capacity_nanos) = count(*) THEN sum(capacity_nanos) END,
              CASE WHEN count(queue_mean) = count(*)
                THEN sum(queue_mean * duration_nanos) / greatest(sum(duration_nanos), 1) END,
              CASE WHEN count(monopolized_share) = count(*)
                THEN sum(monopolized_share * duration_nanos) / greatest(sum(duration_nanos), 1) END,
              CASE WHEN count(i.share) = count(*) THEN avg(i.share) END,
              CASE WHEN count(longest_wait_nanos) = count(*) THEN max(longest_wait_nanos) END
            FROM r LEFT JOIN (
              SELECT recording,
                sum(nanos) FILTER (WHERE use = 'IDLE') / CAST(greatest(sum(nanos), 1) AS DOUBLE)
                  AS share,
                sum(nanos) FILTER (WHERE use = 'UNKNOWN') / CAST(greatest(sum(nanos), 1) AS DOUBLE)
                  AS unknown
              FROM account GROUP BY recording HAVING unknown < 0.1) i USING (recording)
            GROUP BY g\
            """,
            group)) {
      Known known = known(row);
      known.recordings = number(row, 1);
      known.duration = figure(row, 2).orElse(0);
      known.capacity = figure(row, 3);
      known.queue = figure(row, 4);
      known.monopolized = figure(row, 5);
      known.idle = figure(row, 6);
      known.wait = figure(row, 7);
    }
    for (List<Object> row :
        rows(
            engine,
            """
            SELECT GROUP AS g, min(f.title), min(f.place), f.fingerprint,
              min(f.identity), min(f.owner), sum(f.count), sum(f.total_nanos),
              max(f.longest_nanos), max_by(r.name, (f.longest_nanos, r.name)), bool_or(f.inside_jdk)
            FROM f JOIN r USING (recording) WHERE f.family = 'pin'
            GROUP BY g, f.fingerprint, f.ambiguous\
            """,
            group)) {
      List<String> names = Stream.of(1, 2, 3, 4).map(i -> text(row, i)).toList();
      known(row)
          .sites
          .add(
              new Site(
                  names.getFirst(),
                  names,
                  text(row, 5),
                  Boolean.TRUE.equals(row.get(10)),
                  number(row, 6),
                  number(row, 7),
                  number(row, 8),
                  text(row, 9)));
    }
    for (List<Object> row :
        rows(
            engine,
            "SELECT DISTINCT GROUP AS g, gap.kind, gap.text, r.name"
                + " FROM gap JOIN r USING (recording)",
            group)) {
      known(row).gaps.add(new Gap(Gap.Kind.valueOf(text(row, 1)), text(row, 3), text(row, 2)));
    }
    for (List<Object> row :
        rows(
            engine,
            "SELECT GROUP AS g, hang.verdict, hang.certain, r.name"
                + " FROM hang JOIN r USING (recording) WHERE hang.ongoing",
            group)) {
      Known known = known(row);
      (Boolean.TRUE.equals(row.get(2)) ? known.hangs : known.maybe)
          .add(text(row, 3) + ": " + text(row, 1));
      known.hung.add(text(row, 3));
    }
    for (List<Object> row :
        rows(
            engine,
            "SELECT GROUP AS g, r.failure FROM recording r WHERE r.failure IS NOT NULL",
            group)) {
      known(row).unread.add(text(row, 1));
    }
  }

  private static List<List<Object>> rows(LakeEngine engine, String sql, String group)
      throws DataException {
    List<List<Object>> rows =
        new ArrayList<>(engine.query(sql.replace("GROUP AS g", group + " AS g")).rows());
    // Engines do not agree where unknown values come.
    rows.sort(Comparator.comparing(List::toString));
    return rows;
  }

  private Known known(List<Object> row) {
    return groups.computeIfAbsent(text(row, 0), name -> new Known());
  }

  private static String text(List<Object> row, int column) {
    return row.get(column) == null ? "" : row.get(column).toString();
  }

  private static long number(List<Object> row, int column) {
    return switch (row.get(column)) {
      case BigInteger number -> Long.MAX_VALUE;
      case Number number -> number.longValue();
      case null, default -> 0;
    };
  }

  private static OptionalDouble figure(List<Object> row, int column) {
    return row.get(column) instanceof Number number
        ? OptionalDouble.of(number.doubleValue())
        : OptionalDouble.empty();
  }

  private Group judge(String name, Known known) {
    List<String> broken = new ArrayList<>();
    List<String> unproven = new ArrayList<>(Gate.unproven(known.gaps, policy));
    List<String> warnings = new ArrayList<>();
    Set<String> shownBy = new TreeSet<>();
    (policy.evidence().allowIncomplete() ? warnings : unproven).addAll(known.unread);
    for (Allowance allowance : policy.allowances()) {
      if (allowance.hasExpired(policy.today())) {
        broken.add(
            "the allowance for %s (%s) expired on %s"
                .formatted(allowance.site(), allowance.owner(), allowance.expires()));
      }
    }
    List<Site> counted =
        known.sites.stream()
            .filter(site -> policy.allowances().stream().noneMatch(of -> of.covers(site.names())))
            .toList();
    for (Policy.Limit limit : policy.limits()) {
      Measure measure = limit.measure();
      String owner = owner(limit.scope());
      if (owner == null) {
        unproven.add(
            "the lake does not tell whose pins %s in %s is about; hold that limit against the"
                    .formatted(measure.text(), limit.origin())
                + " recordings with vtdiag gate");
        continue;
      }
      List<Site> sites =
          counted.stream()
              .filter(
                  site ->
                      owner.isEmpty()
                          || owner.equals(site.owner())
                          || (owner.equals(JDK) && site.insideJdk()))
              .toList();
      OptionalDouble figure = measure.gathered().apply(gathered(known, sites));
      if (figure.isEmpty()) {
        unproven.add("some of the recordings do not tell the " + measure.text());
      } else if (measure.bound().isBroken(figure.getAsDouble(), limit.value())) {
        broken.add(sentence(limit, figure.getAsDouble(), sites));
        worst(sites).map(Site::shownBy).forEach(shownBy::add);
      }
    }
    (policy.evidence().allowHang() ? warnings : broken).addAll(known.hangs);
    (policy.mayStall() ? warnings : unproven).addAll(known.maybe);
    shownBy.addAll(known.hung);
    if (!policy.ignored().isEmpty()) {
      warnings.add("the warm-up is not left out: a lake has recordings as wholes");
    }
    boolean proved = unproven.isEmpty() || policy.evidence().allowNoData();
    Kind kind = !broken.isEmpty() ? Kind.FAIL : proved ? Kind.PASS : Kind.NO_DATA;
    if (kind != Kind.NO_DATA) {
      warnings.addAll(unproven);
      unproven.clear();
    }
    return new Group(
        name,
        kind,
        known.recordings,
        broken,
        unproven,
        warnings,
        shownBy.stream().limit(NAMED).toList());
  }

  private static String sentence(Policy.Limit limit, double figure, List<Site> sites) {
    Measure measure = limit.measure();
    String at =
        measure.about() == Measure.About.PINS
            ? worst(sites).map(site -> ", most of it at " + site.name()).findFirst().orElse("")
            : "";
    return "%s %s, limit %s (%s)%s"
        .formatted(
            measure.text(),
            measure.unit().text(figure, limit.value()),
            measure.unit().text(limit.value(), figure),
            limit.origin(),
            at);
  }

  private static Stream<Site> worst(List<Site> sites) {
    return sites.stream().sorted(Comparator.comparingLong(Site::total).reversed()).limit(NAMED);
  }

  /**
   * Returns the owner whose pins count, as the lake names it; empty for all pins, null if the lake
   * has no such owner.
   */
  private static String owner(Scope scope) {
    return switch (scope) {
      case Scope.Everybody all -> "";
      case Scope.Application own -> "application";
      case Scope.Libraries libraries -> "library";
      case Scope.Jdk jdk -> JDK;
      default -> null;
    };
  }

  private static Gathered gathered(Known known, List<Site> sites) {
    return new Gathered(
        sites.stream().mapToLong(Site::count).sum(),
        sites.stream().mapToLong(Site::total).sum(),
        sites.stream().mapToLong(Site::longest).max().orElse(0),
        known.duration,
        known.capacity,
        known.queue,
        known.monopolized,
        known.idle,
        known.wait);
  }
}
