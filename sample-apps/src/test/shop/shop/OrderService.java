package shop;

import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Service;

@Service
public class OrderService {
  private final StockService stock;
  private final OrderRepository orders;
  private final RateLimiter limiter = new RateLimiter();
  private final List<String> journal = new ArrayList<>();

  public OrderService(StockService stock, OrderRepository orders) {
    this.stock = stock;
    this.orders = orders;
  }

  public synchronized long order(String item, int amount) {
    limiter.acquire();
    stock.add(item, -amount);
    journal.add(item);
    return orders.save(new PurchaseOrder(item, amount));
  }

  public int ordered() {
    synchronized (this) {
      return journal.size();
    }
  }
}
