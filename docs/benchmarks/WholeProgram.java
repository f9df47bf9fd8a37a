import java.util.ArrayList;
import java.util.List;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.model.MethodMonitors;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.program.ClassPathBytes;
import io.github.vtdiag.program.JdkClasses;
import io.github.vtdiag.program.Program;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.safety.LockSafety;

/**
 * Reads a whole program as the safety rules do, and decides on some of its monitors: {@code
 * WholeProgram JAR [CLASS#METHOD...]}. Without one it only reads.
 */
final class WholeProgram {
  private WholeProgram() {}

  public static void main(String[] args) throws Exception {
    try (Program program =
        Program.read(ClassPathBytes.open(List.of(args[0]), 21), JdkClasses.running())) {
      System.out.println(
          program.classNames().size() + " classes, " + program.unread().size() + " unread");
      LockSafety rules = new LockSafety(program);
      for (String wanted : List.of(args).subList(1, args.length)) {
        for (LockSite site : sites(program, wanted)) {
          String decision =
              switch (rules.decide(site)) {
                case Decision.Movable movable -> "can become a lock";
                case Decision.Declined declined -> declined.rung() + ": " + declined.reason();
              };
          System.out.println(wanted + ": " + decision);
        }
      }
    }
  }

  private static List<LockSite> sites(Program program, String wanted) {
    String type = wanted.substring(0, wanted.indexOf('#'));
    List<LockSite> sites = new ArrayList<>();
    for (ClassMonitors map : program.lockMaps(type::equals)) {
      for (MethodMonitors method : map.methods()) {
        if (wanted.equals(type + "#" + method.name())) {
          for (MonitorRegion region : method.regions()) {
            sites.add(new LockSite(map.type(), method.name(), method.descriptor(), region));
          }
        }
      }
    }
    return sites;
  }
}
