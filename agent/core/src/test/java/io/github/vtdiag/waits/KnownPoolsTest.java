package io.github.vtdiag.waits;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.vtdiag.testing.MadeFrames;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KnownPoolsTest {
  private static final String PARK = "java.util.concurrent.locks.LockSupport.park";

  private static Optional<String> pool(String... methods) {
    return KnownPools.askedBy(MadeFrames.of(methods))
        .map(asked -> asked.pool() + " asked by " + asked.asked().qualifiedMethod());
  }

  /** A pool that opens a connection runs a driver's code: nobody waits for a free one. */
  @Test
  void whoOpensAConnectionDoesNotWaitForAFreeOne() {
    for (List<String> inPool :
        List.of(
            List.of("com.zaxxer.hikari.pool.HikariPool.getConnection"),
            List.of("org.vibur.objectpool.ConcurrentPool.tryTake"),
            List.of(
                "oracle.ucp.common.Core.grow", "oracle.ucp.jdbc.PoolDataSourceImpl.getConnection"),
            List.of("org.apache.commons.pool.impl.GenericObjectPool.borrowObject"))) {
      String[] stack =
          Stream.of(
                  List.of("sun.nio.ch.NioSocketImpl.read", "org.postgresql.core.PGStream.receive"),
                  inPool,
                  List.of("app.Orders.find"))
              .flatMap(List::stream)
              .toArray(String[]::new);
      assertEquals(Optional.empty(), pool(stack), inPool.toString());
    }
  }

  @Test
  void anObjectsOwnMethodIsNotThePool() {
    assertEquals(Optional.empty(), pool(PARK, "redis.clients.jedis.Connection.read", "app.A.b"));
    assertEquals(Optional.empty(), pool(PARK, "org.vibur.dbcp.proxy.Statement.run", "app.A.b"));
  }

  @Test
  void aPoolThatWaitsInAStrategyIsKnown() {
    assertEquals(
        Optional.of("BoneCP asked by app.Orders.find"),
        pool(
            PARK,
            "java.util.concurrent.LinkedTransferQueue.poll",
            "com.jolbox.bonecp.DefaultConnectionStrategy.getConnectionInternal",
            "com.jolbox.bonecp.BoneCP.getConnection",
            "app.Orders.find"));
  }

  /** Of several packages, whose first three names differ. */
  @Test
  void aPoolOfSeveralPackagesIsKnown() {
    assertEquals(
        Optional.of("Vibur asked by app.Orders.find"),
        pool(
            PARK,
            "java.util.concurrent.Semaphore.tryAcquire",
            "org.vibur.objectpool.ConcurrentPool.tryTake",
            "org.vibur.dbcp.pool.PoolOperations.getProxyConnection",
            "org.vibur.dbcp.ViburDBCPDataSource.getConnection",
            "app.Orders.find"));
    assertEquals(
        Optional.of("Oracle UCP asked by app.Orders.find"),
        pool(
            PARK,
            "java.util.concurrent.Semaphore.tryAcquire",
            "oracle.ucp.common.Core.findFirst",
            "oracle.ucp.jdbc.PoolDataSourceImpl.getConnection",
            "app.Orders.find"));
  }

  @Test
  void thePoolAboveNamesItNotThatOnWhichItStands() {
    assertEquals(
        Optional.of("DBCP asked by app.Orders.find"),
        pool(
            "java.lang.Object.wait",
            "org.apache.commons.pool.impl.GenericObjectPool.borrowObject",
            "org.apache.commons.dbcp.PoolingDataSource.getConnection",
            "org.apache.commons.dbcp.BasicDataSource.getConnection",
            "app.Orders.find"));
    assertEquals(
        Optional.of("Lettuce asked by app.Orders.find"),
        pool(
            PARK,
            "org.apache.commons.pool2.impl.GenericObjectPool.borrowObject",
            "io.lettuce.core.support.ConnectionPoolSupport$1.borrowObject",
            "app.Orders.find"));
  }
}
