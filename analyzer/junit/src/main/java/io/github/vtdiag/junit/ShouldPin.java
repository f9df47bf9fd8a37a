package io.github.vtdiag.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** Fails a test if no virtual thread that it started pinned its carrier. */
@Documented
@Inherited
@ExtendWith(PinExtension.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface ShouldPin {

  /** The shortest pin that counts: {@code 20ms}, {@code 1.5s}. */
  String shortest() default "20ms";

  /** The least number of them. */
  int count() default 1;

  /** The owners whose pins count, as in {@link ShouldNotPin#owner}. */
  String[] owner() default {};
}
