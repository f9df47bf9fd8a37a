package vtdiag.model;

/**
 * A place in code that takes a monitor: the unit that findings are grouped by.
 *
 * @param type the class
 * @param method the method's name
 * @param descriptor the method's descriptor
 * @param region which of the method's monitors
 */
public record LockSite(ClassRef type, String method, String descriptor, MonitorRegion region) {
  public String qualifiedMethod() {
    return type.name() + "." + method;
  }
}
