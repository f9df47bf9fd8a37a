/// story: A log4j 1 appender writes to a slow device.
/// java: 21
/// kind: pin
/// holder: org.apache.log4j.AppenderSkeleton.doAppend org.apache.log4j.Category.callAppenders
/// needs: ch.qos.reload4j:reload4j:1.2.25
/// truth: bytecode: doAppend is ACC_SYNCHRONIZED, and Category.callAppenders holds a second monitor around it; either pins
/// advice: java
/// proof: run on Java 25
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

class Appender {
  static class Slow extends AppenderSkeleton {
    @Override
    protected void append(LoggingEvent event) {
      try {
        Thread.sleep(40);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {}

    @Override
    public boolean requiresLayout() {
      return false;
    }
  }

  public static void main(String[] args) throws Exception {
    Logger.getRootLogger().addAppender(new Slow());
    Logger logger = Logger.getLogger("shop");
    Case.repeat(() -> logger.info("ordered"));
  }
}
