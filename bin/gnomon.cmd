@echo off
rem Starts Gnomon without a window: with the Node.js on the PATH if it is new enough, otherwise with that of the VS Code in whose terminal this runs.
rem Where the shell expands variables late, a ! in a prompt would be lost otherwise.
setlocal EnableExtensions DisableDelayedExpansion
set "program=%~dp0..\dist\chunks\gnomon.js"
rem Looked for on the PATH only: a program of that name in the current folder could be anyone's.
set "node="
for %%i in (node.exe) do set "node=%%~$PATH:i"
if not defined node goto vscode
"%node%" -e "const [major, minor] = process.versions.node.split('.'); process.exit(major > 20 || (major == 20 && minor >= 19) ? 0 : 1)" || goto vscode
"%node%" "%program%" %*
exit /b %errorlevel%

:vscode
if not defined GNOMON_VSCODE_NODE goto none
rem The executable of VS Code on a desktop is Electron, which is Node.js if told so.
set ELECTRON_RUN_AS_NODE=1
"%GNOMON_VSCODE_NODE%" "%program%" %*
exit /b %errorlevel%

:none
echo gnomon needs Node.js 20.19 or newer on the PATH: https://nodejs.org. In a new terminal of VS Code, it works without. 1>&2
exit /b 127
