import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.common.cache.CacheBuilder;
import com.google.common.util.concurrent.SettableFuture;
import com.sun.net.httpserver.HttpServer;
import io.netty.channel.DefaultEventLoop;
import io.netty.util.concurrent.Promise;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import org.apache.commons.dbcp2.BasicDataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What stands still in libraries, beside a service. */
final class Libraries {
  private Libraries() {}

  /** Two loaders of Caffeine need each other's value. */
  @Programs.StandsStill("deadlock")
  static void caffeineLoadersInACircle() {
    Asked.service();
    Cache<String, Integer> cache = Caffeine.newBuilder().build();
    Programs.start(() -> load(cache, "one", "other"));
    Programs.start(() -> load(cache, "other", "one"));
  }

  private static void load(Cache<String, Integer> cache, String key, String other) {
    cache.get(
        key,
        same -> {
          try {
            Programs.sleep(0.5);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return cache.get(other, another -> 1);
        });
  }

  /** An asynchronous cache loads on an executor whose only thread waits for the cache. */
  @Programs.StandsStill("CompletableFuture")
  static void caffeineLoaderNeedsItsExecutor() {
    Asked.service();
    ExecutorService one = Executors.newSingleThreadExecutor(Thread.ofVirtual().factory());
    AsyncLoadingCache<Integer, Integer>[] cache = cacheArray();
    cache[0] =
        Caffeine.newBuilder()
            .executor(one)
            .buildAsync(key -> key == 0 ? 0 : cache[0].get(key - 1).join());
    Programs.start(10, () -> cache[0].get(5).join());
  }

  @SuppressWarnings("unchecked")
  private static AsyncLoadingCache<Integer, Integer>[] cacheArray() {
    return (AsyncLoadingCache<Integer, Integer>[]) new AsyncLoadingCache<?, ?>[1];
  }

  /** A loader of Guava's cache waits for a future that nobody sets, and others for the loader. */
  @Programs.StandsStill("Guava future")
  static void guavaLoaderWaits() {
    Asked.service();
    com.google.common.cache.Cache<String, Integer> cache = CacheBuilder.newBuilder().build();
    SettableFuture<Integer> value = SettableFuture.create();
    Programs.start(10, () -> loadForGuava(cache, value));
  }

  private static void loadForGuava(
      com.google.common.cache.Cache<String, Integer> cache, SettableFuture<Integer> value)
      throws Exception {
    cache.get("key", value::get);
  }

  /** DBCP's connections leak. */
  @Programs.StandsStill("DBCP2|commons-pool2")
  static void leakedDbcp() {
    Asked.service();
    BasicDataSource pool = new BasicDataSource();
    pool.setUrl("jdbc:h2:mem:dbcp");
    pool.setMaxTotal(3);
    Programs.start(
        20,
        () -> {
          Connection leaked = pool.getConnection();
          leaked.createStatement();
        });
  }

  /** The connections of H2's own pool leak, and requests time out after 5 s. */
  @Programs.StandsStill("H2")
  static void leakedH2Pool() {
    Asked.service();
    JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:mem:own", "", "");
    pool.setMaxConnections(3);
    pool.setLoginTimeout(5);
    Programs.start(
        10,
        () -> {
          while (true) {
            try {
              pool.getConnection().createStatement();
              Programs.sleepForEver();
            } catch (SQLException e) {
              Programs.sleep(0.1);
            }
          }
        });
  }

  /** A transaction is never committed, and others update the same row. */
  @Programs.StandsStill("H2 transaction")
  static void rowNeverUnlocked() throws SQLException {
    Asked.service();
    String url = "jdbc:h2:mem:rows;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=3600000";
    Connection first = DriverManager.getConnection(url);
    Statement statement = first.createStatement();
    statement.execute("CREATE TABLE T(A INT)");
    statement.execute("INSERT INTO T VALUES (1)");
    first.setAutoCommit(false);
    statement.execute("UPDATE T SET A = 2");
    Programs.start(
        5, () -> DriverManager.getConnection(url).createStatement().execute("UPDATE T SET A = 3"));
  }

  /** A promise of Netty's is awaited that its event loop has dropped. */
  @Programs.StandsStill("DefaultPromise|Object.wait|Netty")
  static void promiseNeverDone() {
    Asked.service();
    DefaultEventLoop loop = new DefaultEventLoop();
    Promise<Integer> promise = loop.newPromise();
    Programs.start(3, promise::sync);
  }

  /** A thread blocks at a Mono that never ends, and another at the last element of a Flux. */
  @Programs.StandsStill("Reactor")
  static void monoNeverEnds() {
    Asked.service();
    Programs.start(3, () -> Mono.never().block());
    Programs.start(3, () -> Flux.interval(Duration.ofDays(1)).blockLast());
  }

  private static HttpServer silent() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", exchange -> {});
    server.start();
    return server;
  }

  /** A server of this JVM never answers what OkHttp has asked. */
  @Programs.StandsStill("socket|OkHttp|HTTP")
  static void okHttpNeverAnswered() throws IOException {
    Asked.service();
    OkHttpClient client = new OkHttpClient.Builder().readTimeout(Duration.ZERO).build();
    String url = "http://localhost:" + silent().getAddress().getPort();
    Programs.start(
        3, () -> client.newCall(new Request.Builder().url(url).build()).execute().close());
  }

  /** A server of this JVM never answers an asynchronous request, whose future others join. */
  @Programs.StandsStill("CompletableFuture|HTTP")
  static void asyncHttpJoined() throws IOException {
    Asked.service();
    HttpClient client = HttpClient.newHttpClient();
    URI uri = URI.create("http://localhost:" + silent().getAddress().getPort());
    HttpRequest request = HttpRequest.newBuilder(uri).build();
    Programs.start(
        3, () -> client.sendAsync(request, HttpResponse.BodyHandlers.ofString()).join());
  }

  /** A server that does not speak TLS accepts, and the client waits for the handshake. */
  @Programs.StandsStill("TLS|socket")
  static void handshakeNeverAnswered() throws IOException {
    Asked.service();
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Programs.startPlatform(
        () -> {
          Socket accepted = server.accept();
          Programs.sleepForEver();
          accepted.close();
        });
    Programs.start(
        () -> {
          SSLSocket socket =
              (SSLSocket)
                  SSLSocketFactory.getDefault()
                      .createSocket(server.getInetAddress(), server.getLocalPort());
          socket.startHandshake();
        });
  }
}
