package io.github.vtdiag.report;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.Recommendation.Rewrite;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.attach.SeenJvm;
import io.github.vtdiag.baseline.Difference;
import io.github.vtdiag.compare.Comparison;
import io.github.vtdiag.dump.HangAnswer;
import io.github.vtdiag.fleet.FleetAnswers;
import io.github.vtdiag.fleet.FleetVerdict;
import io.github.vtdiag.gate.Verdict;
import io.github.vtdiag.model.MonitorId;
import io.github.vtdiag.report.words.Detail;
import io.github.vtdiag.report.words.Document;
import io.github.vtdiag.report.words.NextSteps;
import io.github.vtdiag.safety.Assumptions;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.scan.Scan;
import io.github.vtdiag.scan.ScanVsRecording;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The result of a command, before any words. */
public sealed interface Report {

  /** The most entries that a document lists; JSON has them all. */
  int MOST = 20;

  /**
   * An analysis: what held carriers.
   *
   * @param next commands that make sense now; may be empty
   */
  record Analysis(Findings findings, Advice advice, Detail detail, List<String> next)
      implements Report {
    public Analysis {
      next = List.copyOf(next);
    }
  }

  /**
   * An analysis with what to do about it.
   *
   * @param unpatched the reasons why vtdiag patch would leave out rewrites, for those it would
   * @param assumed the assumptions of the decisions on locks; empty if no classes were read
   * @param next commands that make sense now; may be empty
   */
  record Recommendations(
      Findings findings,
      Advice advice,
      Detail detail,
      Map<Rewrite, String> unpatched,
      Optional<Assumptions> assumed,
      NextSteps next)
      implements Report {
    public Recommendations {
      unpatched = Map.copyOf(unpatched);
    }

    public Recommendations(
        Findings findings,
        Advice advice,
        Detail detail,
        Optional<Assumptions> assumed,
        NextSteps next) {
      this(findings, advice, detail, Map.of(), assumed, next);
    }
  }

  /**
   * A gate verdict.
   *
   * @param advice for formats that also list the findings; empty for the others
   * @param detail full for also explaining what holds and why
   */
  record Judgement(Findings findings, Verdict verdict, Optional<Advice> advice, Detail detail)
      implements Report {
    public Judgement(Findings findings, Verdict verdict, Optional<Advice> advice) {
      this(findings, verdict, advice, Detail.BRIEF);
    }
  }

  /** The changes from one run to another. */
  record Changed(Difference difference, Detail detail) implements Report {}

  /** The comparison of a program before and after a change. */
  record Compared(Comparison comparison) implements Report {}

  /**
   * The monitors that a thread can hold while it waits.
   *
   * @param programs what was scanned, as the user names it
   * @param java the version of the JDK whose classes were read
   * @param decisions the decisions whether those of the user's own listed monitors can become locks
   * @param meeting the comparison with recordings, if there are any
   * @param most the most monitors that are listed in words
   * @param next commands that make sense now; may be empty
   */
  record Scanned(
      List<String> programs,
      String java,
      Scan scan,
      Map<MonitorId, Decision> decisions,
      Optional<ScanVsRecording> meeting,
      int most,
      List<String> next)
      implements Report {
    public Scanned {
      programs = List.copyOf(programs);
      decisions = Map.copyOf(decisions);
      next = List.copyOf(next);
    }
  }

  /**
   * The answer to whether a JVM hangs.
   *
   * @param subject what was examined, as the user named it
   * @param next commands that make sense now; may be empty
   */
  record Hung(String subject, HangAnswer answer, Detail detail, List<String> next)
      implements Report {
    public Hung {
      next = List.copyOf(next);
    }
  }

  /** The JVMs of this machine. */
  record Jvms(List<SeenJvm> jvms) implements Report {
    public Jvms {
      jvms = List.copyOf(jvms);
    }
  }

  /** The answers of a fleet. */
  record Fleet(FleetAnswers answers) implements Report {}

  /** The answer to a query of the user's own. */
  record Queried(FleetAnswers.Answer answer) implements Report {}

  /** A gate verdict for a fleet. */
  record FleetJudgement(FleetVerdict verdict) implements Report {}

  /** Returns the report in words. */
  default Document document() {
    return switch (this) {
      case Analysis of ->
          new FindingsDocument(of.findings(), of.advice(), of.detail()).document(of.next());
      case Recommendations of -> new AdviceDocument(of).document();
      case Judgement of -> GateDocument.of(of);
      case Scanned of -> ScanDocument.of(of);
      case Hung of -> HangDocument.of(of);
      case Jvms of -> JvmsDocument.of(of.jvms());
      case Changed of -> DiffDocument.of(of.difference(), of.detail());
      case Fleet of -> FleetDocument.of(of.answers());
      case Queried of -> new Document("Query", List.of(FleetDocument.table(of.answer())));
      case FleetJudgement of -> FleetGateDocument.of(of.verdict());
      case Compared of -> ComparisonDocument.of(of.comparison());
    };
  }
}
