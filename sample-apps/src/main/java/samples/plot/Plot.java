package samples.plot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Font;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.batik.dom.GenericDOMImplementation;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/**
 * Draws the plots of an experiment: {@code Plot JSON FOLDER SUFFIX} reads what {@code vtdiag sample
 * --json} writes, and writes {@code FOLDER/NAME-SUFFIX.svg} for each plot in it.
 */
public final class Plot {
  private static final String SVG = "http://www.w3.org/2000/svg";
  private static final int WIDTH = 960;
  private static final int HEIGHT = 420;
  private static final Color[] COLOURS = {
    new Color(0x1f6feb),
    new Color(0xb0b8c1),
    new Color(0xd9730d),
    new Color(0x2da44e),
    new Color(0x8250df),
    new Color(0xcf222e)
  };

  private Plot() {}

  public static void main(String[] args) throws IOException {
    // Digits and the marks between them are the same wherever the plot is drawn.
    Locale.setDefault(Locale.ROOT);
    JsonNode experiment = new ObjectMapper().readTree(Path.of(args[0]).toFile());
    for (JsonNode plot : experiment.get("plots")) {
      Path file = Path.of(args[1]).resolve(plot.get("name").asText() + "-" + args[2] + ".svg");
      boolean bars = !plot.get("labels").isEmpty();
      write(bars ? bars(plot) : lines(plot), file);
    }
  }

  private static CategoryChart bars(JsonNode plot) {
    CategoryChart chart = new CategoryChart(WIDTH, HEIGHT);
    name(chart, plot);
    style(chart.getStyler(), plot);
    chart.getStyler().setAvailableSpaceFill(0.7);
    List<String> labels = new ArrayList<>();
    plot.get("labels").forEach(label -> labels.add(label.asText()));
    for (JsonNode series : plot.get("series")) {
      chart.addSeries(series.get("name").asText(), labels, numbers(series.get("y")));
    }
    return chart;
  }

  private static XYChart lines(JsonNode plot) {
    XYChart chart = new XYChart(WIDTH, HEIGHT);
    name(chart, plot);
    style(chart.getStyler(), plot);
    for (JsonNode series : plot.get("series")) {
      chart
          .addSeries(
              series.get("name").asText(), numbers(series.get("x")), numbers(series.get("y")))
          .setMarker(SeriesMarkers.CIRCLE);
    }
    return chart;
  }

  private static void name(Chart<?, ?> chart, JsonNode plot) {
    chart.setTitle(plot.get("title").asText());
    chart.setXAxisTitle(plot.get("xLabel").asText());
    chart.setYAxisTitle(plot.get("yLabel").asText());
  }

  private static void style(AxesChartStyler styler, JsonNode plot) {
    Font font = new Font(Font.SANS_SERIF, Font.PLAIN, 11);
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    // Dashes would be a path each.
    styler.setPlotGridLinesStroke(new BasicStroke(0.5f));
    styler.setPlotGridVerticalLinesVisible(false);
    styler.setSeriesColors(COLOURS);
    styler.setLegendPosition(Styler.LegendPosition.OutsideS);
    styler.setLegendLayout(Styler.LegendLayout.Horizontal);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setLegendVisible(plot.get("series").size() > 1);
    styler.setLegendFont(font);
    styler.setChartTitleFont(font.deriveFont(Font.BOLD, 14));
    styler.setAxisTitleFont(font);
    styler.setAxisTickLabelsFont(font);
    if (plot.get("logY").asBoolean()) {
      styler.setYAxisLogarithmic(true);
      // Bars would begin at 0, which such an axis does not have.
      styler.setYAxisMin(Math.pow(10, Math.floor(Math.log10(least(plot)))));
    }
  }

  private static double least(JsonNode plot) {
    double least = Double.MAX_VALUE;
    for (JsonNode series : plot.get("series")) {
      for (JsonNode number : series.get("y")) {
        least = Math.min(least, number.asDouble());
      }
    }
    return least;
  }

  private static List<Double> numbers(JsonNode array) {
    List<Double> numbers = new ArrayList<>();
    array.forEach(number -> numbers.add(number.asDouble()));
    return numbers;
  }

  private static void write(Chart<?, ?> chart, Path file) throws IOException {
    Document document =
        GenericDOMImplementation.getDOMImplementation().createDocument(SVG, "svg", null);
    SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
    // Letters are drawn as paths, of which there are many.
    context.setPrecision(2);
    SVGGraphics2D graphics = new SVGGraphics2D(context, false);
    graphics.setSVGCanvasSize(new Dimension(WIDTH, HEIGHT));
    chart.paint(graphics, WIDTH, HEIGHT);
    Element root = graphics.getRoot();
    // A screen reader cannot read paths.
    Element title = document.createElementNS(SVG, "title");
    title.setTextContent(chart.getTitle());
    root.insertBefore(title, root.getFirstChild());
    try (Writer writer = Files.newBufferedWriter(file)) {
      graphics.stream(root, writer, true, false);
    }
  }
}
