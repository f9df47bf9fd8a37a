import javax.jms.Connection;
import javax.jms.Destination;
import javax.jms.JMSException;
import javax.jms.Message;
import javax.jms.MessageConsumer;
import javax.jms.MessageProducer;
import javax.jms.Session;
import org.apache.activemq.ActiveMQConnectionFactory;
import org.apache.activemq.broker.BrokerService;

/**
 * Requests and replies by the messages of a broker in the same process, beside a timer. On Java 21
 * the consumers wait in {@code Object.wait} and pin all carriers.
 */
final class Messages {
  private static final String QUEUE = "requests";

  private Messages() {}

  private static Connection connect() throws Exception {
    BrokerService broker = new BrokerService();
    broker.setPersistent(false);
    broker.setUseJmx(false);
    broker.setBrokerName("stalls");
    broker.start();
    broker.waitUntilStarted();
    Connection connection =
        new ActiveMQConnectionFactory("vm://stalls?create=false").createConnection();
    connection.start();
    return connection;
  }

  private static Session session(Connection connection) throws JMSException {
    return connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
  }

  private static void reply(MessageConsumer consumer, Session session) throws Exception {
    Message request = consumer.receive();
    Programs.sleep(0.01);
    session.createProducer(request.getJMSReplyTo()).send(session.createTextMessage("done"));
  }

  private static void serve(Connection connection) throws Exception {
    Session session = session(connection);
    MessageConsumer consumer = session.createConsumer(session.createQueue(QUEUE));
    while (true) {
      reply(consumer, session);
    }
  }

  private static void serveForAWhile(Connection connection) throws Exception {
    Session session = session(connection);
    MessageConsumer consumer = session.createConsumer(session.createQueue(QUEUE));
    for (int i = 0; i < 200; i++) {
      reply(consumer, session);
    }
    session.close();
  }

  /** Asks so many times, and waits for each reply. */
  private static void ask(Connection connection, int requests) throws Exception {
    Session session = session(connection);
    Destination replies = session.createTemporaryQueue();
    MessageConsumer consumer = session.createConsumer(replies);
    MessageProducer producer = session.createProducer(session.createQueue(QUEUE));
    for (int i = 0; i < requests; i++) {
      Message request = session.createTextMessage("do");
      request.setJMSReplyTo(replies);
      producer.send(request);
      consumer.receive();
      Programs.sleep(0.02);
    }
  }

  /** Those that reply to 20 clients end, and the clients wait for replies. */
  @Programs.StandsStill(value = "Object.wait", java = 25)
  static void repliersEnd() throws Exception {
    Asked.service();
    Connection connection = connect();
    Programs.start(2, () -> serveForAWhile(connection));
    Programs.start(20, () -> ask(connection, Integer.MAX_VALUE));
  }

  /** All clients have their replies, and nobody asks any more. */
  @Programs.Healthy(java = 25)
  static void nobodyAsksAnyMore() throws Exception {
    Asked.service();
    Connection connection = connect();
    Programs.start(2, () -> serve(connection));
    Programs.start(20, () -> ask(connection, 10));
  }
}
