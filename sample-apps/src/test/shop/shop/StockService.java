package shop;

import java.util.HashMap;
import java.util.Map;
import org.springframework.stereotype.Service;

@Service
public class StockService {
  private final Map<String, Integer> stock = new HashMap<>();

  public synchronized void add(String item, int n) {
    stock.merge(item, n, Integer::sum);
  }

  public synchronized int count(String item) {
    return stock.getOrDefault(item, 0);
  }
}
