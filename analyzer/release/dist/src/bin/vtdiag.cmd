@echo off
rem Finds a Java 21 or later and runs the command line. The class archive goes into the user's cache.
setlocal
set "JAR=%~dp0..\lib\vtdiag-cli.jar"
if defined VTDIAG_JAVA (
  set "JAVA=%VTDIAG_JAVA%\bin\java.exe"
) else if defined JAVA_HOME (
  set "JAVA=%JAVA_HOME%\bin\java.exe"
) else (
  set "JAVA=java.exe"
)
"%JAVA%" --list-modules >nul 2>nul
if errorlevel 1 (
  echo vtdiag: found no Java at %JAVA%; install a JDK 21 or later and set JAVA_HOME to it 1>&2
  exit /b 3
)
set "ARCHIVE="
if defined LOCALAPPDATA (
  if not exist "%LOCALAPPDATA%\vtdiag\classes" mkdir "%LOCALAPPDATA%\vtdiag\classes" 2>nul
  if exist "%LOCALAPPDATA%\vtdiag\classes" set "ARCHIVE=-XX:+AutoCreateSharedArchive -XX:SharedArchiveFile="%LOCALAPPDATA%\vtdiag\classes\vtdiag.jsa""
)
"%JAVA%" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xlog:disable -Xshare:auto -Djdk.reflect.useNativeAccessorOnly=true %ARCHIVE% -jar "%JAR%" %*
exit /b %ERRORLEVEL%
