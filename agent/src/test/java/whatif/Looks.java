package whatif;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.mockito.Mockito;
import org.springframework.aop.framework.ProxyFactory;

/**
 * What libraries see of a class that locks itself: Spring, which proxies a class otherwise if it
 * has an interface, and Mockito, which answers every method.
 */
@SuppressWarnings({"WaitNotInLoop", "DirectInvocationOnMock"})
public final class Looks {
  private Looks() {}

  /** Locks itself both ways, and waits. */
  public static class Repo {
    private int saved;

    public synchronized int save() throws InterruptedException {
      notifyAll();
      wait(1);
      return ++saved;
    }

    public int count() {
      synchronized (this) {
        return saved;
      }
    }
  }

  private static void lock(String name, Object object) throws InterruptedException {
    synchronized (object) {
      Thread other =
          Thread.ofPlatform()
              .start(
                  () -> {
                    synchronized (object) {
                      object.notifyAll();
                    }
                  });
      object.wait(10_000);
      other.join();
      System.out.println(name + " " + Thread.holdsLock(object));
    }
    System.out.println(name + " " + Thread.holdsLock(object));
  }

  public static void main(String[] args) throws Exception {
    System.out.println("interfaces " + Arrays.toString(Repo.class.getInterfaces()));
    for (Field field : Repo.class.getDeclaredFields()) {
      System.out.println("field " + field.getName());
    }
    System.out.println(
        "methods "
            + Arrays.stream(Repo.class.getDeclaredMethods())
                .map(Method::getName)
                .sorted()
                .toList());
    Repo proxy = (Repo) new ProxyFactory(new Repo()).getProxy();
    System.out.println("saved " + proxy.save() + " " + proxy.count());
    lock("proxy", proxy);
    Repo mock = Mockito.mock(Repo.class);
    System.out.println("mocked " + mock.save() + " " + mock.count());
    lock("mock", mock);
    Repo real = new Repo();
    System.out.println("real " + real.save());
    lock("real", real);
  }
}
