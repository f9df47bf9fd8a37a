package io.github.vtdiag.agent.metrics;

import io.github.vtdiag.account.Use;
import io.github.vtdiag.model.PinEpisode;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Unit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A reading as text that Prometheus and others accept. */
final class Exposition {
  private static final ExpositionFormatWriter OPEN_METRICS =
      OpenMetricsTextFormatWriter.builder().setCreatedTimestampsEnabled(false).build();
  private static final ExpositionFormatWriter PLAIN =
      PrometheusTextFormatWriter.builder().setIncludeCreatedTimestamps(false).build();

  private final String version;

  Exposition(String version) {
    this.version = version;
  }

  /** The text and its content type, which goes into the header. */
  record Text(String contentType, ByteArrayOutputStream body) {}

  /**
   * Returns the text of a reading.
   *
   * @param accept the types that the client accepts; the format before OpenMetrics is only for
   *     clients that ask for it
   */
  Text write(Meters.Reading reading, Optional<LiveScheduler.Now> scheduler, String accept) {
    boolean plain =
        accept.contains("text/plain") && !accept.contains("application/openmetrics-text");
    ExpositionFormatWriter writer = plain ? PLAIN : OPEN_METRICS;
    ByteArrayOutputStream out = new ByteArrayOutputStream(8_192);
    try {
      writer.write(out, snapshots(reading, scheduler), EscapingScheme.UNDERSCORE_ESCAPING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Text(writer.getContentType(), out);
  }

  private MetricSnapshots snapshots(Meters.Reading reading, Optional<LiveScheduler.Now> scheduler) {
    List<MetricSnapshot> all = new ArrayList<>();
    all.add(
        InfoSnapshot.builder()
            .name("vtdiag_agent")
            .help("The agent that measured this.")
            .dataPoint(
                InfoDataPointSnapshot.builder().labels(Labels.of("version", version)).build())
            .build());
    all.add(
        HistogramSnapshot.builder()
            .name("jvm_thread_virtual_pinned_seconds")
            .help("Duration of virtual thread pinning, as jdk.VirtualThreadPinned tells it.")
            .unit(Unit.SECONDS)
            .dataPoint(point(Labels.EMPTY, reading.pinned()))
            .build());
    all.add(
        counter(
            "jvm_thread_virtual_submit_failed",
            "Virtual threads that could not be started or resumed, as"
                + " jdk.VirtualThreadSubmitFailed tells it.",
            (double) reading.submitsFailed()));
    all.add(pins(reading));
    all.add(
        counter(
            "vtdiag_pin_sites_folded",
            "Places beyond the first " + Meters.MOST_SITES + ", which share site=\"other\".",
            reading.folded()));
    reading.watched().ifPresent(watched -> add(watched, all));
    reading.threads().ifPresent(threads -> add(threads, all));
    reading.hangs().ifPresent(hangs -> add(hangs, all));
    scheduler.ifPresent(now -> add(now, all));
    return new MetricSnapshots(all);
  }

  private static HistogramSnapshot pins(Meters.Reading reading) {
    HistogramSnapshot.Builder builder =
        HistogramSnapshot.builder()
            .name("vtdiag_pin_duration_seconds")
            .help("How long waiting virtual threads kept their carriers, by the place that did it.")
            .unit(Unit.SECONDS);
    for (Meters.Site site : reading.sites()) {
      builder.dataPoint(
          point(Labels.of("kind", lower(site.kind()), "site", site.site()), site.values()));
    }
    return builder.build();
  }

  static String lower(PinEpisode.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  static String lower(Use use) {
    return use.name().toLowerCase(Locale.ROOT);
  }

  private static void add(Meters.Watched watched, List<MetricSnapshot> all) {
    watched
        .kept()
        .ifPresent(
            kept ->
                all.add(
                    gauge(
                        "vtdiag_carriers_kept",
                        "Carriers whose virtual thread has waited for the watch's threshold or"
                            + " longer, and still does.",
                        kept)));
    if (watched.others().count() > 0) {
      all.add(
          gauge(
              "vtdiag_other_scheduler_carriers",
              "Carriers of other schedulers than the JDK's, which the other metrics leave out.",
              watched.others().count()));
      all.add(
          gauge(
              "vtdiag_other_scheduler_carriers_kept",
              "Those of them whose virtual thread has waited for the watch's threshold or longer,"
                  + " and still does.",
              watched.others().kept()));
    }
    CounterSnapshot.Builder uses =
        CounterSnapshot.builder()
            .name("vtdiag_carrier_time_seconds")
            .help("Where the carriers' time went: the time of all carriers, by use.")
            .unit(Unit.SECONDS);
    watched
        .carrierNanos()
        .forEach(
            (use, nanos) ->
                uses.dataPoint(
                    CounterDataPointSnapshot.builder()
                        .labels(Labels.of("use", lower(use)))
                        .value(Unit.nanosToSeconds(nanos))
                        .build()));
    all.add(uses.build());
    watched
        .processorNanos()
        .ifPresent(
            nanos ->
                all.add(
                    seconds(
                        "vtdiag_carrier_cpu_seconds", "Processor time of the carriers.", nanos)));
    all.add(
        seconds(
            "vtdiag_queue_time_seconds",
            "Time that virtual threads waited for a carrier, all together.",
            watched.queuedNanos()));
    all.add(
        seconds(
            "vtdiag_queue_occupied_seconds",
            "Time in which any virtual thread waited for a carrier.",
            watched.someQueuedNanos()));
    all.add(
        seconds(
            "vtdiag_carriers_exhausted_seconds",
            "Time in which virtual threads waited for a carrier and none was idle.",
            watched.exhaustedNanos()));
  }

  private static void add(Meters.Hangs hangs, List<MetricSnapshot> all) {
    CounterSnapshot.Builder told =
        CounterSnapshot.builder()
            .name("vtdiag_hangs")
            .help("Hangs that the agent reported, by kind.");
    for (Map.Entry<String, Long> kind : hangs.byKind().entrySet()) {
      told.dataPoint(
          CounterDataPointSnapshot.builder()
              .labels(Labels.of("kind", kind.getKey()))
              .value(kind.getValue())
              .build());
    }
    all.add(told.build());
    all.add(gauge("vtdiag_hangs_open", "Hangs that last.", hangs.open()));
  }

  private static void add(Meters.Threads threads, List<MetricSnapshot> all) {
    all.add(gauge("vtdiag_threads_alive", "Virtual threads.", (double) threads.alive()));
    all.add(
        gauge(
            "vtdiag_threads_waiting",
            "Virtual threads that wait without a carrier.",
            (double) threads.waiting()));
  }

  private static void add(LiveScheduler.Now now, List<MetricSnapshot> all) {
    all.add(
        gauge(
            "vtdiag_scheduler_parallelism",
            "How many carriers the scheduler aims at.",
            now.parallelism()));
    all.add(gauge("vtdiag_scheduler_pool_size", "Carriers that there are.", now.poolSize()));
    all.add(
        gauge(
            "vtdiag_scheduler_queued_threads",
            "Virtual threads that wait for a carrier.",
            (double) now.queued()));
    now.mounted()
        .ifPresent(
            mounted ->
                all.add(
                    gauge(
                        "vtdiag_scheduler_mounted_threads",
                        "Virtual threads that are on a carrier.",
                        mounted)));
  }

  private static HistogramDataPointSnapshot point(Labels labels, Histogram.Values values) {
    return HistogramDataPointSnapshot.builder()
        .labels(labels)
        .classicHistogramBuckets(ClassicHistogramBuckets.of(Histogram.SECONDS, values.counts()))
        .sum(Unit.nanosToSeconds(values.nanos()))
        .build();
  }

  private static CounterSnapshot counter(String name, String help, double value) {
    return CounterSnapshot.builder()
        .name(name)
        .help(help)
        .dataPoint(CounterDataPointSnapshot.builder().value(value).build())
        .build();
  }

  private static CounterSnapshot seconds(String name, String help, long nanos) {
    return CounterSnapshot.builder()
        .name(name)
        .help(help)
        .unit(Unit.SECONDS)
        .dataPoint(CounterDataPointSnapshot.builder().value(Unit.nanosToSeconds(nanos)).build())
        .build();
  }

  private static GaugeSnapshot gauge(String name, String help, double value) {
    return GaugeSnapshot.builder()
        .name(name)
        .help(help)
        .dataPoint(GaugeDataPointSnapshot.builder().value(value).build())
        .build();
  }
}
