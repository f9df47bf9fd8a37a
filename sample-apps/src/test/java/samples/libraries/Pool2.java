package samples.libraries;

import java.time.Duration;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;

/** A pool that has to make its objects, which takes a while, and more callers than it may make. */
final class Pool2 {
  private static final class Slow extends BasePooledObjectFactory<Object> {
    @Override
    public Object create() {
      Calls.think();
      return new Object();
    }

    @Override
    public PooledObject<Object> wrap(Object object) {
      return new DefaultPooledObject<>(object);
    }
  }

  public static void main(String[] args) throws Exception {
    var pool = new GenericObjectPool<>(new Slow());
    pool.setMaxTotal(4);
    pool.setMaxWait(Duration.ofSeconds(1));
    Calls.run(
        thread -> {
          Object object = pool.borrowObject();
          Calls.think();
          pool.returnObject(object);
        });
  }

  private Pool2() {}
}
