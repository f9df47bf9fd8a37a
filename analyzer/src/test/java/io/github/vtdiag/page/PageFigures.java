package io.github.vtdiag.page;

import static io.github.vtdiag.analysis.Pins.MILLI;
import static io.github.vtdiag.analysis.Pins.SECOND;

import io.github.vtdiag.advice.Advice;
import io.github.vtdiag.advice.Advisor;
import io.github.vtdiag.advice.KnownFixes;
import io.github.vtdiag.analysis.Attributed;
import io.github.vtdiag.analysis.Findings;
import io.github.vtdiag.analysis.Grouping;
import io.github.vtdiag.analysis.Pins;
import io.github.vtdiag.analysis.Recorded;
import io.github.vtdiag.model.Attribution;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.model.Frame;
import io.github.vtdiag.model.PinCause;
import io.github.vtdiag.model.PinEpisode;
import io.github.vtdiag.model.StackTrace;
import io.github.vtdiag.model.ThreadRef;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.pipeline.AnalyzedRun;
import io.github.vtdiag.recording.PinTable;
import io.github.vtdiag.recording.RecordingData;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Prints how large and how quick pages of so many pins are: {@code PageFigures FOLDER PINS...}. The
 * pages stay in the folder.
 */
public final class PageFigures {
  private static final int CARRIERS = 64;
  private static final int SITES = 12;
  private static final int STACKS = 2_000;

  private PageFigures() {}

  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    try (Browser browser = Browser.start(folder.resolve("profile"))) {
      browser.look("light", 1280, 900);
      for (String pins : List.of(arguments).subList(1, arguments.length)) {
        Path file = folder.resolve(pins + ".html");
        Page page = page(Integer.parseInt(pins));
        long begin = System.nanoTime();
        Files.write(file, page.html());
        long written = System.nanoTime();
        browser.open(file);
        long opened = System.nanoTime();
        System.out.printf(
            "%,d pins: %.1f MB; written in %.1f s, opened in %.1f s; a frame takes %s ms for all of"
                + " them, %s ms for a tenth, %s ms for a thousandth; the flame graph %s ms%n",
            Integer.parseInt(pins),
            Files.size(file) / 1e6,
            (written - begin) / 1e9,
            (opened - written) / 1e9,
            timeline(browser, 1),
            timeline(browser, 10),
            timeline(browser, 1000),
            frame(browser, "#pinned-chart canvas"));
      }
    }
  }

  /** The middle one of nine. */
  private static String frame(Browser browser, String canvas) {
    return String.valueOf(
        browser
            .driver()
            .executeAsyncScript(
                """
                const [selector, done] = arguments;
                const canvas = document.querySelector(selector);
                const box = canvas.parentElement;
                const times = [];
                const next = () => {
                  if (times.length === 9) {
                    done(times.sort((a, b) => a - b)[4]);
                    return;
                  }
                  box.style.width = 1100 + times.length + 'px';
                  requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => {
                    times.push(Number(canvas.dataset.frame));
                    next();
                  })));
                };
                next();
                """,
                canvas));
  }

  private static String timeline(Browser browser, int part) {
    browser.find("#timeline-chart canvas").sendKeys("0");
    browser
        .driver()
        .executeScript(
            """
            const canvas = document.querySelector('#timeline-chart canvas');
            const press = key => canvas.dispatchEvent(new KeyboardEvent('keydown', {key}));
            press('Home');
            for (let part = arguments[0]; part > 1; part /= 2) {
              press('+');
            }
            """,
            part);
    return frame(browser, "#timeline-chart canvas");
  }

  /** Pins of 64 carriers in a minute, some 30 frames deep, in 2,000 ways, at 12 sites. */
  private static Page page(int pins) throws Exception {
    Random random = new Random(42);
    List<StackTrace> stacks = new ArrayList<>();
    List<Attribution> attributions = new ArrayList<>();
    for (int i = 0; i < STACKS; i++) {
      List<Frame> frames = new ArrayList<>();
      Frame holder = Pins.frame("com.acme.Site" + i % SITES, "load", 5, 17);
      for (int depth = 0; depth < 30; depth++) {
        frames.add(
            depth == 12
                ? holder
                : Pins.frame(
                    "com.acme.service.Step" + (depth < 12 ? 0 : random.nextInt(4)),
                    "step" + depth,
                    depth,
                    depth));
      }
      stacks.add(new StackTrace(frames, false));
      PinCause held = Pins.method(12, holder);
      attributions.add(
          new Attribution(List.of(held), Pins.SOCKET_READ, Set.of(), /* truncated= */ false));
    }
    Map<StackTrace, Attribution> byStack = new HashMap<>();
    for (int i = 0; i < STACKS; i++) {
      byStack.put(stacks.get(i), attributions.get(i));
    }
    List<PinEpisode> episodes = new ArrayList<>();
    long each = 62 * SECOND * CARRIERS / pins;
    for (int i = 0; i < pins; i++) {
      long start = i / CARRIERS * each + random.nextLong(each / 4 + 1);
      long length = Math.max(MILLI / 1000, (long) (each * 0.7 * random.nextDouble()));
      episodes.add(
          new PinEpisode(
              PinEpisode.Kind.PINNED,
              start,
              length,
              new ThreadRef(100 + i / 3, i % 50 == 0 ? "worker-" + i : "", true),
              stacks.get(random.nextInt(STACKS)),
              Optional.empty(),
              Optional.empty(),
              Optional.empty()));
    }
    RecordingData data = new Pins().looks(2, 0, 40).data();
    data =
        new RecordingData(
            data.facts(),
            PinTable.of(episodes),
            data.events(),
            data.waits(),
            data.lockMaps(),
            data.samples());
    Attributed attributed = Attributed.of(data, (episode, samples) -> byStack.get(episode.stack()));
    Map<ClassRef, Owner> owners = new HashMap<>();
    attributed.namedClasses().forEach(type -> owners.put(type, new Owner.Application("app.jar")));
    attributed.classesOnStacks().forEach(type -> owners.put(type, new Owner.Application("a.jar")));
    return of(new Recorded(attributed, owners, Map.of()), data, Map.of());
  }

  /** The page of a recording, as the command line makes it without a class path. */
  static Page of(Recorded recorded, RecordingData data, Map<StackTrace, Double> waits)
      throws Exception {
    Findings findings = Grouping.of(List.of(recorded));
    Advice advice = Advisor.advise(findings, KnownFixes.load(), Advisor::unknown, type -> false);
    AnalyzedRun.Part part = new AnalyzedRun.Part(data.facts(), recorded, waits, recorded.owners());
    return new Page(
        new AnalyzedRun(findings, List.of(part), Set.of()),
        findings,
        advice,
        "vtdiag patch app.jfr",
        Map.of(),
        "");
  }
}
