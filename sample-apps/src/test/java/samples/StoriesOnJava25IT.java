package samples;

import io.github.vtdiag.testing.Jdk;

class StoriesOnJava25IT extends Stories {
  StoriesOnJava25IT() {
    super(Jdk.JAVA_25);
  }
}
