package vtdiag.agent;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import vtdiag.pin.Events;

/** The events that the agent adds to the recording, because offline analysis cannot know them. */
final class AgentEvents {
  private AgentEvents() {}

  @Name(Events.AGENT)
  @Label("vtdiag Agent")
  @Description("The agent that recorded, and the scheduler it found")
  @Category("vtdiag")
  @Period("beginChunk")
  @StackTrace(false)
  static final class Agent extends Event {
    String version;
    String options;
    int stackDepth;
    int processors;
    int parallelism;
    int maxPoolSize;
  }

  @Name(Events.LOCK_MAP)
  @Label("vtdiag Lock Map")
  @Description("Where a class seen in a pin holds monitors; every chunk has all that are known")
  @Category("vtdiag")
  @Period("endChunk")
  @StackTrace(false)
  static final class LockMap extends Event {
    String className;
    String classLoader;
    String location;
    int part;
    int parts;
    String map;
  }

  @Name(Events.WAITING)
  @Label("vtdiag Waiting Threads")
  @Description("Virtual threads that could run and have no carrier")
  @Category("vtdiag")
  @Period("1 s")
  @StackTrace(false)
  static final class Waiting extends Event {
    long threads;
  }

  @Name(Events.MONITOR_SAMPLE)
  @Label("vtdiag Monitor Sample")
  @Description("The monitors that a pinned virtual thread really held")
  @Category("vtdiag")
  @StackTrace(false)
  static final class MonitorSample extends Event {
    String frames;
  }
}
