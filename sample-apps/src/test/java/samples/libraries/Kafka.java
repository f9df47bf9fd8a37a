package samples.libraries;

import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.StringSerializer;

/** Messages to a broker that cannot be reached: each waits for news of its topic. */
final class Kafka {
  public static void main(String[] args) throws Exception {
    var producer =
        new KafkaProducer<String, String>(
            Map.of(
                "bootstrap.servers",
                "127.0.0.1:" + Ports.free(),
                "max.block.ms",
                Calls.DELAY.toMillis()),
            new StringSerializer(),
            new StringSerializer());
    // The client's own thread loads its classes while it holds a monitor that failed calls want:
    // once, and on a busy machine for longer than all calls wait.
    send(producer);
    send(producer);
    Calls.run(thread -> send(producer));
  }

  private static void send(KafkaProducer<String, String> producer)
      throws ExecutionException, InterruptedException {
    try {
      producer.send(new ProducerRecord<>("topic", "message")).get();
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TimeoutException)) {
        throw e;
      }
    }
  }

  private Kafka() {}
}
