package io.github.vtdiag.compare;

import io.github.vtdiag.model.Printable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Sends GET requests to a URL over HTTP/1.1. */
public final class HttpTarget implements LoadGenerator.Server, AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(5);

  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpClient client;
  private final HttpRequest request;
  private volatile String problem = "";
  private volatile int errorStatus;

  /**
   * Creates a target without connecting yet. An answer that takes longer than {@code timeout} is an
   * error.
   */
  public HttpTarget(URI uri, Duration timeout) {
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT)
            .executor(executor)
            .build();
    request = HttpRequest.newBuilder(uri).timeout(timeout).build();
  }

  @Override
  public boolean send() throws InterruptedException {
    try {
      int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
      if (status < 400) {
        errorStatus = 0;
        return true;
      }
      errorStatus = status;
      problem = "status " + status;
    } catch (IOException e) {
      errorStatus = 0;
      String message = e.getMessage();
      problem = message == null ? e.getClass().getSimpleName() : Printable.text(message);
    }
    return false;
  }

  /** Returns the problem with the last bad response; empty if there was none. */
  public String problem() {
    return problem;
  }

  /** Returns the status of the last response if it was an error, otherwise 0. */
  int errorStatus() {
    return errorStatus;
  }

  @Override
  public void close() {
    client.shutdownNow();
    executor.shutdownNow();
  }
}
