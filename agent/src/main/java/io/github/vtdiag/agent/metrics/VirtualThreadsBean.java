package io.github.vtdiag.agent.metrics;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The JMX bean; each attribute is computed when it is read. */
final class VirtualThreadsBean implements VirtualThreadsMXBean {
  private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

  private final Supplier<Meters.Reading> meters;
  private final Supplier<Optional<LiveScheduler.Now>> scheduler;

  VirtualThreadsBean(
      Supplier<Meters.Reading> meters, Supplier<Optional<LiveScheduler.Now>> scheduler) {
    this.meters = meters;
    this.scheduler = scheduler;
  }

  @Override
  public Integer getParallelism() {
    return scheduler.get().map(LiveScheduler.Now::parallelism).orElse(null);
  }

  @Override
  public Integer getPoolSize() {
    return scheduler.get().map(LiveScheduler.Now::poolSize).orElse(null);
  }

  @Override
  public Integer getMounted() {
    return scheduler
        .get()
        .filter(now -> now.mounted().isPresent())
        .map(now -> now.mounted().getAsInt())
        .orElse(null);
  }

  @Override
  public Long getQueued() {
    return scheduler.get().map(LiveScheduler.Now::queued).orElse(null);
  }

  private Optional<Meters.Watched> watched() {
    return meters.get().watched();
  }

  @Override
  public Integer getCarriersKept() {
    return watched()
        .filter(seen -> seen.kept().isPresent())
        .map(seen -> seen.kept().getAsInt())
        .orElse(null);
  }

  @Override
  public Map<String, Double> getCarrierSeconds() {
    return watched()
        .map(
            seen -> {
              Map<String, Double> seconds = new TreeMap<>();
              seen.carrierNanos()
                  .forEach((use, nanos) -> seconds.put(Exposition.lower(use), nanos / SECOND));
              return seconds;
            })
        .orElse(null);
  }

  @Override
  public Double getCarrierCpuSeconds() {
    return watched()
        .filter(seen -> seen.processorNanos().isPresent())
        .map(seen -> seen.processorNanos().getAsLong() / SECOND)
        .orElse(null);
  }

  @Override
  public Double getQueueSeconds() {
    return watched().map(seen -> seen.queuedNanos() / SECOND).orElse(null);
  }

  @Override
  public long getPins() {
    return meters.get().sites().stream().mapToLong(site -> site.values().count()).sum();
  }

  @Override
  public double getPinnedSeconds() {
    return meters.get().sites().stream().mapToLong(site -> site.values().nanos()).sum() / SECOND;
  }

  @Override
  public List<PinSite> getPinSites() {
    return meters.get().sites().stream()
        .sorted(Comparator.comparingLong((Meters.Site site) -> -site.values().nanos()))
        .map(
            site ->
                new PinSite(
                    site.site(),
                    Exposition.lower(site.kind()),
                    site.values().count(),
                    site.values().nanos() / SECOND,
                    site.values().longest() / SECOND))
        .toList();
  }

  @Override
  public int getPinSitesFolded() {
    return meters.get().folded();
  }

  @Override
  public Map<String, Long> getHangs() {
    return meters.get().hangs().map(Meters.Hangs::byKind).orElse(null);
  }

  @Override
  public Integer getHangsOpen() {
    return meters.get().hangs().map(Meters.Hangs::open).orElse(null);
  }
}
