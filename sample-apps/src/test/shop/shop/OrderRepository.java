package shop;

import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Repository;

@Repository
public class OrderRepository {
  private final List<PurchaseOrder> orders = new ArrayList<>();

  long save(PurchaseOrder order) {
    orders.add(order);
    return orders.size();
  }
}
