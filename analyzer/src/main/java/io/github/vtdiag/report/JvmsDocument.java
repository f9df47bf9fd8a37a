package io.github.vtdiag.report;

import io.github.vtdiag.attach.SeenJvm;
import io.github.vtdiag.model.Figures;
import io.github.vtdiag.report.words.Document;
import io.github.vtdiag.report.words.Document.Block;
import io.github.vtdiag.report.words.Document.Heading;
import io.github.vtdiag.report.words.Document.Section;
import io.github.vtdiag.report.words.Phrase;
import java.util.List;

/** The document that lists the JVMs of this machine. */
final class JvmsDocument {
  private JvmsDocument() {}

  static Document of(List<SeenJvm> jvms) {
    if (jvms.isEmpty()) {
      return new Document(
          "JVMs", List.of(new Block.Sentences(List.of(Phrase.of("No JVM of yours is running.")))));
    }
    return new Document(
        "JVMs",
        List.of(
            new Block.Table(
                List.of(
                    new Heading("pid", true),
                    new Heading("Java", false),
                    new Heading("virtual threads", true),
                    new Heading("agent", false),
                    new Heading("program", false)),
                List.of(new Section("", jvms.stream().map(JvmsDocument::row).toList())))));
  }

  private static List<String> row(SeenJvm jvm) {
    return List.of(
        Long.toString(jvm.pid()),
        jvm.java().isEmpty() ? "?" : jvm.java(),
        jvm.virtualThreads().isPresent()
            ? Figures.count(jvm.virtualThreads().getAsLong())
            : jvm.usesVirtualThreads().map(uses -> uses ? "yes" : "none").orElse("?"),
        jvm.agent().map(there -> there ? "yes" : "no").orElse("?"),
        jvm.mainClass().isEmpty() ? "?" : jvm.mainClass());
  }
}
