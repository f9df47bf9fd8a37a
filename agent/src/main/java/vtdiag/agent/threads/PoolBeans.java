package vtdiag.agent.threads;

import java.util.List;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import vtdiag.pin.SeenPool;

/** What pools say of themselves as beans; apart, because a Java may have no such module. */
final class PoolBeans {
  private PoolBeans() {}

  /** Beans of pools, and the attributes of each that tell the bound, the use and the waiters. */
  private record Bean(String pool, String names, String bound, String inUse, String waiting) {}

  private static final List<Bean> BEANS =
      List.of(
          new Bean(
              "commons-pool2",
              "org.apache.commons.pool2:type=GenericObjectPool,*",
              "MaxTotal",
              "NumActive",
              "NumWaiters"),
          new Bean(
              "Tomcat JDBC",
              "tomcat.jdbc:type=ConnectionPool,*",
              "MaxActive",
              "Active",
              "WaitCount"));

  static void add(long look, Set<String> sorts, List<SeenPool> seen) {
    for (Bean bean : BEANS) {
      if (sorts.contains(bean.pool)) {
        addBeans(look, bean, seen);
      }
    }
  }

  private static void addBeans(long look, Bean bean, List<SeenPool> seen) {
    try {
      // Those that there are: to ask for the platform's own server would make it.
      for (MBeanServer server : MBeanServerFactory.findMBeanServer(null)) {
        for (ObjectName name : server.queryNames(new ObjectName(bean.names), null)) {
          long bound = number(server, name, bean.bound);
          if (bound > 0) {
            seen.add(
                new SeenPool(
                    look,
                    bean.pool,
                    String.valueOf(name.getKeyProperty("name")),
                    bound,
                    number(server, name, bean.inUse),
                    number(server, name, bean.waiting)));
          }
        }
      }
    } catch (JMException | RuntimeException e) {
      // No beans, or one that has gone meanwhile.
    }
  }

  private static long number(MBeanServer server, ObjectName name, String attribute)
      throws JMException {
    return ((Number) server.getAttribute(name, attribute)).longValue();
  }
}
