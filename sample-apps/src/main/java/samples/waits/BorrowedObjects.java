package samples.waits;

import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;

/**
 * 200 virtual threads that each use an object for 20 ms, and a pool of commons-pool2 with 8 of them
 * ({@code pool}). The twin has an object for each thread.
 */
public final class BorrowedObjects {
  private static final class Parsers extends BasePooledObjectFactory<Object> {
    @Override
    public Object create() {
      return new Object();
    }

    @Override
    public PooledObject<Object> wrap(Object object) {
      return new DefaultPooledObject<>(object);
    }
  }

  public static void main(String[] args) throws Exception {
    int threads = Integer.getInteger("threads", 200);
    int size = Crowd.healthy() ? threads : Integer.getInteger("pool", 8);
    try (var pool = new GenericObjectPool<>(new Parsers())) {
      pool.setMaxTotal(size);
      pool.setMaxIdle(size);
      pool.addObjects(size);
      Crowd.repeat(threads, () -> parse(pool));
    }
  }

  private static void parse(GenericObjectPool<Object> pool) throws Exception {
    Object parser = pool.borrowObject();
    try {
      Crowd.work(20);
    } finally {
      pool.returnObject(parser);
    }
  }

  private BorrowedObjects() {}
}
