package io.github.vtdiag.report.json;

import io.github.vtdiag.fleet.FleetAnswers;
import io.github.vtdiag.fleet.FleetAnswers.Answer;
import io.github.vtdiag.fleet.FleetVerdict;
import io.github.vtdiag.fleet.Question;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;

/** Writes a fleet's answers as JSON: a member for each question, with an object for each row. */
final class FleetJson {
  private FleetJson() {}

  static void members(JsonObject json, FleetAnswers fleet) {
    json.put("lake", fleet.lake()).texts("by", fleet.by()).putText("since", fleet.since());
    for (Question question : Question.values()) {
      String name = question.name().toLowerCase(Locale.ROOT);
      if (question == Question.FLEET) {
        json.object(name, whole -> row(whole, fleet.answers().get(question), 0));
      } else {
        rows(json, name, fleet.answers().get(question));
      }
    }
  }

  static void members(JsonObject json, FleetVerdict verdict) {
    json.put("verdict", verdict.kind())
        .texts("by", verdict.by())
        .array(
            "groups",
            verdict.groups(),
            (each, group) ->
                each.put("name", group.name())
                    .put("verdict", group.kind())
                    .put("recordings", group.recordings())
                    .texts("broken", group.broken())
                    .texts("unproven", group.unproven())
                    .texts("warnings", group.warnings())
                    .texts("shownBy", group.shownBy()));
  }

  static void rows(JsonObject json, String name, Answer answer) {
    json.array(
        name,
        answer.rows(),
        (each, row) -> {
          for (int i = 0; i < answer.columns().size(); i++) {
            put(each, answer.columns().get(i), row.get(i));
          }
        });
  }

  private static void row(JsonObject json, Answer answer, int row) {
    for (int i = 0; i < answer.columns().size(); i++) {
      put(json, answer.columns().get(i), answer.rows().get(row).get(i));
    }
  }

  private static void put(JsonObject json, String name, Object value) {
    switch (value) {
      case null -> json.putNull(name);
      case Boolean flag -> json.put(name, flag);
      case Double figure -> json.put(name, figure.doubleValue());
      case Float figure -> json.put(name, figure.doubleValue());
      case BigDecimal figure -> json.put(name, figure.doubleValue());
      case BigInteger count -> json.put(name, count);
      case Number count -> json.put(name, count.longValue());
      default -> json.put(name, value.toString());
    }
  }
}
