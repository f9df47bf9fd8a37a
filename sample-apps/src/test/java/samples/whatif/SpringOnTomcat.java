package samples.whatif;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.concurrent.CompletableFuture;
import org.apache.catalina.startup.Tomcat;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** Beans without an interface, behind proxies, and a servlet that asks them. */
public final class SpringOnTomcat {
  private SpringOnTomcat() {}

  /**
   * Synchronized and asynchronous: Spring makes a subclass of it as long as it has no interface.
   */
  public static class Worker {
    private int done;

    @Async
    public synchronized CompletableFuture<Integer> work() {
      done++;
      return CompletableFuture.completedFuture(done);
    }
  }

  /** What {@code ProxyFactory} is given directly. */
  public static class Counter {
    private int count;

    public synchronized int next() {
      return ++count;
    }
  }

  /** Turns on what makes the proxies. */
  @EnableAsync
  public static class Settings {}

  private static final class Answer extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private final transient Worker worker;
    private final transient Counter counter;

    Answer(Worker worker, Counter counter) {
      this.worker = worker;
      this.counter = counter;
    }

    @Override
    protected synchronized void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      request.getSession();
      response.getWriter().print(worker.work().join() + " " + counter.next());
    }
  }

  public static void main(String[] args) throws Exception {
    Object proxy = new ProxyFactory(new Counter()).getProxy();
    try (AnnotationConfigApplicationContext beans =
        new AnnotationConfigApplicationContext(Settings.class, Worker.class)) {
      Worker worker = beans.getBean(Worker.class);
      System.out.println(AopUtils.isCglibProxy(worker) + " " + AopUtils.isCglibProxy(proxy));
      Tomcat tomcat = new Tomcat();
      tomcat.setBaseDir(Files.createTempDirectory("tomcat").toString());
      tomcat.setPort(0);
      tomcat.setSilent(true);
      var context = tomcat.addContext("", null);
      Tomcat.addServlet(context, "answer", new Answer(worker, (Counter) proxy));
      context.addServletMappingDecoded("/", "answer");
      tomcat.getConnector();
      tomcat.start();
      URI address = URI.create("http://localhost:" + tomcat.getConnector().getLocalPort() + "/");
      try (HttpClient client = HttpClient.newHttpClient()) {
        for (int i = 0; i < 3; i++) {
          HttpRequest request = HttpRequest.newBuilder(address).build();
          System.out.println(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
        }
      }
      tomcat.stop();
      tomcat.destroy();
    }
    System.out.println("done");
  }
}
