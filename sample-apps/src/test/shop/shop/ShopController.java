package shop;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class ShopController {
  private final OrderService orders;
  private final StockService stock;
  private final PriceCache prices;
  private long requests;

  public ShopController(OrderService orders, StockService stock, PriceCache prices) {
    this.orders = orders;
    this.stock = stock;
    this.prices = prices;
  }

  @GetMapping("/order/{item}")
  public String order(@PathVariable("item") String item) {
    count();
    orders.order(item, 1);
    return Ids.next() + " " + item + " " + stock.count(item) + " " + prices.price(item);
  }

  private synchronized long count() {
    return ++requests;
  }
}
