package io.github.vtdiag.report.json;

import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.patch.Patch;
import io.github.vtdiag.report.words.AdviceWords;
import io.github.vtdiag.report.words.PatchReport;
import io.github.vtdiag.safety.Assumptions;
import io.github.vtdiag.safety.Decision;
import io.github.vtdiag.safety.Lock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;

/** A patch for programs, with what it leaves out. */
public final class PatchJson {
  private PatchJson() {}

  /**
   * Writes the document.
   *
   * @param refused what was not even tried
   * @param assumed what the decisions rest on
   * @param oldestJdk the oldest whose locks count; 0 if only one JDK's do
   * @param diff the patch itself
   * @param base the folder in which to apply it
   */
  public static String of(
      Patch patch,
      List<Decision.Declined> refused,
      Assumptions assumed,
      int oldestJdk,
      byte[] diff,
      Path base,
      boolean verified) {
    return JsonDocument.document(
        json -> members(json, patch, refused, assumed, oldestJdk, diff, base, verified));
  }

  private static void members(
      JsonDocument json,
      Patch patch,
      List<Decision.Declined> refused,
      Assumptions assumed,
      int oldestJdk,
      byte[] diff,
      Path base,
      boolean verified)
      throws IOException {
    json.out.writeStringField("base", base.toString());
    json.out.writeBooleanField("verified", verified);
    AssumptionJson.member(json, assumed);
    if (oldestJdk == 0) {
      json.out.writeNullField("oldestJdk");
    } else {
      json.out.writeNumberField("oldestJdk", oldestJdk);
    }
    json.out.writeArrayFieldStart("files");
    for (Patch.Change change : patch.files()) {
      json.out.writeString(base.relativize(change.path()).toString().replace('\\', '/'));
    }
    json.out.writeEndArray();
    json.out.writeArrayFieldStart("locks");
    for (Lock lock : patch.moved()) {
      json.lock(lock);
    }
    json.out.writeEndArray();
    json.out.writeArrayFieldStart("declined");
    for (Patch.Unpatched each : patch.declined()) {
      declined(
          json, AdviceWords.name(each.lock()), each.obstacle(), each.reason(), each.lock().sites());
    }
    for (Decision.Declined each : refused) {
      declined(json, "", each.rung(), each.reason(), each.sites());
    }
    json.out.writeEndArray();
    json.out.writeArrayFieldStart("blockers");
    for (PatchReport.Blocker each : PatchReport.blockers(refused)) {
      json.out.writeStartObject();
      json.out.writeStringField("site", each.site());
      json.out.writeNumberField("locks", each.locks());
      json.out.writeEndObject();
    }
    json.out.writeEndArray();
    json.out.writeArrayFieldStart("comments");
    for (Patch.Comment each : patch.comments()) {
      json.out.writeStartObject();
      json.out.writeStringField("file", PatchReport.path(each, base));
      json.out.writeNumberField("line", each.line());
      json.out.writeEndObject();
    }
    json.out.writeEndArray();
    // Lines of a file in another encoding than UTF-8 are no text for JSON.
    try {
      json.out.writeStringField(
          "diff", StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(diff)).toString());
    } catch (CharacterCodingException e) {
      json.out.writeNullField("diff");
    }
    json.out.writeStringField("diffBase64", Base64.getEncoder().encodeToString(diff));
  }

  private static void declined(
      JsonDocument json, String lock, Enum<?> rung, String reason, List<LockSite> sites)
      throws IOException {
    json.out.writeStartObject();
    json.textOrNull("lock", lock);
    json.out.writeStringField("rung", JsonDocument.name(rung));
    json.out.writeStringField("reason", reason);
    json.lockSites(sites);
    json.out.writeEndObject();
  }
}
