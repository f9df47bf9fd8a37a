package io.github.vtdiag.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.vtdiag.model.ServiceInfo;
import io.github.vtdiag.recording.Jvms;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RowsTest {
  private static Map<String, Object> recording(Rows rows) {
    return rows.tables().get(Table.RECORDING).getFirst().values();
  }

  private static Rows of(byte[] bytes) {
    return Rows.of(new ByteArrayInputStream(bytes), "x.jfr", ServiceInfo.UNKNOWN);
  }

  private static void assertFails(String reason, byte[] bytes) {
    Rows rows = of(bytes);
    assertTrue(rows.failure().contains(reason), rows.failure());
    assertFalse(rows.failure().contains("\n"), rows.failure());
    assertEquals(Set.of(Table.RECORDING), rows.tables().keySet());
    Map<String, Object> row = recording(rows);
    assertEquals(rows.failure(), row.get("failure"));
    assertEquals((long) bytes.length, row.get("bytes"));
    assertEquals(64, rows.key().length());
  }

  @ParameterizedTest
  @EnumSource
  void whatIsNoRecordingIsARowWithItsReason(Jvms jvm) throws Exception {
    byte[] whole = Files.readAllBytes(jvm.record("default", "agent"));
    assertFails("is empty", new byte[0]);
    assertFails("is no recording; it looks like text", "hello".getBytes(StandardCharsets.UTF_8));
    assertFails("nothing can be read", Arrays.copyOf(whole, 80));
    byte[] java8 = whole.clone();
    java8[5] = 0;
    assertFails("Java 8", java8);
    ByteArrayOutputStream two = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(two)) {
      for (String name : List.of("a.jfr", "b.jfr")) {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(whole);
        zip.closeEntry();
      }
    }
    assertFails("holds several recordings", two.toByteArray());
  }

  @ParameterizedTest
  @EnumSource
  void aRecordingThatIsCutOffHasWhatThereIsOfIt(Jvms jvm) throws Exception {
    byte[] whole = Files.readAllBytes(jvm.record("default", "agent"));
    Rows rows = of(Arrays.copyOf(whole, whole.length * 9 / 10));
    assertEquals("", rows.failure());
    assertTrue(recording(rows).get("problems").toString().contains("cut off"));
    byte[] future = whole.clone();
    future[5] = 9;
    assertTrue(recording(of(future)).get("problems").toString().contains("newer"));
  }

  @ParameterizedTest
  @EnumSource
  void aStreamThatFailsIsARowWithItsReason(Jvms jvm) throws Exception {
    byte[] whole = Files.readAllBytes(jvm.record("default", "agent"));
    InputStream failing =
        new FilterInputStream(new ByteArrayInputStream(whole)) {
          private int left = whole.length / 2;

          @Override
          public int read(byte[] bytes, int from, int length) throws IOException {
            if (left <= 0) {
              throw new IOException("the store is gone");
            }
            left -= length;
            return super.read(bytes, from, length);
          }
        };
    Rows rows = Rows.of(failing, "x.jfr", ServiceInfo.UNKNOWN);
    assertTrue(
        (rows.failure() + recording(rows).get("problems")).contains("the store is gone"),
        rows.failure());
  }

  @ParameterizedTest
  @EnumSource
  void theRowsDependOnTheBytesAlone(Jvms jvm) throws Exception {
    byte[] whole = Files.readAllBytes(jvm.record("default", "agent"));
    Rows rows = of(whole);
    assertEquals("", rows.failure());
    assertEquals(rows.tables().toString(), of(whole).tables().toString());
    // However few bytes a store gives at a time.
    InputStream slow =
        new FilterInputStream(new ByteArrayInputStream(whole)) {
          @Override
          public int read(byte[] bytes, int from, int length) throws IOException {
            return super.read(bytes, from, Math.min(length, 1_000));
          }
        };
    assertEquals(
        rows.tables().toString(), Rows.of(slow, "x.jfr", ServiceInfo.UNKNOWN).tables().toString());
    for (Map.Entry<Table, List<Row>> table : rows.tables().entrySet()) {
      Set<String> columns = new HashSet<>();
      table.getKey().columns().forEach(column -> columns.add(column.name()));
      for (Row row : table.getValue()) {
        assertTrue(columns.containsAll(row.values().keySet()), row::toString);
      }
    }
  }

  /** What another thread would do, this one's group would count. */
  @Test
  void itStartsNoThread() throws Exception {
    byte[] whole = Files.readAllBytes(Jvms.JAVA_21.record("default", "agent"));
    ThreadGroup group = new ThreadGroup("alone");
    Set<Thread> others = new HashSet<>();
    Callable<Rows> read =
        () -> {
          InputStream watched =
              new FilterInputStream(new ByteArrayInputStream(whole)) {
                @Override
                public int read(byte[] bytes, int from, int length) throws IOException {
                  others.add(Thread.currentThread());
                  return super.read(bytes, from, length);
                }
              };
          return Rows.of(watched, "x.jfr", ServiceInfo.UNKNOWN);
        };
    FutureTask<Rows> task = new FutureTask<>(read);
    Thread only = new Thread(group, task);
    only.start();
    assertEquals("", task.get().failure());
    only.join();
    assertEquals(Set.of(only), others);
    assertEquals(0, group.activeCount());
  }

  @Test
  void whoAddsKnowsBetterThanTheRecording() throws Exception {
    byte[] whole = Files.readAllBytes(Jvms.JAVA_21.record("default", "agent"));
    ServiceInfo given = new ServiceInfo("shop", "1.10", "", "", "prod", "", "", "");
    Rows rows = Rows.of(new ByteArrayInputStream(whole), "x.jfr", given);
    assertEquals("shop", recording(rows).get("service_name"));
    assertEquals("prod", recording(rows).get("environment"));
    assertEquals("1.10", rows.tables().get(Table.FINDING).getFirst().values().get("version"));
    assertFalse(recording(of(whole)).containsKey("service_name"));
  }
}
