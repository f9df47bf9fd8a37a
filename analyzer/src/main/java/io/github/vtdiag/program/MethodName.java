package io.github.vtdiag.program;

/** A method, or a call of one. Names are with slashes. */
public record MethodName(String owner, String name, String descriptor) {
  public String signature() {
    return name + descriptor;
  }
}
