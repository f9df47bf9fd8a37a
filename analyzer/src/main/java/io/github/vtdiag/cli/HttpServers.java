package io.github.vtdiag.cli;

import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.analysis.Findings;
import java.util.List;

/** Packages of HTTP servers, by which a recording shows that its program is one. */
final class HttpServers {
  private static final List<String> PACKAGES =
      List.of(
          "com.linecorp.armeria.server.",
          "com.sun.net.httpserver.",
          "io.helidon.webserver.",
          "io.micronaut.http.server.",
          "io.netty.handler.codec.http.HttpServer",
          "io.quarkus.resteasy.",
          "io.quarkus.vertx.http.",
          "io.undertow.",
          "io.vertx.core.http.impl.Http1xServer",
          "io.vertx.core.http.impl.HttpServer",
          "io.vertx.ext.web.",
          "jakarta.servlet.",
          "javax.servlet.",
          "org.apache.catalina.",
          "org.apache.coyote.http",
          "org.eclipse.jetty.ee",
          "org.eclipse.jetty.server.",
          "org.glassfish.grizzly.http.server.",
          "org.jboss.resteasy.reactive.server.",
          "org.springframework.web.servlet.",
          "reactor.netty.http.server.",
          "sun.net.httpserver.");

  private HttpServers() {}

  /** Returns whether a thread that was pinned served an HTTP request. */
  static boolean areIn(Findings findings) {
    return findings.pins().stream()
        .map(Pin::stack)
        .flatMap(stack -> stack.frames().stream())
        .map(frame -> frame.type().name())
        .anyMatch(name -> PACKAGES.stream().anyMatch(name::startsWith));
  }
}
