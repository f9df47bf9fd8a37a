package shop;

class RateLimiter {
  private long permits;

  synchronized void acquire() {
    permits++;
  }

  synchronized long permits() {
    return permits;
  }
}
