package vtdiag.analysis;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import vtdiag.model.ClassRef;
import vtdiag.model.Figures;

/** What the stacks of pins cannot tell. */
final class StackGaps {
  private final Set<String> unreadClasses = new HashSet<>();
  private long withoutStack;
  private long truncated;
  private int cutDepth;

  void add(Alike alike) {
    unreadClasses.addAll(alike.attribution.unreadClasses());
    if (alike.stack.isAbsent()) {
      withoutStack += alike.count();
    } else if (alike.attribution.truncated()) {
      truncated += alike.count();
      cutDepth = Math.max(cutDepth, alike.stack.frames().size());
    }
  }

  List<Gap> gaps() {
    List<Gap> gaps = new ArrayList<>();
    if (withoutStack > 0) {
      gaps.add(
          new Gap(
              Gap.Kind.NO_STACKS,
              "",
              Figures.count(withoutStack, "pin")
                  + " came without a stack; record with stackTrace=true"));
    }
    if (truncated > 0) {
      gaps.add(
          new Gap(
              Gap.Kind.STACKS_TRUNCATED,
              "",
              (truncated == 1 ? "1 stack was" : Figures.count(truncated) + " stacks were")
                  + " cut at depth "
                  + cutDepth));
    }
    unread(
        gaps,
        Gap.Kind.CLASSES_UNREAD,
        name -> !new ClassRef(name, "").isJdk(),
        "name their jars with --classpath");
    unread(
        gaps,
        Gap.Kind.JDK_CLASSES_UNREAD,
        name -> new ClassRef(name, "").isJdk(),
        "name the JDK that ran with --jdk");
    return gaps;
  }

  private void unread(List<Gap> gaps, Gap.Kind kind, Predicate<String> which, String remedy) {
    List<String> classes = unreadClasses.stream().filter(which).sorted().toList();
    if (classes.isEmpty()) {
      return;
    }
    int shown = 3;
    int more = classes.size() - shown;
    gaps.add(
        new Gap(
            kind,
            "",
            "monitors of "
                + Figures.count(classes.size())
                + (classes.size() == 1 ? " class" : " classes")
                + (kind == Gap.Kind.JDK_CLASSES_UNREAD ? " of the JDK" : "")
                + " whose bytes were not found ("
                + String.join(", ", classes.stream().limit(shown).toList())
                + (more > 0 ? " and " + Figures.count(more) + " more" : "")
                + "); "
                + remedy));
  }
}
