package io.github.vtdiag.maven;

import io.github.vtdiag.model.DataException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.maven.settings.Profile;
import org.apache.maven.settings.Settings;
import org.apache.maven.settings.building.DefaultSettingsBuilderFactory;
import org.apache.maven.settings.building.DefaultSettingsBuildingRequest;
import org.apache.maven.settings.building.SettingsBuildingException;
import org.apache.maven.settings.crypto.DefaultSettingsDecrypter;
import org.apache.maven.settings.crypto.DefaultSettingsDecryptionRequest;
import org.apache.maven.settings.crypto.SettingsDecryptionResult;
import org.sonatype.plexus.components.cipher.DefaultPlexusCipher;
import org.sonatype.plexus.components.sec.dispatcher.DefaultSecDispatcher;

/**
 * The user's and the installation's settings.xml, passwords decrypted.
 *
 * @param settings both, merged as Maven does it
 * @param localRepository where jars are kept
 */
record MavenSettings(Settings settings, Path localRepository) {
  private static final Pattern LOCAL_REPOSITORY =
      Pattern.compile("-Dmaven\\.repo\\.local=(?:\"([^\"]+)\"|(\\S+))");

  /**
   * Reads the settings.
   *
   * @param home the user's home folder
   * @param environment the environment variables
   */
  static MavenSettings read(Path home, Map<String, String> environment) throws DataException {
    Path folder = home.resolve(".m2");
    DefaultSettingsBuildingRequest request = new DefaultSettingsBuildingRequest();
    Path user = folder.resolve("settings.xml");
    request.setUserSettingsFile(user.toFile());
    installation(environment)
        .map(maven -> maven.resolve("conf/settings.xml"))
        .filter(Files::isRegularFile)
        .ifPresent(global -> request.setGlobalSettingsFile(global.toFile()));
    request.setSystemProperties(properties(home, environment));
    Settings settings;
    try {
      settings =
          new DefaultSettingsBuilderFactory().newInstance().build(request).getEffectiveSettings();
    } catch (SettingsBuildingException e) {
      throw new DataException(
          user + " cannot be read as Maven's settings; mend it, or leave out --upgrades", e);
    }
    decrypt(settings, folder);
    return new MavenSettings(settings, localRepository(settings, folder, environment));
  }

  private static void decrypt(Settings settings, Path folder) {
    DefaultSecDispatcher dispatcher =
        new DefaultSecDispatcher(
            new DefaultPlexusCipher(),
            Map.of(),
            folder.resolve("settings-security.xml").toString());
    SettingsDecryptionResult plain =
        new DefaultSettingsDecrypter(dispatcher)
            .decrypt(new DefaultSettingsDecryptionRequest(settings));
    // A password that could not be decrypted stays as it is: the repository will refuse it, and
    // that is reported.
    settings.setServers(plain.getServers());
    settings.setProxies(plain.getProxies());
  }

  private static Path localRepository(
      Settings settings, Path folder, Map<String, String> environment) {
    String set = System.getProperty("maven.repo.local");
    for (String variable : List.of("MAVEN_ARGS", "MAVEN_OPTS")) {
      Matcher matcher = LOCAL_REPOSITORY.matcher(environment.getOrDefault(variable, ""));
      if (set == null && matcher.find()) {
        set = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
      }
    }
    if (set == null) {
      set = settings.getLocalRepository();
    }
    return set == null || set.isBlank() ? folder.resolve("repository") : Path.of(set);
  }

  /** Returns where Maven is installed, as its variables or the mvn on the PATH tell. */
  private static Optional<Path> installation(Map<String, String> environment) {
    for (String variable : List.of("MAVEN_HOME", "M2_HOME")) {
      String value = environment.getOrDefault(variable, "");
      if (!value.isEmpty()) {
        return Optional.of(Path.of(value));
      }
    }
    for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      Path mvn = folder.isEmpty() ? Path.of("") : Path.of(folder).resolve("mvn");
      if (!folder.isEmpty() && Files.isRegularFile(mvn)) {
        try {
          return Optional.of(mvn.toRealPath().getParent().getParent());
        } catch (IOException e) {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the properties that settings may refer to: {@code ${user.home}}, {@code ${env.TOKEN}}.
   */
  private static Properties properties(Path home, Map<String, String> environment) {
    Properties properties = new Properties();
    properties.putAll(System.getProperties());
    properties.setProperty("user.home", home.toString());
    environment.forEach((name, value) -> properties.setProperty("env." + name, value));
    return properties;
  }

  /** Returns the profiles that are active without a project. */
  List<Profile> activeProfiles() {
    List<Profile> active = new ArrayList<>();
    for (Profile profile : settings.getProfiles()) {
      boolean byDefault =
          profile.getActivation() != null && profile.getActivation().isActiveByDefault();
      if (byDefault || settings.getActiveProfiles().contains(profile.getId())) {
        active.add(profile);
      }
    }
    return active;
  }
}
