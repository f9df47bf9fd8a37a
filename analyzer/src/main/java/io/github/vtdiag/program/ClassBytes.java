package io.github.vtdiag.program;

import io.github.vtdiag.owner.Owner;

/**
 * The bytes of one class.
 *
 * @param bytes the class file
 * @param location the jar (nested ones as {@code app.jar!/BOOT-INF/lib/x.jar}) or directory
 * @param owner the owner of its code
 */
@SuppressWarnings("ArrayRecordComponent") // Carried from reader to reader, never compared.
public record ClassBytes(byte[] bytes, String location, Owner owner) {}
