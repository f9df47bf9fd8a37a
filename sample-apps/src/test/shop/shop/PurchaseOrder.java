package shop;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

@Entity
public class PurchaseOrder {
  @Id @GeneratedValue private Long id;
  private String item;
  private int amount;

  protected PurchaseOrder() {}

  public PurchaseOrder(String item, int amount) {
    this.item = item;
    this.amount = amount;
  }
}
