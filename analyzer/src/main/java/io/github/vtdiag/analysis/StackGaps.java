package io.github.vtdiag.analysis;

import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.program.ClassLookup;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Collects what the stacks of pins do not show. */
final class StackGaps {
  private static final int SHOWN = 3;

  /** The reasons why the monitors of a class are unknown, in the order of the report. */
  private enum Why {
    NOT_NAMED,
    NOT_ON_CLASS_PATH,
    NOT_IN_JDK,
    DOES_NOT_FIT,
    CHANGED_AFTERWARDS,
    GENERATED,
    UNREADABLE
  }

  private final Map<Why, Set<String>> unread = new EnumMap<>(Why.class);
  private long withoutStack;
  private long truncated;
  private int cutDepth;

  void add(PinGroup alike, Map<String, ClassLookup> lookups) {
    for (String name : alike.attribution.unreadClasses()) {
      // A frame without a class has no bytes that could be found.
      if (!name.isEmpty()) {
        unread.computeIfAbsent(why(name, lookups.get(name)), why -> new TreeSet<>()).add(name);
      }
    }
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
              (withoutStack == 1 ? "the stack of " : "the stacks of ")
                  + Figures.count(withoutStack, "pin")
                  + ": record with stackTrace=true"));
    }
    if (truncated > 0) {
      gaps.add(
          new Gap(
              Gap.Kind.STACKS_TRUNCATED,
              "",
              "the outer frames of "
                  + (truncated == 1 ? "1 stack" : Figures.count(truncated) + " stacks")
                  + ", cut at depth "
                  + cutDepth));
    }
    unread.forEach((why, classes) -> gaps.add(gap(why, classes)));
    return gaps;
  }

  private static Why why(String name, ClassLookup lookup) {
    return switch (lookup) {
      case ClassLookup.NotFound(boolean named) ->
          new ClassRef(name, "").isJdk()
              ? Why.NOT_IN_JDK
              : named ? Why.NOT_ON_CLASS_PATH : Why.NOT_NAMED;
      case ClassLookup.Found(boolean recorded) ->
          recorded ? Why.CHANGED_AFTERWARDS : Why.DOES_NOT_FIT;
      case ClassLookup.Generated generated -> Why.GENERATED;
      case ClassLookup.Unreadable unreadable -> Why.UNREADABLE;
    };
  }

  private static Gap gap(Why why, Set<String> classes) {
    boolean one = classes.size() == 1;
    String monitors =
        "the monitors of " + Figures.count(classes.size()) + (one ? " class" : " classes");
    String names = " (" + names(classes) + ")";
    return switch (why) {
      case NOT_NAMED ->
          new Gap(
              Gap.Kind.CLASSES_UNREAD,
              "",
              monitors
                  + " whose bytes were not found"
                  + names
                  + (one ? ": name its jar" : ": name their jars")
                  + " with --classpath");
      case NOT_ON_CLASS_PATH ->
          new Gap(
              Gap.Kind.CLASSES_UNREAD,
              "",
              monitors
                  + (one ? " that is" : " that are")
                  + " not on the class path"
                  + names
                  + (one ? ": add its jar" : ": add their jars")
                  + " to --classpath");
      case NOT_IN_JDK ->
          new Gap(
              Gap.Kind.JDK_CLASSES_UNREAD,
              "",
              monitors
                  + " of the JDK whose bytes were not found"
                  + names
                  + ": name the JDK that ran with --jdk");
      case DOES_NOT_FIT ->
          new Gap(
              Gap.Kind.CLASSES_UNFIT,
              "",
              monitors
                  + " whose bytes do not fit the recording"
                  + names
                  + ": another version, or changed by another agent");
      case CHANGED_AFTERWARDS ->
          new Gap(
              Gap.Kind.CLASSES_UNFIT,
              "",
              monitors
                  + (one ? " that another agent changed" : " that other agents changed")
                  + names
                  + ", other than by line: name vtdiag's agent last on the command line");
      case GENERATED ->
          new Gap(
              Gap.Kind.CLASSES_UNFIT,
              "",
              monitors
                  + (one ? " that was" : " that were")
                  + " generated at run time"
                  + names
                  + (one ? " and is" : " and are")
                  + " in no jar");
      case UNREADABLE ->
          new Gap(
              Gap.Kind.CLASSES_UNFIT,
              "",
              monitors
                  + (one ? " whose class file" : " whose class files")
                  + " could not be read"
                  + names);
    };
  }

  static String names(Set<String> classes) {
    int more = classes.size() - SHOWN;
    return String.join(", ", classes.stream().limit(SHOWN).toList())
        + (more > 0 ? " and " + Figures.count(more) + " more" : "");
  }
}
