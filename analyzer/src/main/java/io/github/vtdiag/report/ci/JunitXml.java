package io.github.vtdiag.report.ci;

import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * A test report in the format of Ant's JUnit task, which all build servers read. It has a test for
 * each limit, and one for each finding that breaks a limit. If the recordings do not suffice, its
 * only test is an error: a skipped test is green.
 */
final class JunitXml implements BuildFormat {
  private static final String SUITE = "vtdiag.gate";

  @Override
  public String option() {
    return "--junit";
  }

  @Override
  public String description() {
    return "A test report in JUnit's XML: a test for each limit, and one for each finding that"
        + " breaks a limit.";
  }

  @Override
  public String write(BuildReport report) {
    List<Case> cases = cases(report);
    StringWriter text = new StringWriter();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
      xml.writeStartDocument("UTF-8", "1.0");
      xml.writeCharacters("\n");
      xml.writeStartElement("testsuite");
      xml.writeAttribute("name", SUITE);
      xml.writeAttribute("time", "0");
      xml.writeAttribute("tests", "" + cases.size());
      xml.writeAttribute("errors", count(cases, Result.ERROR));
      xml.writeAttribute("skipped", "0");
      xml.writeAttribute("failures", count(cases, Result.FAILURE));
      for (Case each : cases) {
        xml.writeCharacters("\n  ");
        write(xml, each);
      }
      xml.writeCharacters("\n");
      xml.writeEndElement();
      xml.writeCharacters("\n");
      xml.writeEndDocument();
      xml.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException("a report is written to memory", e);
    }
    return text.toString();
  }

  /**
   * A test.
   *
   * @param lines its lines, of which the first is short
   */
  private record Case(String className, String name, Result result, List<String> lines) {}

  /** The result of a test, as JUnit distinguishes them. */
  private enum Result {
    PASSED("", ""),
    FAILURE("failure", "FAIL"),
    ERROR("error", "NO_DATA");

    private final String element;
    private final String type;

    Result(String element, String type) {
      this.element = element;
      this.type = type;
    }
  }

  private static List<Case> cases(BuildReport report) {
    List<Case> cases = new ArrayList<>();
    AnnotationList annotations = AnnotationList.of(report);
    for (AnnotationList.Tested test : annotations.tests()) {
      Result result =
          switch (test.outcome()) {
            case HOLDS -> Result.PASSED;
            case BROKEN -> Result.FAILURE;
            case UNTOLD -> Result.ERROR;
          };
      cases.add(new Case(SUITE, test.name(), result, test.lines()));
    }
    for (Annotation annotation : annotations.all()) {
      switch (annotation.level()) {
        case ERROR -> {
          // A broken limit without a finding is already reported as the limit's own test.
          if (annotation.finding().isPresent() || annotation.rule().equals(BuildRules.HANG)) {
            cases.add(
                new Case(
                    className(annotation), name(annotation), Result.FAILURE, annotation.lines()));
          }
        }
        case NO_DATA ->
            cases.add(new Case(SUITE, name(annotation), Result.ERROR, annotation.lines()));
        case WARNING, NOTE -> {
          // No test fails because of them.
        }
      }
    }
    return cases;
  }

  /** Returns a name that is the same in every build, so that a server knows since when it fails. */
  private static String name(Annotation annotation) {
    return annotation.finding().isPresent() ? annotation.identity().text() : annotation.title();
  }

  private static String className(Annotation annotation) {
    String name = annotation.place().map(frame -> frame.type().name()).orElse("");
    return name.isEmpty() ? SUITE : name;
  }

  private static void write(XMLStreamWriter xml, Case test) throws XMLStreamException {
    xml.writeStartElement("testcase");
    xml.writeAttribute("name", SafeText.name(test.name()));
    xml.writeAttribute("classname", SafeText.name(test.className()));
    xml.writeAttribute("time", "0");
    if (test.result() != Result.PASSED) {
      xml.writeStartElement(test.result().element);
      xml.writeAttribute("message", SafeText.text(test.lines().getFirst()));
      xml.writeAttribute("type", test.result().type);
      for (String line : test.lines()) {
        xml.writeCharacters(SafeText.text(line) + "\n");
      }
      xml.writeEndElement();
    }
    xml.writeEndElement();
  }

  private static String count(List<Case> cases, Result result) {
    return "" + cases.stream().filter(test -> test.result() == result).count();
  }
}
