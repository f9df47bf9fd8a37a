package io.github.vtdiag.model;

/**
 * A place in code that takes a monitor: the unit that findings are grouped by.
 *
 * @param type the class
 * @param method the method's name
 * @param descriptor the method's descriptor
 * @param region which of the method's monitors
 */
public record LockSite(ClassRef type, String method, String descriptor, MonitorRegion region) {
  /**
   * Returns the identity of the monitor, without what may differ between two readings of the class.
   */
  public MonitorId id() {
    return new MonitorId(type.name(), method, descriptor, region.enterBci());
  }

  public String qualifiedMethod() {
    return type.name() + "." + method;
  }
}
