package io.github.vtdiag.maven;

import io.github.vtdiag.model.DataException;
import io.github.vtdiag.owner.Coordinates;
import io.github.vtdiag.upgrade.Releases;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.maven.model.building.DefaultModelProcessor;
import org.apache.maven.model.io.DefaultModelReader;
import org.apache.maven.model.locator.DefaultModelLocator;
import org.apache.maven.model.superpom.DefaultSuperPomProvider;
import org.apache.maven.repository.internal.MavenRepositorySystemUtils;
import org.apache.maven.settings.Mirror;
import org.apache.maven.settings.Profile;
import org.apache.maven.settings.Repository;
import org.apache.maven.settings.Server;
import org.eclipse.aether.AbstractRepositoryListener;
import org.eclipse.aether.DefaultRepositorySystemSession;
import org.eclipse.aether.RepositoryEvent;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.repository.LocalRepository;
import org.eclipse.aether.repository.Proxy;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.spi.connector.checksum.ChecksumPolicyProvider;
import org.eclipse.aether.supplier.RepositorySystemSupplier;
import org.eclipse.aether.util.repository.AuthenticationBuilder;
import org.eclipse.aether.util.repository.DefaultAuthenticationSelector;
import org.eclipse.aether.util.repository.DefaultMirrorSelector;
import org.eclipse.aether.util.repository.DefaultProxySelector;
import org.eclipse.aether.util.repository.SimpleResolutionErrorPolicy;

/** The user's Maven repositories: the local one, and unless offline the remote ones. */
public final class MavenRepositories {
  final RepositorySystem system;
  final DefaultRepositorySystemSession session;
  final List<RemoteRepository> remote;

  /** The number of jars that came from remote repositories. */
  final AtomicInteger downloads = new AtomicInteger();

  /** The errors of files that list the versions. */
  final List<Exception> invalid = new ArrayList<>();

  private final int jdk;

  private MavenRepositories(MavenSettings settings, boolean offline, int jdk) {
    this.jdk = jdk;
    system =
        new RepositorySystemSupplier() {
          @Override
          protected ChecksumPolicyProvider getChecksumPolicyProvider() {
            return new StrictChecksums();
          }
        }.get();
    session = MavenRepositorySystemUtils.newSession();
    session.setOffline(offline || settings.settings().isOffline());
    session.setResolutionErrorPolicy(new SimpleResolutionErrorPolicy(true, false));
    session.setConfigProperty("aether.connector.connectTimeout", 10_000);
    session.setConfigProperty("aether.connector.requestTimeout", 60_000);
    session.setConfigProperty("aether.connector.http.retryHandler.count", 1);
    LocalRepository local = new LocalRepository(settings.localRepository().toFile());
    session.setLocalRepositoryManager(system.newLocalRepositoryManager(session, local));
    select(settings);
    session.setRepositoryListener(new Listener());
    remote = system.newResolutionRepositories(session, repositories(settings));
  }

  /**
   * Opens the repositories of the user's settings.
   *
   * @param offline whether to use the local one alone
   * @param jdk the feature number that chooses among the classes of multi-release jars
   */
  public static MavenRepositories open(boolean offline, int jdk) throws DataException {
    return open(Path.of(System.getProperty("user.home")), System.getenv(), offline, jdk);
  }

  static MavenRepositories open(
      Path home, Map<String, String> environment, boolean offline, int jdk) throws DataException {
    return new MavenRepositories(MavenSettings.read(home, environment), offline, jdk);
  }

  /** Returns the versions of a library that they have. */
  public Releases of(Coordinates library) {
    return new MavenReleases(this, library, jdk);
  }

  private void select(MavenSettings settings) {
    DefaultMirrorSelector mirrors = new DefaultMirrorSelector();
    for (Mirror mirror : settings.settings().getMirrors()) {
      mirrors.add(
          mirror.getId(),
          mirror.getUrl(),
          mirror.getLayout(),
          false,
          mirror.isBlocked(),
          mirror.getMirrorOf(),
          mirror.getMirrorOfLayouts());
    }
    session.setMirrorSelector(mirrors);
    DefaultProxySelector proxies = new DefaultProxySelector();
    for (org.apache.maven.settings.Proxy proxy : settings.settings().getProxies()) {
      if (proxy.isActive()) {
        proxies.add(
            new Proxy(
                proxy.getProtocol(),
                proxy.getHost(),
                proxy.getPort(),
                new AuthenticationBuilder()
                    .addUsername(proxy.getUsername())
                    .addPassword(proxy.getPassword())
                    .build()),
            proxy.getNonProxyHosts());
      }
    }
    session.setProxySelector(proxies);
    DefaultAuthenticationSelector servers = new DefaultAuthenticationSelector();
    for (Server server : settings.settings().getServers()) {
      servers.add(
          server.getId(),
          new AuthenticationBuilder()
              .addUsername(server.getUsername())
              .addPassword(server.getPassword())
              .addPrivateKey(server.getPrivateKey(), server.getPassphrase())
              .build());
    }
    session.setAuthenticationSelector(servers);
  }

  /**
   * Returns the repositories of active profiles, and Central unless one of them takes its place.
   */
  private static List<RemoteRepository> repositories(MavenSettings settings) {
    List<RemoteRepository> repositories = new ArrayList<>();
    for (Profile profile : settings.activeProfiles()) {
      for (Repository each : profile.getRepositories()) {
        repositories.add(
            new RemoteRepository.Builder(each.getId(), each.getLayout(), each.getUrl()).build());
      }
    }
    if (repositories.stream().noneMatch(each -> each.getId().equals("central"))) {
      repositories.add(new RemoteRepository.Builder("central", "default", central()).build());
    }
    return repositories;
  }

  /** Returns the address in the POM that all others inherit from. */
  private static String central() {
    DefaultModelProcessor reader =
        new DefaultModelProcessor()
            .setModelLocator(new DefaultModelLocator())
            .setModelReader(new DefaultModelReader());
    return new DefaultSuperPomProvider()
        .setModelProcessor(reader)
        .getSuperModel("4.0.0")
        .getRepositories()
        .getFirst()
        .getUrl();
  }

  private final class Listener extends AbstractRepositoryListener {
    @Override
    public void artifactDownloaded(RepositoryEvent event) {
      if (event.getException() == null && event.getArtifact().getExtension().equals("jar")) {
        downloads.incrementAndGet();
      }
    }

    @Override
    public void metadataInvalid(RepositoryEvent event) {
      invalid.add(event.getException());
    }
  }
}
