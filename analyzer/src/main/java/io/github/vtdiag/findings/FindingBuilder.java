package io.github.vtdiag.findings;

import io.github.vtdiag.analysis.Finding.Misuse;
import io.github.vtdiag.analysis.Observation;
import io.github.vtdiag.analysis.Observation.Amount;
import io.github.vtdiag.analysis.Observation.AtOnce;
import io.github.vtdiag.analysis.Observation.Detail;
import io.github.vtdiag.analysis.Observation.Evidence;
import io.github.vtdiag.analysis.Observation.Unit;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pin.ThreadEvent;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A builder of findings. */
final class FindingBuilder {
  private final MisuseKind kind;
  private final Optional<Frame> inside;
  private String subject = "";
  private Optional<Frame> site = Optional.empty();
  private Owner owner = new Owner.UnknownJar("");
  private Amount amount = new Amount(Unit.COUNT, 0, false);
  private long count;
  private Optional<AtOnce> atOnce = Optional.empty();
  private boolean limits;
  private final List<Detail> details = new ArrayList<>();
  private final Set<String> events = new LinkedHashSet<>();
  private long evidence;
  private OptionalLong threshold = OptionalLong.empty();

  FindingBuilder(MisuseKind kind, Optional<Frame> inside) {
    this.kind = kind;
    this.inside = inside;
  }

  FindingBuilder(MisuseKind kind, Frame inside) {
    this(kind, Optional.of(inside));
  }

  FindingBuilder subject(String text) {
    subject = text;
    return this;
  }

  /**
   * Sets the place in the application. If no method of others is in between, it also owns the code.
   */
  FindingBuilder at(Optional<Frame> application, Places places) {
    site = application;
    owner = inside.or(() -> application).map(places::owner).orElse(owner);
    return this;
  }

  /** Sets the amount to carrier time estimated from samples. */
  FindingBuilder carrierNanos(double nanos) {
    amount = new Amount(Unit.CARRIER_NANOS, nanos, true);
    return this;
  }

  FindingBuilder amount(Unit unit, double value, boolean estimated) {
    amount = new Amount(unit, value, estimated);
    return this;
  }

  FindingBuilder threads(long number, boolean estimated) {
    return amount(Unit.COUNT, (double) number, estimated);
  }

  FindingBuilder seen(long times, ThreadEvent event) {
    return seen(times, event.eventName());
  }

  FindingBuilder seen(long times, String event) {
    count += times;
    evidence += times;
    events.add(event);
    return this;
  }

  FindingBuilder evidence(long times) {
    count = times;
    evidence = times;
    return this;
  }

  FindingBuilder threshold(long nanos) {
    threshold = OptionalLong.of(nanos);
    return this;
  }

  FindingBuilder atOnce(double mean, long most, double share) {
    atOnce = Optional.of(new AtOnce(mean, most, share));
    return this;
  }

  FindingBuilder limits(boolean does) {
    limits = does;
    return this;
  }

  FindingBuilder detail(String name, long number) {
    details.add(Detail.of(name, Unit.COUNT, (double) number, false));
    return this;
  }

  FindingBuilder detail(String name, Unit unit, double value) {
    details.add(Detail.of(name, unit, value, true));
    return this;
  }

  FindingBuilder detail(String name, String text) {
    details.add(Detail.of(name, text));
    return this;
  }

  Misuse finding() {
    return new Misuse(
        kind,
        new Observation(
            subject.isEmpty()
                ? inside.or(() -> site).map(Frame::qualifiedMethod).orElse("")
                : subject,
            Set.of(),
            site,
            inside,
            owner,
            amount,
            count,
            atOnce,
            limits,
            details,
            new Evidence(List.copyOf(events), evidence, threshold)));
  }
}
