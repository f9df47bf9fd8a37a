package samples.deepstack;

import java.io.IOException;
import java.util.Collections;
import java.util.List;

/**
 * Filters around a handler, as every web framework has them: each filter calls the chain and the
 * chain calls the next filter, so 60 filters are 120 frames.
 */
final class Chain {
  /** A step before the handler. */
  interface Filter {
    String filter(String request, Chain chain) throws IOException;
  }

  /** The handler behind all filters. */
  interface Handler {
    String handle(String request) throws IOException;
  }

  private static final int FILTERS = 60;

  private final List<Filter> filters;
  private final int position;
  private final Handler handler;

  private Chain(List<Filter> filters, int position, Handler handler) {
    this.filters = filters;
    this.position = position;
    this.handler = handler;
  }

  static Chain around(Handler handler) {
    Filter filter = new Trimmed();
    return new Chain(Collections.nCopies(FILTERS, filter), 0, handler);
  }

  String proceed(String request) throws IOException {
    return position == filters.size()
        ? handler.handle(request)
        : filters.get(position).filter(request, new Chain(filters, position + 1, handler));
  }

  /** A substitute for the tracing, security, compression ... of a real framework. */
  private static final class Trimmed implements Filter {
    @Override
    public String filter(String request, Chain chain) throws IOException {
      return chain.proceed(request.strip()).strip();
    }
  }
}
