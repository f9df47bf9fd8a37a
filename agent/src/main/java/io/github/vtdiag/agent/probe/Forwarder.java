package io.github.vtdiag.agent.probe;

import static net.bytebuddy.matcher.ElementMatchers.isPublic;
import static net.bytebuddy.matcher.ElementMatchers.isStatic;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.ClassFileVersion;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.description.modifier.Ownership;
import net.bytebuddy.description.modifier.SyntheticState;
import net.bytebuddy.description.modifier.TypeManifestation;
import net.bytebuddy.description.modifier.Visibility;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.dynamic.scaffold.TypeValidation;
import net.bytebuddy.dynamic.scaffold.subclass.ConstructorStrategy;
import net.bytebuddy.implementation.MethodCall;
import net.bytebuddy.pool.TypePool;

/**
 * Generates a class of {@code java.base} whose methods call those of a class of ours. Code woven
 * into applications calls it, because it is visible everywhere: each named module reads {@code
 * java.base}, and each class loader has to ask the bootstrap loader for names that begin with
 * {@code java.}.
 */
final class Forwarder {
  private Forwarder() {}

  /**
   * Forwards to all public static methods of a class.
   *
   * @param name the class that is called, which need not be loaded
   * @param classFile its bytes
   * @param forwarder the name of the class that is generated
   */
  static byte[] to(String name, byte[] classFile, String forwarder) {
    ClassFileLocator locator =
        new ClassFileLocator.Compound(
            ClassFileLocator.Simple.of(name, classFile),
            ClassFileLocator.ForClassLoader.ofBootLoader());
    TypeDescription called = TypePool.Default.of(locator).describe(name).resolve();
    DynamicType.Builder<?> made =
        new ByteBuddy(ClassFileVersion.JAVA_V21)
            .with(TypeValidation.DISABLED)
            .subclass(Object.class, ConstructorStrategy.Default.NO_CONSTRUCTORS)
            .name(forwarder)
            .modifiers(Visibility.PUBLIC, TypeManifestation.FINAL, SyntheticState.SYNTHETIC);
    for (MethodDescription method :
        called.getDeclaredMethods().filter(isPublic().and(isStatic()))) {
      made =
          made.defineMethod(
                  method.getName(),
                  method.getReturnType(),
                  Visibility.PUBLIC,
                  Ownership.STATIC,
                  SyntheticState.SYNTHETIC)
              .withParameters(method.getParameters().asTypeList())
              .throwing(method.getExceptionTypes())
              .intercept(MethodCall.invoke(method).withAllArguments());
    }
    return made.make().getBytes();
  }
}
