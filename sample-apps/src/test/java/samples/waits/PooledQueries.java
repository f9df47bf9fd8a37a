package samples.waits;

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * 200 virtual threads, queries of 20 ms, and ten connections of the pool that the property {@code
 * library} names. The twin has a connection for each thread. The pools are called by their names
 * only: whoever runs the program says which are on its class path.
 */
final class PooledQueries {
  private static final int THREADS = 200;
  private static final int CONNECTIONS = 10;

  public static void main(String[] args) throws Exception {
    String size = Integer.toString(Crowd.healthy() ? THREADS : CONNECTIONS);
    DataSource pool =
        switch (System.getProperty("library")) {
          case "c3p0" -> c3p0(size);
          case "agroal" -> agroal(size);
          case "vibur" -> vibur(size);
          default -> throw new IllegalArgumentException("-Dlibrary=c3p0, agroal or vibur");
        };
    pool.getConnection().close();
    Crowd.repeat(THREADS, () -> findOrder(pool));
    System.exit(0); // Pools have threads of their own.
  }

  private static void findOrder(DataSource orders) throws Exception {
    try (Connection connection = orders.getConnection()) {
      connection.nativeSQL("select * from orders");
    }
  }

  private static DataSource c3p0(String size) throws Exception {
    System.setProperty("com.mchange.v2.log.MLog", "com.mchange.v2.log.FallbackMLog");
    System.setProperty("com.mchange.v2.log.FallbackMLog.DEFAULT_CUTOFF_LEVEL", "OFF");
    return (DataSource)
        bean(
            "com.mchange.v2.c3p0.ComboPooledDataSource",
            Map.of(
                "driverClass",
                SlowDriver.class.getName(),
                "jdbcUrl",
                SlowDriver.URL,
                // Else three threads of its own give back what all others return, and on a busy
                // machine there is a wait for that, too.
                "forceSynchronousCheckins",
                "true",
                "initialPoolSize",
                size,
                "minPoolSize",
                size,
                "maxPoolSize",
                size));
  }

  private static DataSource vibur(String size) throws Exception {
    Object pool =
        bean(
            "org.vibur.dbcp.ViburDBCPDataSource",
            Map.of(
                "driverClassName",
                SlowDriver.class.getName(),
                "jdbcUrl",
                SlowDriver.URL,
                "username",
                "",
                "password",
                "",
                "poolInitialSize",
                size,
                "poolMaxSize",
                size));
    pool.getClass().getMethod("start").invoke(pool);
    return (DataSource) pool;
  }

  private static DataSource agroal(String size) throws Exception {
    Object reader =
        Class.forName("io.agroal.api.configuration.supplier.AgroalPropertiesReader")
            .getConstructor()
            .newInstance();
    Map<String, String> properties = new HashMap<>();
    properties.put("providerClassName", SlowDriver.class.getName());
    properties.put("jdbcUrl", SlowDriver.URL);
    properties.put("initialSize", size);
    properties.put("minSize", size);
    properties.put("maxSize", size);
    properties.put("reapTimeout_m", "5"); // As Quarkus has it.
    reader.getClass().getMethod("readProperties", Map.class).invoke(reader, properties);
    Class<?> listener = Class.forName("io.agroal.api.AgroalDataSourceListener");
    return (DataSource)
        Class.forName("io.agroal.api.AgroalDataSource")
            .getMethod("from", Supplier.class, listener.arrayType())
            .invoke(null, reader, Array.newInstance(listener, 0));
  }

  private static Object bean(String type, Map<String, String> properties) throws Exception {
    Object bean = Class.forName(type).getConstructor().newInstance();
    for (Map.Entry<String, String> property : properties.entrySet()) {
      set(bean, property.getKey(), property.getValue());
    }
    return bean;
  }

  private static void set(Object bean, String property, String value) throws Exception {
    String name = "set" + property.substring(0, 1).toUpperCase(Locale.ROOT) + property.substring(1);
    Method setter =
        Arrays.stream(bean.getClass().getMethods())
            .filter(method -> method.getName().equals(name) && method.getParameterCount() == 1)
            .findFirst()
            .orElseThrow(() -> new NoSuchMethodException(name));
    Class<?> type = setter.getParameterTypes()[0];
    if (type == String.class) {
      setter.invoke(bean, value);
    } else if (type == boolean.class) {
      setter.invoke(bean, Boolean.valueOf(value));
    } else {
      setter.invoke(bean, Integer.valueOf(value));
    }
  }

  private PooledQueries() {}
}
