package samples.libraries;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * Connections to a SQL Server that thinks before it says which version it is, and lets nobody in.
 */
final class Mssql {
  private static final byte[] VERSION = {
    0, 0, 11, 0, 6, // the version, at 11
    1, 0, 17, 0, 1, // encryption, at 17
    -1, 12, 0, 7, -48, 0, 0, 2, // 12.0, not encrypted
  };

  public static void main(String[] args) throws Exception {
    var socket = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
    Ports.serve(socket, "mssql", Mssql::serve);
    String url =
        "jdbc:sqlserver://127.0.0.1:"
            + socket.getLocalPort()
            + ";encrypt=false;connectRetryCount=0;loginTimeout=10;user=a;password=b";
    // Looks for drivers in every jar, which would be the first call's time.
    DriverManager.getDriver(url);
    Calls.run(
        thread -> {
          try {
            DriverManager.getConnection(url).close();
          } catch (SQLException e) {
            if (e.getErrorCode() != 18456) {
              throw e;
            }
          }
        });
  }

  private static void serve(Socket client) {
    try (client) {
      client.setTcpNoDelay(true);
      var in = new DataInputStream(client.getInputStream());
      receive(in);
      Calls.think();
      send(client.getOutputStream(), VERSION);
      receive(in);
      send(client.getOutputStream(), loginFailed());
      in.read(); // until the client is gone
    } catch (IOException e) {
      // The client is gone.
    }
  }

  private static byte[] loginFailed() {
    byte[] message = "no".getBytes(StandardCharsets.UTF_16LE);
    ByteBuffer error = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
    error.putInt(18456).put((byte) 1).put((byte) 14);
    error.putShort((short) 2).put(message).put((byte) 0).put((byte) 0).putInt(1).flip();
    ByteBuffer tokens = ByteBuffer.allocate(128).order(ByteOrder.LITTLE_ENDIAN);
    tokens.put((byte) 0xaa).putShort((short) error.remaining()).put(error);
    tokens.put((byte) 0xfd).putShort((short) 2).putShort((short) 0).putLong(0).flip();
    byte[] bytes = new byte[tokens.remaining()];
    tokens.get(bytes);
    return bytes;
  }

  private static void receive(DataInputStream in) throws IOException {
    boolean last;
    do {
      in.readByte();
      last = (in.readByte() & 1) != 0;
      int length = in.readUnsignedShort();
      in.readInt();
      in.skipNBytes(length - 8);
    } while (!last);
  }

  private static void send(OutputStream out, byte[] payload) throws IOException {
    var packet = new ByteArrayOutputStream();
    int length = payload.length + 8;
    packet.writeBytes(new byte[] {4, 1, (byte) (length >> 8), (byte) length, 0, 0, 1, 0});
    packet.writeBytes(payload);
    out.write(packet.toByteArray());
  }

  private Mssql() {}
}
