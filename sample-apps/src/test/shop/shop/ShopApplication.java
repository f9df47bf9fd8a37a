package shop;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;

/** An ordinary application of Spring Boot; it orders something of itself, and ends. */
@SpringBootApplication
public class ShopApplication {
  private static int starts;

  static synchronized int countStart() {
    return ++starts;
  }

  public static void main(String[] args) throws Exception {
    countStart();
    try (ServletWebServerApplicationContext context =
            (ServletWebServerApplicationContext)
                SpringApplication.run(ShopApplication.class, args);
        HttpClient client = HttpClient.newHttpClient()) {
      int port = context.getWebServer().getPort();
      URI order = URI.create("http://127.0.0.1:" + port + "/order/tea");
      System.out.println(
          "ordered "
              + client.send(HttpRequest.newBuilder(order).build(), BodyHandlers.ofString()).body());
    }
  }
}
