package io.github.vtdiag.report.ci;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.BlockQuote;
import org.commonmark.node.BulletList;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.ListItem;
import org.commonmark.node.OrderedList;
import org.commonmark.node.ThematicBreak;
import org.commonmark.parser.Parser;

/** What a reader of Markdown makes of a text: its blocks, without their words. */
final class MarkdownShape extends AbstractVisitor {
  private final List<String> blocks = new ArrayList<>();

  private MarkdownShape() {}

  /** Fails on what only a name can have brought: a link, a picture, HTML. */
  static List<String> of(String markdown) {
    MarkdownShape shape = new MarkdownShape();
    Parser.builder()
        .extensions(List.of(TablesExtension.create()))
        .build()
        .parse(markdown)
        .accept(shape);
    return shape.blocks;
  }

  @Override
  public void visit(Heading heading) {
    blocks.add("heading " + heading.getLevel());
    visitChildren(heading);
  }

  @Override
  public void visit(BulletList list) {
    blocks.add("list");
    visitChildren(list);
  }

  @Override
  public void visit(OrderedList list) {
    blocks.add("numbered list");
    visitChildren(list);
  }

  @Override
  public void visit(ListItem item) {
    blocks.add("item");
    visitChildren(item);
  }

  @Override
  public void visit(BlockQuote quote) {
    blocks.add("quote");
    visitChildren(quote);
  }

  @Override
  public void visit(ThematicBreak rule) {
    blocks.add("rule");
  }

  @Override
  public void visit(FencedCodeBlock code) {
    blocks.add("fenced code");
  }

  @Override
  public void visit(IndentedCodeBlock code) {
    blocks.add("indented code");
  }

  @Override
  public void visit(CustomNode node) {
    if (node instanceof TableCell) {
      blocks.add("cell");
    }
    visitChildren(node);
  }

  @Override
  public void visit(HtmlInline html) {
    // Writes nothing, and keeps a number sign from what follows.
    assertEquals("<!-- -->", html.getLiteral());
  }

  @Override
  public void visit(HtmlBlock html) {
    fail(html.getLiteral());
  }

  @Override
  public void visit(Link link) {
    fail(link.getDestination());
  }

  @Override
  public void visit(Image image) {
    fail(image.getDestination());
  }
}
