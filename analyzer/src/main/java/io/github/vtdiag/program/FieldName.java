package io.github.vtdiag.program;

/** A field, by the class that declares it. Names are with slashes. */
public record FieldName(String owner, String name) {}
