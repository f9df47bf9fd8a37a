package io.github.vtdiag.patch;

import io.github.vtdiag.source.KotlinFile;

/** One change of a Kotlin file; its indentation depends on the changes around it. */
sealed interface KotlinRewrite {
  KotlinFile file();

  /** Returns the first token that changes, or before which new text is put. */
  int first();

  /** Returns the last token that changes. */
  int last();

  /** A synchronized function or accessor whose body takes {@code lock} instead. */
  record Method(KotlinFile file, KotlinFile.Site.Method site, String lock)
      implements KotlinRewrite {
    @Override
    public int first() {
      return site.annotation();
    }

    @Override
    public int last() {
      return site.last();
    }
  }

  /** A synchronized block that takes {@code lock} instead. */
  record Block(KotlinFile file, KotlinFile.Site.Block site, String lock) implements KotlinRewrite {
    @Override
    public int first() {
      return site.head();
    }

    @Override
    public int last() {
      return file.tokens.partner(site.brace());
    }
  }

  /** Tokens replaced by a text. */
  record Replace(KotlinFile file, int first, int last, String text) implements KotlinRewrite {}

  /** A new property at the top of a type's body, or of the file. */
  record AddFirst(KotlinFile file, KotlinFile.Type owner, String declaration)
      implements KotlinRewrite {
    @Override
    public int first() {
      return owner.open() + 1;
    }

    @Override
    public int last() {
      return owner.open();
    }
  }

  /** A new property below another one, whose last token this is. */
  record AddBelow(KotlinFile file, int first, int last, String declaration)
      implements KotlinRewrite {}
}
