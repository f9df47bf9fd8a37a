package io.github.vtdiag.maven;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.List;
import javax.net.ssl.SSLException;
import org.apache.http.client.HttpResponseException;
import org.codehaus.plexus.util.xml.pull.XmlPullParserException;
import org.eclipse.aether.RepositoryException;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.transfer.ArtifactNotFoundException;
import org.eclipse.aether.transfer.ArtifactTransferException;
import org.eclipse.aether.transfer.ChecksumFailureException;
import org.eclipse.aether.transfer.MetadataTransferException;
import org.eclipse.aether.transfer.RepositoryOfflineException;

/** Explains in one clause why something could not be downloaded from a repository. */
final class Failures {
  private Failures() {}

  static String why(List<Exception> all) {
    return all.stream()
        .filter(each -> !(each instanceof ArtifactNotFoundException))
        .findFirst()
        .or(() -> all.stream().findFirst())
        .map(Failures::why)
        .orElse("no repository says why");
  }

  private static String why(Exception e) {
    String repository = repository(e);
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      switch (cause) {
        case RepositoryOfflineException offline -> {
          return "offline, and the local repository does not have it";
        }
        case HttpResponseException answer -> {
          return status(repository, answer.getStatusCode());
        }
        case ChecksumFailureException checksum -> {
          return repository + " has another file than its checksum says";
        }
        case UnknownHostException host -> {
          return repository + " cannot be reached: unknown host " + host.getMessage();
        }
        case ConnectException connect -> {
          return repository + " cannot be reached: " + connect.getMessage();
        }
        case SocketTimeoutException timeout -> {
          return repository + " did not answer in time";
        }
        case SSLException ssl -> {
          return "no secure connection to " + repository + ": " + ssl.getMessage();
        }
        case XmlPullParserException xml -> {
          return "a repository answered with something else than the list of versions";
        }
        default -> {}
      }
    }
    if (e instanceof ArtifactNotFoundException) {
      return repository + " does not have it";
    }
    String message = e instanceof RepositoryException ? e.getMessage() : e.toString();
    return message == null ? e.getClass().getSimpleName() : message.lines().findFirst().orElse("");
  }

  private static String status(String repository, int status) {
    return repository
        + " answered "
        + status
        + (status == 401 || status == 403 || status == 407
            ? ": it wants other credentials; put them into settings.xml"
            : "");
  }

  private static String repository(Exception e) {
    RemoteRepository repository =
        switch (e) {
          case ArtifactTransferException artifact -> artifact.getRepository();
          case MetadataTransferException metadata -> metadata.getRepository();
          default -> null;
        };
    return repository == null
        ? "the repository"
        : repository.getId() + " (" + repository.getUrl() + ")";
  }
}
