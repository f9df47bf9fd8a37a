package io.github.vtdiag.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Fails a test if a virtual thread that it started pinned its carrier. On request, it also fails if
 * such a thread still waits for another thread when the test is over.
 */
@Documented
@Inherited
@ExtendWith(PinExtension.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface ShouldNotPin {

  /** The longest that a pin may be: {@code 20ms}, {@code 1.5s}. Only longer ones count. */
  String longest() default "20ms";

  /** The number of longer pins that are allowed. */
  int count() default 0;

  /**
   * The owners whose pins count: {@code application}, {@code library}, {@code jdk}, a package such
   * as {@code com.example}, or a library's {@code group:artifact}. By default all pins count.
   */
  String[] owner() default {};

  /**
   * The longest that virtual threads of the test may wait for another thread when it is over:
   * {@code 2s}. The test is held up for as long only if there are such threads. By default this is
   * not checked.
   */
  String maxStall() default "";
}
