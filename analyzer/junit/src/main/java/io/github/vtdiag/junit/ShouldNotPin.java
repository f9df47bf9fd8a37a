package io.github.vtdiag.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Fails a test if a virtual thread that it started kept its carrier while blocked, or, if asked,
 * still waits for another thread when the test is over.
 */
@Documented
@Inherited
@ExtendWith(PinExtension.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface ShouldNotPin {

  /** The longest that a pin may be: {@code 20ms}, {@code 1.5s}. Only longer ones count. */
  String longest() default "20ms";

  /** How many longer ones there may be. */
  int count() default 0;

  /**
   * Whose pins count: {@code application}, {@code library}, {@code jdk}, a package such as {@code
   * com.example}, or a library's {@code group:artifact}. All of them unless something is named.
   */
  String[] owner() default {};

  /**
   * How long virtual threads that the test started may wait for another thread when it is over:
   * {@code 2s}. The test is held up for as long only if there are such threads. Not checked unless
   * something is written.
   */
  String maxStall() default "";
}
