package io.github.vtdiag.report.json;

import io.github.vtdiag.model.LockSite;
import io.github.vtdiag.patch.Patch;
import io.github.vtdiag.report.words.AdviceWords;
import io.github.vtdiag.report.words.PatchReport;
import io.github.vtdiag.safety.Assumptions;
import io.github.vtdiag.safety.Decision;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Writes a patch as JSON, with what it leaves out. */
public final class PatchJson {
  private PatchJson() {}

  /**
   * Returns the document.
   *
   * @param refused the rewrites that were not even tried
   * @param assumed the assumptions of the decisions
   * @param oldestJdk the oldest JDK whose locks count; 0 if only one JDK's do
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
        json -> {
          json.put("base", base.toString()).put("verified", verified);
          AssumptionJson.member(json, assumed);
          json.put("oldestJdk", oldestJdk == 0 ? OptionalInt.empty() : OptionalInt.of(oldestJdk));
          members(json, patch, refused, base);
          json.put("diff", text(diff)).put("diffBase64", Base64.getEncoder().encodeToString(diff));
        });
  }

  private static void members(
      JsonObject json, Patch patch, List<Decision.Declined> refused, Path base) {
    List<Left> left = new ArrayList<>();
    patch
        .declined()
        .forEach(
            of ->
                left.add(
                    new Left(
                        AdviceWords.name(of.lock()),
                        of.obstacle(),
                        of.reason(),
                        of.lock().sites())));
    refused.forEach(of -> left.add(new Left("", of.rung(), of.reason(), of.sites())));
    json.texts("files", patch.files().stream().map(change -> path(change.path(), base)).toList())
        .array(
            "locks",
            patch.moved(),
            (each, lock) -> {
              JsonDocument.lock(each, lock);
              each.texts(
                  "files",
                  patch.places().get(lock).stream()
                      .sorted()
                      .map(file -> path(file, base))
                      .toList());
            })
        .array("declined", left, PatchJson::declined)
        .array(
            "blockers",
            PatchReport.blockers(refused),
            (each, of) -> each.put("site", of.site()).put("locks", of.locks()))
        .array(
            "comments",
            patch.comments(),
            (each, of) -> each.put("file", PatchReport.path(of, base)).put("line", of.line()));
  }

  private static String path(Path file, Path base) {
    return base.relativize(file).toString().replace('\\', '/');
  }

  /** A lock that stays a monitor. */
  private record Left(String lock, Enum<?> rung, String reason, List<LockSite> sites) {}

  private static void declined(JsonObject json, Left left) {
    json.putText("lock", left.lock()).put("rung", left.rung()).put("reason", left.reason());
    JsonDocument.lockSites(json, left.sites());
  }

  /** Returns the diff as text; empty if it is not UTF-8, because a file has another encoding. */
  private static Optional<String> text(byte[] diff) {
    try {
      return Optional.of(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(diff)).toString());
    } catch (CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
