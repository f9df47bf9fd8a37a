package vtdiag.program;

/** A field, by the class that declares it. Names with slashes. */
public record FieldName(String owner, String name) {}
