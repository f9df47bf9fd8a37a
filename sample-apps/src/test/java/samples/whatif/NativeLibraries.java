package samples.whatif;

import com.sun.jna.Library;
import com.sun.jna.Native;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** JNA and sqlite-jdbc, whose native methods are synchronized. */
public final class NativeLibraries {
  private NativeLibraries() {}

  /** Of the C library. */
  public interface CLibrary extends Library {
    int abs(int number);
  }

  private static void insert(Connection connection, int number) {
    try (Statement statement = connection.createStatement()) {
      statement.execute("insert into numbers values (" + number + ")");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  public static void main(String[] args) throws Exception {
    System.out.println(Native.load("c", CLibrary.class).abs(-3) + " " + Native.isProtected());
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
        Statement statement = connection.createStatement()) {
      statement.execute("create table numbers (number int)");
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        int first = i * 100;
        threads.add(
            Thread.startVirtualThread(
                () -> {
                  for (int number = first; number < first + 100; number++) {
                    insert(connection, number);
                  }
                }));
      }
      for (Thread thread : threads) {
        thread.join();
      }
      try (ResultSet result = statement.executeQuery("select count(*), sum(number) from numbers")) {
        System.out.println(result.next() + " " + result.getInt(1) + " " + result.getInt(2));
      }
    }
    System.out.println("done");
  }
}
