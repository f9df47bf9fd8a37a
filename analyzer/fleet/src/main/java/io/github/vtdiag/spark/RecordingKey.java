package io.github.vtdiag.spark;

import io.github.vtdiag.fleet.Rows;
import java.io.IOException;
import java.io.InputStream;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;

/**
 * The key of a recording, computed where it lies. The lake's keys stay with the driver: it can have
 * millions.
 */
final class RecordingKey implements Function<RecordingFile, String> {
  private final Broadcast<SerializableConfiguration> configuration;

  RecordingKey(Broadcast<SerializableConfiguration> configuration) {
    this.configuration = configuration;
  }

  @Override
  public String call(RecordingFile file) {
    try (InputStream in = file.open(configuration.value().value())) {
      return Rows.key(in, file.name());
    } catch (IOException e) {
      // It has no key, and its rows will say why.
      return "";
    }
  }
}
