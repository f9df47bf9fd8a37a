package io.github.vtdiag.agent.threads;

import io.github.vtdiag.locksite.CodeSites;
import io.github.vtdiag.model.ClassMonitors;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.StackTrace;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Reads the lock maps of loaded classes. */
public interface LockMapReader {
  /** Reads the classes on these stacks that were not read yet. */
  void read(Collection<StackTrace> stacks);

  /** Returns the lock maps of the classes of that name; empty if none could be read. */
  List<ClassMonitors> find(ClassRef type);

  /** Returns the instructions of the loaded classes of these names. */
  List<CodeSites> code(Set<String> names);
}
