/* What the native methods of whatif.Natives do. */
#include <jni.h>

#define METHOD(type, name) JNIEXPORT type JNICALL Java_whatif_Natives_##name

METHOD(jlong, sum)(JNIEnv *env, jclass c, jint a, jlong b, jdouble d, jobject o) {
  return a + b + (jlong)d + (o != 0);
}

METHOD(jstring, same)(JNIEnv *env, jobject self, jstring text, jlongArray more, jboolean yes) {
  return text;
}

/* Reads, lets some time pass, and writes: without mutual exclusion, counts are lost. */
static void increment(JNIEnv *env, jobject self) {
  jclass type = (*env)->GetObjectClass(env, self);
  jfieldID field = (*env)->GetFieldID(env, type, "count", "I");
  jint value = (*env)->GetIntField(env, self, field);
  for (volatile int i = 0; i < 50; i++) {
  }
  (*env)->SetIntField(env, self, field, value + 1);
}

METHOD(void, count)(JNIEnv *env, jobject self) { increment(env, self); }
METHOD(void, 00024Sub_count)(JNIEnv *env, jobject self) { increment(env, self); }
METHOD(jint, ofOne)(JNIEnv *env, jobject self, jint i) { return i * 2; }
METHOD(jint, overloaded__I)(JNIEnv *env, jobject self, jint i) { return 100; }
METHOD(jint, overloaded__J)(JNIEnv *env, jobject self, jlong i) { return 200; }
METHOD(jint, base)(JNIEnv *env, jobject self) { return 7; }
METHOD(jint, 00024Sub_base)(JNIEnv *env, jobject self) { return 8; }
METHOD(jint, 00024Plain_base)(JNIEnv *env, jobject self) { return 9; }

METHOD(void, fail)(JNIEnv *env, jobject self) {
  (*env)->ThrowNew(env, (*env)->FindClass(env, "java/io/IOException"), "from C");
}

METHOD(jboolean, askJava)(JNIEnv *env, jobject self) {
  jclass type = (*env)->GetObjectClass(env, self);
  return (*env)->CallBooleanMethod(env, self, (*env)->GetMethodID(env, type, "isHeld", "()Z"));
}

static jint registered(JNIEnv *env, jobject self, jint x) { return x + 1000; }
static jint registeredStatic(JNIEnv *env, jclass type, jint x) { return x + 2000; }

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved) {
  JNIEnv *env;
  JNINativeMethod methods[] = {{"registered", "(I)I", (void *)registered},
                               {"registeredStatic", "(I)I", (void *)registeredStatic}};
  (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_8);
  jclass type = (*env)->FindClass(env, "whatif/Natives");
  return (*env)->RegisterNatives(env, type, methods, 2) == 0 ? JNI_VERSION_1_8 : -1;
}
