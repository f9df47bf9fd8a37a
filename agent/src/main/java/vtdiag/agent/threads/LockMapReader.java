package vtdiag.agent.threads;

import java.util.Collection;
import java.util.List;
import vtdiag.model.ClassMonitors;
import vtdiag.model.ClassRef;
import vtdiag.model.StackTrace;

/** The lock maps of loaded classes. */
public interface LockMapReader {
  /** Reads the classes on these stacks that were not read yet. */
  void read(Collection<StackTrace> stacks);

  /** The lock maps of the classes of that name; empty if none could be read. */
  List<ClassMonitors> find(ClassRef type);
}
