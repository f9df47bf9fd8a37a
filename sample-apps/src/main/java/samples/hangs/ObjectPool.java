package samples.hangs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;

/**
 * 40 virtual threads and a pool of commons-pool2 2.13.1 that may make 8 objects. A thread that asks
 * while these are being made waits in {@code Object.wait}, pinned (Java 21 to 23). Two of them
 * leave no carrier for the threads that make the objects.
 *
 * <p>{@code threads} (40), {@code pool} (8), {@code rounds} (1): how often each borrows; {@code
 * patience}: the seconds that each waits at most (180), or -1 for the pool's own default, no limit.
 * Without a limit this version polls instead of waiting, and the carriers are taken by threads that
 * compute. In the twin the pool is filled beforehand, so that no thread waits with a monitor held.
 */
public final class ObjectPool {
  private static final class Slow extends BasePooledObjectFactory<Object> {
    @Override
    public Object create() {
      Work.think();
      return new Object();
    }

    @Override
    public PooledObject<Object> wrap(Object object) {
      return new DefaultPooledObject<>(object);
    }
  }

  public static void main(String[] args) throws Exception {
    Story.carriers(2);
    var pool = new GenericObjectPool<>(new Slow());
    int size = Integer.getInteger("pool", 8);
    pool.setMaxTotal(size);
    pool.setMaxIdle(size);
    pool.setMaxWait(Duration.ofSeconds(Long.getLong("patience", 180)));
    if (Story.healthy()) {
      pool.addObjects(size);
    }
    List<Thread> threads = new ArrayList<>();
    Work work =
        () -> {
          Object object = pool.borrowObject();
          try {
            Work.think();
          } finally {
            pool.returnObject(object);
          }
        };
    for (int i = 0; i < Integer.getInteger("threads", 40); i++) {
      threads.add(Story.start("client-" + i, work::repeat));
    }
    Work.seeToTheEnd(threads, "all carriers are kept by threads that wait for objects of a pool");
  }

  private ObjectPool() {}
}
