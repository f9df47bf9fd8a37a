package io.github.vtdiag.usage;

import io.github.vtdiag.analysis.OtherFinding;
import io.github.vtdiag.analysis.OtherFinding.Amount;
import io.github.vtdiag.analysis.OtherFinding.AtOnce;
import io.github.vtdiag.analysis.OtherFinding.Detail;
import io.github.vtdiag.analysis.OtherFinding.Evidence;
import io.github.vtdiag.analysis.OtherFinding.Kind;
import io.github.vtdiag.analysis.OtherFinding.Unit;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.pin.ThreadEvent;
import io.github.vtdiag.program.Owner;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A finding while it is put together. */
final class Found {
  private final Kind kind;
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

  Found(Kind kind, Optional<Frame> inside) {
    this.kind = kind;
    this.inside = inside;
  }

  Found(Kind kind, Frame inside) {
    this(kind, Optional.of(inside));
  }

  Found subject(String text) {
    subject = text;
    return this;
  }

  /** The place in the application; the code is its own where there is no other in between. */
  Found at(Optional<Frame> application, Places places) {
    site = application;
    owner = inside.or(() -> application).map(places::owner).orElse(owner);
    return this;
  }

  /** From samples. */
  Found carrierNanos(double nanos) {
    amount = new Amount(Unit.CARRIER_NANOS, nanos, true);
    return this;
  }

  Found amount(Unit unit, double value, boolean estimated) {
    amount = new Amount(unit, value, estimated);
    return this;
  }

  Found threads(long number, boolean estimated) {
    return amount(Unit.COUNT, (double) number, estimated);
  }

  Found seen(long times, ThreadEvent event) {
    return seen(times, event.eventName());
  }

  Found seen(long times, String event) {
    count += times;
    evidence += times;
    events.add(event);
    return this;
  }

  Found evidence(long times) {
    count = times;
    evidence = times;
    return this;
  }

  Found threshold(long nanos) {
    threshold = OptionalLong.of(nanos);
    return this;
  }

  Found atOnce(double mean, long most, double share) {
    atOnce = Optional.of(new AtOnce(mean, most, share));
    return this;
  }

  Found limits(boolean does) {
    limits = does;
    return this;
  }

  Found detail(String name, long number) {
    details.add(Detail.of(name, Unit.COUNT, (double) number, false));
    return this;
  }

  Found detail(String name, Unit unit, double value) {
    details.add(Detail.of(name, unit, value, true));
    return this;
  }

  Found detail(String name, String text) {
    details.add(Detail.of(name, text));
    return this;
  }

  OtherFinding finding() {
    return new OtherFinding(
        kind,
        subject.isEmpty() ? inside.or(() -> site).map(Frame::qualifiedMethod).orElse("") : subject,
        site,
        inside,
        owner,
        amount,
        count,
        atOnce,
        limits,
        details,
        new Evidence(List.copyOf(events), evidence, threshold));
  }
}
