package samples.libraries;

import jakarta.mail.Message;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/** Messages to a mail server. */
final class Mail {
  public static void main(String[] args) throws Exception {
    var socket = new ServerSocket(0, 1024, InetAddress.getLoopbackAddress());
    Ports.serve(socket, "smtp", Mail::serve);
    var settings = new Properties();
    settings.put("mail.smtp.host", "127.0.0.1");
    settings.put("mail.smtp.port", socket.getLocalPort());
    settings.put("mail.from", "a@localhost");
    Session session = Session.getInstance(settings);
    Calls.run(
        thread -> {
          var message = new MimeMessage(session);
          message.setFrom("a@localhost");
          message.setRecipient(Message.RecipientType.TO, new InternetAddress("b@localhost"));
          message.setText("hello");
          Transport.send(message);
        });
  }

  private static void serve(Socket client) {
    try (client) {
      client.setTcpNoDelay(true);
      var in =
          new BufferedReader(
              new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
      OutputStream out = client.getOutputStream();
      say(out, "220 hello");
      boolean data = false;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (data) {
          data = !line.equals(".");
          if (!data) {
            Calls.think();
            say(out, "250 taken");
          }
        } else if (line.equals("DATA")) {
          data = true;
          say(out, "354 go on");
        } else {
          say(out, "250 fine");
        }
      }
    } catch (IOException e) {
      // The client is gone.
    }
  }

  private static void say(OutputStream out, String line) throws IOException {
    out.write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
  }

  private Mail() {}
}
