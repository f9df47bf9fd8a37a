package load;

/** One of many classes, as a service has them; recordings.py writes these. */
interface Handler {
  /** The methods that hold nothing; those after them hold a monitor of the handler. */
  int PLAIN = 4;

  int HOLDING = 2;

  void handle(int method, Route route, int depth);
}
