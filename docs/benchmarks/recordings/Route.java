package load;

/** A way through the handlers of a made-up service, with some work at its end. */
final class Route {
  private final Handler[] handlers;
  private final int[] methods;
  private final Runnable end;

  Route(Handler[] handlers, int[] methods, Runnable end) {
    this.handlers = handlers;
    this.methods = methods;
    this.end = end;
  }

  /** What each handler calls when it is done with its own part. */
  void next(int depth) {
    if (depth == handlers.length) {
      end.run();
    } else {
      handlers[depth].handle(methods[depth], this, depth + 1);
    }
  }
}
