package io.github.vtdiag.findings;

import io.github.vtdiag.account.Account;
import io.github.vtdiag.analysis.Finding.Behavior;
import io.github.vtdiag.analysis.Finding.Pin;
import io.github.vtdiag.model.ClassRef;
import io.github.vtdiag.owner.Owner;
import io.github.vtdiag.recording.RecordingData;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** The input of detectors: one recording. */
final class DetectorInput {
  private final RecordingData data;
  private final Function<ClassRef, Owner> owners;
  private final List<Pin> pins;
  private final Places places;
  private final CarrierTime time;
  private final Samples java;
  private final Samples inNative;
  private final List<Behavior> found = new ArrayList<>();

  DetectorInput(
      RecordingData data, Account account, Function<ClassRef, Owner> owners, List<Pin> pins) {
    this.data = data;
    this.owners = owners;
    this.pins = pins;
    places = new Places(owners);
    time = new CarrierTime(account, carriers());
    java = Samples.java(data, account);
    inNative = Samples.inNative(data, account);
  }

  RecordingData data() {
    return data;
  }

  /** Returns the function that finds the owner of a class. */
  Function<ClassRef, Owner> owners() {
    return owners;
  }

  /** Returns the pins, which detectors do not report again. */
  List<Pin> pins() {
    return pins;
  }

  Places places() {
    return places;
  }

  /** Returns the account of the carriers' time. */
  CarrierTime time() {
    return time;
  }

  /** Returns the samples of threads that run Java code. */
  Samples java() {
    return java;
  }

  /** Returns the samples of threads in native code. */
  Samples inNative() {
    return inNative;
  }

  /** Returns the number of carriers; 0 if it is not known. */
  int carriers() {
    return data.facts().parallelism().orElse(0);
  }

  /** Returns the findings of the detectors that ran before this one. */
  List<Behavior> found() {
    return Collections.unmodifiableList(found);
  }

  void run(Detector detector) {
    found.addAll(detector.find().apply(this));
  }
}
