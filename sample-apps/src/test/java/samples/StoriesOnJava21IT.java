package samples;

import io.github.vtdiag.testing.Jdk;

class StoriesOnJava21IT extends Stories {
  StoriesOnJava21IT() {
    super(Jdk.JAVA_21);
  }
}
