import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.AppenderBase;
import com.google.common.util.concurrent.AbstractService;
import com.google.common.util.concurrent.Monitor;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.dsl.Disruptor;
import com.sun.net.httpserver.HttpServer;
import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.ClientCalls;
import io.reactivex.rxjava3.core.Observable;
import io.reactivex.rxjava3.core.Single;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.Dispatcher;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.vibur.dbcp.ViburDBCPDataSource;
import redis.clients.jedis.JedisPool;
import redis.clients.jedis.JedisPoolConfig;

/** What stands still in the clients and frameworks of services, beside a service that goes on. */
final class Clients {
  private Clients() {}

  private static String server() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write("ok".getBytes());
          exchange.close();
        });
    server.createContext("/silent", exchange -> {});
    server.start();
    return "http://localhost:" + server.getAddress().getPort();
  }

  /** Responses of HttpClient 5 are never closed, and its pool has two connections for a route. */
  @Programs.StandsStill("httpclient5")
  static void responsesNeverClosed() throws IOException {
    Asked.service();
    CloseableHttpClient client =
        HttpClients.custom()
            .setDefaultRequestConfig(
                RequestConfig.custom()
                    .setConnectionRequestTimeout(org.apache.hc.core5.util.Timeout.ofHours(1))
                    .build())
            .build();
    String url = server();
    Programs.start(20, () -> client.executeOpen(null, new HttpGet(url), null));
  }

  /** Calls of OkHttp wait in its dispatcher behind one that is never answered. */
  @Programs.StandsStill("CompletableFuture")
  static void dispatcherFull() throws IOException {
    Asked.service();
    Dispatcher dispatcher = new Dispatcher(Executors.newVirtualThreadPerTaskExecutor());
    dispatcher.setMaxRequestsPerHost(1);
    OkHttpClient client =
        new OkHttpClient.Builder().dispatcher(dispatcher).readTimeout(Duration.ZERO).build();
    String url = server() + "/silent";
    Programs.start(
        5,
        () -> {
          CompletableFuture<Integer> code = new CompletableFuture<>();
          client
              .newCall(new Request.Builder().url(url).build())
              .enqueue(
                  new Callback() {
                    @Override
                    public void onFailure(Call call, IOException e) {
                      code.completeExceptionally(e);
                    }

                    @Override
                    public void onResponse(Call call, Response response) {
                      code.complete(response.code());
                    }
                  });
          code.join();
        });
  }

  /** Threads block at what RxJava never emits. */
  @Programs.StandsStill("CountDownLatch|RxJava")
  static void singleNeverEnds() {
    Asked.service();
    Programs.start(3, () -> Single.never().blockingGet());
    Programs.start(3, () -> Observable.never().blockingFirst());
  }

  private static final MethodDescriptor<String, String> METHOD =
      MethodDescriptor.<String, String>newBuilder()
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName("orders/get")
          .setRequestMarshaller(new Text())
          .setResponseMarshaller(new Text())
          .build();

  private static final class Text implements MethodDescriptor.Marshaller<String> {
    @Override
    public InputStream stream(String value) {
      return new ByteArrayInputStream(value.getBytes());
    }

    @Override
    public String parse(InputStream stream) {
      return "";
    }
  }

  /** A gRPC service never answers, and its clients have no deadline. */
  @Programs.StandsStill("gRPC")
  static void callNeverAnswered() throws IOException {
    Asked.service();
    Server server =
        InProcessServerBuilder.forName("orders")
            .addService(
                ServerServiceDefinition.builder("orders")
                    .addMethod(
                        METHOD,
                        (call, headers) -> {
                          call.request(1);
                          return new ServerCall.Listener<>() {};
                        })
                    .build())
            .build()
            .start();
    ManagedChannel channel = InProcessChannelBuilder.forName("orders").build();
    Programs.start(
        2, () -> ClientCalls.blockingUnaryCall(channel, METHOD, CallOptions.DEFAULT, "one"));
    Programs.start(
        2,
        () ->
            ClientCalls.futureUnaryCall(channel.newCall(METHOD, CallOptions.DEFAULT), "two").get());
    server.getPort();
  }

  /** A producer of Kafka waits for the metadata of a topic, and no broker is there. */
  @Programs.StandsStill("Kafka metadata")
  static void producerWithoutBroker() {
    Asked.service();
    KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", "127.0.0.1:1", "max.block.ms", 3_600_000),
            new StringSerializer(),
            new StringSerializer());
    Programs.start(3, () -> producer.send(new ProducerRecord<>("topic", "text")));
  }

  /** Threads enter Guava's monitor when a guard holds, which it never does. */
  @Programs.StandsStill("Monitor|park|Condition|Guava monitor")
  static void guardNeverHolds() {
    Asked.service();
    Monitor monitor = new Monitor();
    boolean[] open = new boolean[1];
    Monitor.Guard guard =
        new Monitor.Guard(monitor) {
          @Override
          public boolean isSatisfied() {
            return open[0];
          }
        };
    Programs.start(3, () -> monitor.enterWhen(guard));
  }

  /** A service of Guava never says that it runs. */
  @Programs.StandsStill("Service|Monitor|Guava monitor|Condition")
  static void serviceNeverStarted() {
    Asked.service();
    AbstractService service =
        new AbstractService() {
          @Override
          protected void doStart() {}

          @Override
          protected void doStop() {
            notifyStopped();
          }
        };
    service.startAsync();
    Programs.start(3, service::awaitRunning);
  }

  /** Calls that fail do not give their permission of a bulkhead back. */
  @Programs.StandsStill("Semaphore")
  static void bulkheadLeaks() {
    Asked.service();
    Bulkhead bulkhead =
        Bulkhead.of(
            "orders",
            BulkheadConfig.custom()
                .maxConcurrentCalls(3)
                .maxWaitDuration(Duration.ofHours(1))
                .build());
    Programs.start(20, bulkhead::acquirePermission);
  }

  /** An executor of Spring has a limit, its tasks wait for a latch, and others want to run. */
  @Programs.StandsStill("CountDownLatch|Condition|SimpleAsyncTaskExecutor")
  static void throttledExecutor() {
    Asked.service();
    SimpleAsyncTaskExecutor executor = new SimpleAsyncTaskExecutor();
    executor.setVirtualThreads(true);
    executor.setConcurrencyLimit(2);
    CountDownLatch never = new CountDownLatch(1);
    Programs.start(
        5,
        () ->
            executor.execute(
                () -> {
                  try {
                    never.await();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                }));
  }

  /** The appender behind an asynchronous one of Logback stands still, and its queue is full. */
  @Programs.StandsStill("ArrayBlockingQueue|AsyncAppender")
  static void logQueueFull() {
    Asked.service();
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    AppenderBase<ILoggingEvent> stuck =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
        };
    stuck.setContext(context);
    stuck.start();
    AsyncAppender appender = new AsyncAppender();
    appender.setContext(context);
    appender.setQueueSize(4);
    appender.setDiscardingThreshold(0);
    appender.addAppender(stuck);
    appender.start();
    Logger logger = context.getLogger("orders");
    logger.addAppender(appender);
    Programs.repeat(5, () -> logger.info("an order"));
  }

  /** The handler of a Disruptor stands still, its ring is full, and publishers want a place. */
  @Programs.StandsStill("Disruptor|RingBuffer|MultiProducerSequencer")
  static void ringFull() {
    Asked.service();
    Disruptor<int[]> disruptor = new Disruptor<>(() -> new int[1], 8, Programs::daemon);
    disruptor.handleEventsWith((event, sequence, end) -> new CountDownLatch(1).await());
    RingBuffer<int[]> ring = disruptor.start();
    Programs.repeat(3, () -> ring.publishEvent((event, sequence) -> event[0]++));
  }

  /** Vibur's connections leak. */
  @Programs.StandsStill("Vibur")
  static void leakedVibur() {
    Asked.service();
    ViburDBCPDataSource pool = new ViburDBCPDataSource();
    pool.setJdbcUrl("jdbc:h2:mem:vibur");
    pool.setUsername("");
    pool.setPassword("");
    pool.setPoolInitialSize(1);
    pool.setPoolMaxSize(3);
    pool.setConnectionTimeoutInMs(0);
    pool.start();
    Programs.start(20, () -> pool.getConnection().createStatement());
  }

  /** Jedis's connections leak; the server answers each command by OK. */
  @Programs.StandsStill("Jedis|commons-pool2")
  static void leakedJedis() throws IOException {
    Asked.service();
    ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Programs.repeat(
        1,
        () -> {
          Socket client = server.accept();
          Programs.start(() -> answer(client));
        });
    JedisPoolConfig limits = new JedisPoolConfig();
    limits.setMaxTotal(3);
    limits.setBlockWhenExhausted(true);
    JedisPool pool = new JedisPool(limits, "127.0.0.1", server.getLocalPort(), 60_000);
    Programs.start(20, () -> pool.getResource().ping());
  }

  private static void answer(Socket client) throws IOException {
    for (int next = client.getInputStream().read();
        next >= 0;
        next = client.getInputStream().read()) {
      if (next == '*') {
        client.getOutputStream().write("+OK\r\n".getBytes());
      }
    }
  }
}
