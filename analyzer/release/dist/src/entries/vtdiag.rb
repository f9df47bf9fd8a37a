# Homebrew's formula of this release, for a tap: brew install --formula ./vtdiag.rb
class Vtdiag < Formula
  desc "Names what pins virtual threads of Java to their carriers, and what helps"
  homepage "@home@"
  url "@home@/releases/download/v@version@/vtdiag-@version@.tar.gz"
  version "@version@"
  sha256 "@sha256@"
  license "Apache-2.0"

  depends_on "openjdk"

  def install
    libexec.install Dir["*"]
    (bin/"vtdiag").write_env_script libexec/"bin/vtdiag", Language::Java.overridable_java_home_env
    man1.install_symlink Dir[libexec/"share/man/man1/*"]
    bash_completion.install_symlink libexec/"share/bash-completion/completions/vtdiag"
  end

  test do
    assert_match "vtdiag #{version}", shell_output("#{bin}/vtdiag --version")
  end
end
