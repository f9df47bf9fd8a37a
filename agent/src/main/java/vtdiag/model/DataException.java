package vtdiag.model;

/** Input that cannot be used: its message is one sentence for the user. */
public final class DataException extends Exception {
  private static final long serialVersionUID = 1L;

  public DataException(String message) {
    super(message);
  }

  public DataException(String message, Throwable cause) {
    super(message, cause);
  }
}
