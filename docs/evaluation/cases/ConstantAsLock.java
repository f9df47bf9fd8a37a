/// story: A method locks a string constant, which other code may lock, too.
/// java: 21
/// kind: pin
/// holder: ConstantAsLock$Export.write
/// truth: bytecode: monitorenter in write
/// advice: java | none
/// proof: run on Java 25
/// proof: the Java language specification, 3.10.5: equal string constants of all classes are one object
class ConstantAsLock {
  static class Export {
    void write() throws Exception {
      synchronized ("export") {
        Thread.sleep(40);
      }
    }
  }

  public static void main(String[] args) throws Exception {
    Case.repeat(() -> new Export().write());
  }
}
