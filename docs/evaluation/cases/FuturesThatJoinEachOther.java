/// story: Two tasks wait for each other's futures, and clients wait for one of them.
/// java: 21 25
/// kind: stands still
/// names: CompletableFuture join
/// truth: each future is completed only after the other
import java.util.concurrent.CompletableFuture;

class FuturesThatJoinEachOther {
  private static final CompletableFuture<Integer> ONE = new CompletableFuture<>();
  private static final CompletableFuture<Integer> TWO = new CompletableFuture<>();

  public static void main(String[] args) throws Exception {
    Case.standStill(
        () -> ONE.complete(TWO.join()), () -> TWO.complete(ONE.join()), () -> ONE.join(), () -> ONE.join(), () -> ONE.join());
  }
}
