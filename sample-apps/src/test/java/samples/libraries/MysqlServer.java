package samples.libraries;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * As much of a MySQL server as its drivers need to connect and to ask: every user may come in,
 * variables have their usual values, and a {@code select} or {@code rollback} takes its time.
 */
final class MysqlServer {
  /** Protocol 4.1, plugins for authentication, several results, nothing after columns; no TLS. */
  private static final int CAPABILITIES = 0x010b_a20f;

  private static final Pattern VARIABLE =
      Pattern.compile("@@(?:session\\.|global\\.)?(\\w+)(?:\\s+as\\s+(\\w+))?");

  private static final Pattern AUTOCOMMIT = Pattern.compile("^set.* autocommit\\s*=\\s*([01])");

  /** Those that drivers do not take for what they are when they are 1. */
  private static final Map<String, String> VARIABLES =
      Map.ofEntries(
          Map.entry("character_set_client", "utf8mb4"),
          Map.entry("character_set_connection", "utf8mb4"),
          Map.entry("character_set_results", "utf8mb4"),
          Map.entry("character_set_server", "utf8mb4"),
          Map.entry("collation_server", "utf8mb4_general_ci"),
          Map.entry("collation_connection", "utf8mb4_general_ci"),
          Map.entry("init_connect", ""),
          Map.entry("license", "GPL"),
          Map.entry("max_allowed_packet", "67108864"),
          Map.entry("sql_mode", "STRICT_TRANS_TABLES"),
          Map.entry("system_time_zone", "UTC"),
          Map.entry("time_zone", "SYSTEM"),
          Map.entry("tx_isolation", "REPEATABLE-READ"),
          Map.entry("transaction_isolation", "REPEATABLE-READ"),
          Map.entry("transaction_read_only", "0"));

  /** Whether each statement is a transaction of its own, as servers say after each. */
  private boolean autocommit = true;

  /** Starts a server on a free port, which it returns. */
  static int start() throws IOException {
    var socket = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
    Ports.serve(socket, "mysql", client -> new MysqlServer().serve(client));
    return socket.getLocalPort();
  }

  private void serve(Socket client) {
    try (client) {
      client.setTcpNoDelay(true);
      var in = new DataInputStream(client.getInputStream());
      OutputStream out = client.getOutputStream();
      send(out, 0, List.of(greeting()));
      receive(in); // who it is
      send(out, 2, List.of(ok()));
      while (true) {
        byte[] command = receive(in);
        switch (command[0]) {
          case 1 -> {
            return;
          }
          case 3 ->
              send(
                  out,
                  1,
                  answer(new String(command, 1, command.length - 1, StandardCharsets.UTF_8)));
          default -> send(out, 1, List.of(ok()));
        }
      }
    } catch (IOException e) {
      // The client is gone.
    }
  }

  private List<byte[]> answer(String text) {
    String sql = text.replaceAll("/\\*.*?\\*/", "").strip().toLowerCase(Locale.ROOT);
    if (sql.startsWith("rollback")) {
      Calls.think();
    }
    Matcher autocommits = AUTOCOMMIT.matcher(sql);
    if (autocommits.find()) {
      autocommit = autocommits.group(1).equals("1");
    }
    if (!sql.startsWith("select")) {
      return List.of(ok());
    }
    var names = new ArrayList<String>();
    var values = new ArrayList<String>();
    for (Matcher variable = VARIABLE.matcher(sql); variable.find(); ) {
      String name = variable.group(1);
      names.add(variable.group(2) == null ? name : variable.group(2));
      values.add(VARIABLES.getOrDefault(name, "1"));
    }
    if (names.isEmpty()) {
      Calls.think();
      names.add("answer");
      values.add("1");
    }
    var packets = new ArrayList<byte[]>();
    packets.add(new byte[] {(byte) names.size()});
    names.forEach(name -> packets.add(column(name)));
    var row = new ByteArrayOutputStream();
    values.forEach(value -> text(row, value));
    packets.add(row.toByteArray());
    packets.add(endOfRows());
    return packets;
  }

  private byte[] ok() {
    return new byte[] {0, 0, 0, status(), 0, 0, 0};
  }

  private byte[] endOfRows() {
    return new byte[] {(byte) 0xfe, 0, 0, status(), 0, 0, 0};
  }

  private byte status() {
    return (byte) (autocommit ? 2 : 0);
  }

  private static byte[] greeting() {
    var packet = new ByteArrayOutputStream();
    packet.write(10);
    packet.writeBytes("8.0.33\0".getBytes(StandardCharsets.US_ASCII));
    number(packet, 1, 4);
    packet.writeBytes("12345678\0".getBytes(StandardCharsets.US_ASCII));
    number(packet, CAPABILITIES, 2);
    packet.write(45); // utf8mb4
    number(packet, 2, 2);
    number(packet, CAPABILITIES >>> 16, 2);
    packet.write(21);
    packet.writeBytes(new byte[10]);
    packet.writeBytes("123456789012\0".getBytes(StandardCharsets.US_ASCII));
    packet.writeBytes("mysql_native_password\0".getBytes(StandardCharsets.US_ASCII));
    return packet.toByteArray();
  }

  private static byte[] column(String name) {
    var packet = new ByteArrayOutputStream();
    for (String part : List.of("def", "", "", "", name, "")) {
      text(packet, part);
    }
    packet.write(12);
    number(packet, 45, 2);
    number(packet, 1024, 4);
    packet.write(0xfd);
    packet.writeBytes(new byte[5]);
    return packet.toByteArray();
  }

  private static void text(ByteArrayOutputStream packet, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    packet.write(bytes.length);
    packet.writeBytes(bytes);
  }

  private static void number(ByteArrayOutputStream packet, int number, int bytes) {
    for (int i = 0; i < bytes; i++) {
      packet.write(number >> (8 * i));
    }
  }

  private static void send(OutputStream out, int number, List<byte[]> packets) throws IOException {
    var all = new ByteArrayOutputStream();
    int next = number;
    for (byte[] packet : packets) {
      number(all, packet.length, 3);
      all.write(next++);
      all.writeBytes(packet);
    }
    out.write(all.toByteArray());
  }

  private static byte[] receive(DataInputStream in) throws IOException {
    int header = Integer.reverseBytes(in.readInt());
    return in.readNBytes(header & 0xff_ffff);
  }

  private MysqlServer() {}
}
