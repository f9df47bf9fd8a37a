package io.github.vtdiag.maven;

import org.eclipse.aether.RepositorySystemSession;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.repository.RepositoryPolicy;
import org.eclipse.aether.spi.connector.checksum.ChecksumPolicy;
import org.eclipse.aether.spi.connector.checksum.ChecksumPolicyProvider;
import org.eclipse.aether.transfer.ChecksumFailureException;
import org.eclipse.aether.transfer.TransferResource;

/**
 * Refuses a file with a wrong checksum, where Maven may only warn: it would stay in the user's
 * repository. A repository without checksums is accepted.
 */
final class StrictChecksums implements ChecksumPolicyProvider {
  @Override
  public ChecksumPolicy newChecksumPolicy(
      RepositorySystemSession session,
      RemoteRepository repository,
      TransferResource resource,
      String policy) {
    return RepositoryPolicy.CHECKSUM_POLICY_IGNORE.equals(policy) ? null : new Strict();
  }

  @Override
  public String getEffectiveChecksumPolicy(
      RepositorySystemSession session, String policy1, String policy2) {
    return RepositoryPolicy.CHECKSUM_POLICY_IGNORE.equals(policy1) ? policy2 : policy1;
  }

  private static final class Strict implements ChecksumPolicy {
    @Override
    public boolean onChecksumMatch(String algorithm, ChecksumKind kind) {
      return true;
    }

    @Override
    public void onChecksumMismatch(
        String algorithm, ChecksumKind kind, ChecksumFailureException exception)
        throws ChecksumFailureException {
      throw exception;
    }

    @Override
    public void onChecksumError(
        String algorithm, ChecksumKind kind, ChecksumFailureException exception) {
      // The checksum itself was not available; another algorithm's may be.
    }

    @Override
    public void onNoMoreChecksums() {}

    @Override
    public void onTransferRetry() {}

    @Override
    public boolean onTransferChecksumFailure(ChecksumFailureException exception) {
      return false;
    }
  }
}
