@echo off
rem Finds a Java 21 or later and runs the command line. The class archive goes into the user's cache.
setlocal
set "JAR=%~dp0..\lib\vtdiag-cli.jar"
set "JAVA=java.exe"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java.exe"
if defined VTDIAG_JAVA set "JAVA=%VTDIAG_JAVA%\bin\java.exe"
rem The option came with Java 19: older ones end with an error, as does no Java.
"%JAVA%" -XX:-AutoCreateSharedArchive --version >nul 2>nul
if errorlevel 1 goto nojava
rem No blocks in parentheses from here on: a path or an argument may have one.
set "CLASSES="
if defined LOCALAPPDATA set "CLASSES=%LOCALAPPDATA%\vtdiag\classes"
if defined CLASSES if not exist "%CLASSES%" mkdir "%CLASSES%" 2>nul
if defined CLASSES if not exist "%CLASSES%" set "CLASSES="
set "OPTIONS=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xlog:disable -Xshare:auto -Djdk.reflect.useNativeAccessorOnly=true"
if not defined CLASSES goto plain
"%JAVA%" %OPTIONS% -XX:+AutoCreateSharedArchive "-XX:SharedArchiveFile=%CLASSES%\vtdiag.jsa" -jar "%JAR%" %*
exit /b %ERRORLEVEL%
:plain
"%JAVA%" %OPTIONS% -jar "%JAR%" %*
exit /b %ERRORLEVEL%
:nojava
>&2 echo vtdiag: found no Java 21 or later at %JAVA%; install a JDK 21 or later and set JAVA_HOME to it
exit /b 3
