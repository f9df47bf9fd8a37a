package io.github.vtdiag.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArticleTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a com.acme.Pool",
        "a Semaphore",
        "a User",
        "a UserStore",
        "a UUID",
        "a URLConnection",
        "a UnitOfWork",
        "a EuropeanRates",
        "a OneTimeToken",
        "a Hashtable",
        "a JDBCPool",
        "a Session"
      })
  void aBeforeAConsonant(String text) {
    assertEquals(text, Article.with(text.substring(2)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "an org.apache.commons.httpclient.MultiThreadedHttpConnectionManager$ConnectionPool",
        "an ArrayList",
        "an Exchanger",
        "an IOBuffer",
        "an Ow$Pool",
        "an UnknownHost",
        "an Upload",
        "an UninitializedEntry",
        "an OnErrorHandler",
        "an HTTPClient",
        "an LRUCache",
        "an XMLReader",
        "an H2 transaction",
        "an S3Client"
      })
  void anBeforeAVowel(String text) {
    assertEquals(text, Article.with(text.substring(3)));
  }

  @ParameterizedTest
  @ValueSource(strings = "")
  void noNameHasAnArticleToo(String text) {
    assertEquals("a ", Article.with(text));
  }
}
