package io.github.vtdiag.upgrade;

import io.github.vtdiag.advice.KnownFix;
import io.github.vtdiag.analysis.PinKind;
import io.github.vtdiag.analysis.Site;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.model.MonitorRegion;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.program.LibraryClasses;
import io.github.vtdiag.upgrade.LibraryCode.Call;
import io.github.vtdiag.upgrade.LibraryCode.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** The monitors that a line of the known fixes means, from the classes that were seen to pin. */
public final class ListedHolders {
  private ListedHolders() {}

  /** All that its holders hold around a call, as if they had been on stacks that are not known. */
  public static LibraryOnStacks of(KnownFix fix, LibraryClasses lastSeen) {
    LibraryCode code = new LibraryCode(lastSeen);
    List<Site> held = new ArrayList<>();
    for (String name : new TreeSet<>(lastSeen.names())) {
      for (Method method : code.methods(name)) {
        if (fix.concerns(name, method.name())) {
          for (MonitorRegion region : method.monitors().regions()) {
            boolean isMethod = region.kind() == MonitorRegion.Kind.METHOD;
            if (isMethod || method.calls().stream().anyMatch(call -> region.holdsAt(call.bci()))) {
              held.add(
                  held(
                      isMethod ? PinKind.SYNCHRONIZED_METHOD : PinKind.SYNCHRONIZED_BLOCK,
                      method,
                      region.enterBci()));
            }
          }
          if (method.calls().stream().anyMatch(ListedHolders::isWait)) {
            held.add(held(PinKind.OBJECT_WAIT, method, MonitorId.METHOD));
          }
        }
      }
    }
    return new LibraryOnStacks(
        new Coordinates(fix.group(), fix.artifact(), fix.lastSeen()), List.of(), held, List.of());
  }

  private static boolean isWait(Call call) {
    return call.owner().equals("java.lang.Object") && call.name().equals("wait");
  }

  private static Site held(PinKind kind, Method method, int enterBci) {
    MonitorId place = new MonitorId(method.owner(), method.name(), method.descriptor(), enterBci);
    return new Site(kind, place, "", "");
  }
}
