/// story: The block stands in a lambda.
/// java: 21
/// kind: pin
/// holder: LambdaHolds.lambda$main$0
/// truth: bytecode: monitorenter in the lambda's synthetic method
class LambdaHolds {
  private static void remote() throws Exception {
    Thread.sleep(40);
  }

  public static void main(String[] args) throws Exception {
    Case.repeat(
        () -> {
          Object own = new Object();
          synchronized (own) {
            remote();
          }
        });
  }
}
