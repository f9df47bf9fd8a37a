package samples.waits;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.logging.Logger;

/** A JDBC driver that does nothing but wait for the answer. */
public final class SlowDriver implements Driver {
  static final String URL = "jdbc:slow:";

  private static final int QUERY_MILLIS = 20;

  static {
    try {
      DriverManager.registerDriver(new SlowDriver());
    } catch (SQLException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @Override
  public Connection connect(String url, Properties info) {
    return acceptsURL(url) ? proxy(Connection.class, SlowDriver::answer) : null;
  }

  private static Object answer(Object proxy, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "nativeSQL" -> {
        Crowd.work(QUERY_MILLIS);
        yield "";
      }
      case "isValid", "getAutoCommit" -> true;
      case "isClosed", "isReadOnly" -> false;
      case "getTransactionIsolation", "getNetworkTimeout", "getHoldability" -> 2;
      case "getMetaData" -> proxy(DatabaseMetaData.class, (p, m, a) -> null);
      case "hashCode" -> System.identityHashCode(proxy);
      case "equals" -> isSame(proxy, arguments[0]);
      case "toString" -> "connection " + System.identityHashCode(proxy);
      default -> null;
    };
  }

  @SuppressWarnings("ReferenceEquality")
  private static boolean isSame(Object one, Object other) {
    return one == other;
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(SlowDriver.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @Override
  public boolean acceptsURL(String url) {
    return url.startsWith(URL);
  }

  @Override
  public DriverPropertyInfo[] getPropertyInfo(String url, Properties info) {
    return new DriverPropertyInfo[0];
  }

  @Override
  public int getMajorVersion() {
    return 1;
  }

  @Override
  public int getMinorVersion() {
    return 0;
  }

  @Override
  public boolean jdbcCompliant() {
    return false;
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }
}
