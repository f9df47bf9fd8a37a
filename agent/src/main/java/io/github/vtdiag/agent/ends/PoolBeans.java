package io.github.vtdiag.agent.ends;

import io.github.vtdiag.pin.SeenPool;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;

/**
 * The figures that pools publish as beans; a class of its own, because a Java may lack that module.
 */
final class PoolBeans {
  private PoolBeans() {}

  private static final String NOT_TOLD = "";

  /**
   * The beans of one sort of pools.
   *
   * @param names the pattern of the beans' names
   * @param name the part of a bean's name that has the pool's
   * @param bound the attribute with the greatest number of objects
   * @param inUse the attribute with the number of objects that are lent out
   * @param waiting the attribute with the number of threads that wait
   */
  private record Bean(
      String pool, String names, String name, String bound, String inUse, String waiting) {}

  private static final List<Bean> BEANS =
      List.of(
          new Bean(
              "commons-pool2",
              "org.apache.commons.pool2:type=GenericObjectPool,*",
              "name",
              "MaxTotal",
              "NumActive",
              "NumWaiters"),
          new Bean(
              "Tomcat JDBC",
              "tomcat.jdbc:type=ConnectionPool,*",
              "name",
              "MaxActive",
              "Active",
              "WaitCount"),
          new Bean(
              "c3p0",
              "com.mchange.v2.c3p0:type=PooledDataSource,*",
              "name",
              "maxPoolSize",
              "numBusyConnectionsDefaultUser",
              "numThreadsAwaitingCheckoutDefaultUser"),
          new Bean(
              "Vibur",
              "org.vibur.dbcp:type=ViburDBCP-*",
              "type",
              "PoolMaxSize",
              "PoolTaken",
              NOT_TOLD),
          new Bean(
              "Oracle UCP",
              "oracle.ucp.admin.UniversalConnectionPoolMBean:*",
              "poolName",
              "maxPoolSize",
              "borrowedConnectionsCount",
              NOT_TOLD));

  static void add(long look, Set<String> sorts, List<SeenPool> seen) {
    for (Bean bean : BEANS) {
      if (sorts.contains(bean.pool)) {
        addBeans(look, bean, seen);
      }
    }
  }

  private static void addBeans(long look, Bean bean, List<SeenPool> seen) {
    try {
      // Only existing servers: asking for the platform's own server would create it.
      for (MBeanServer server : MBeanServerFactory.findMBeanServer(null)) {
        for (ObjectName name : server.queryNames(new ObjectName(bean.names), null)) {
          long bound = number(server, name, bean.bound);
          if (bound > 0) {
            seen.add(
                new SeenPool(
                    look,
                    bean.pool,
                    Objects.requireNonNullElse(name.getKeyProperty(bean.name), ""),
                    bound,
                    number(server, name, bean.inUse),
                    number(server, name, bean.waiting)));
          }
        }
      }
    } catch (JMException | RuntimeException e) {
      // No beans, or a bean that has gone meanwhile.
    }
  }

  private static long number(MBeanServer server, ObjectName name, String attribute)
      throws JMException {
    return attribute.equals(NOT_TOLD)
        ? -1
        : ((Number) server.getAttribute(name, attribute)).longValue();
  }
}
