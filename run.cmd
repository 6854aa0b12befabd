@echo off
rem Starts Clubscore on Windows: double-click it. With words behind it, as in "run.cmd backup", it does the same as "py run".
setlocal
set python=py -3
%python% --version >nul 2>nul
if errorlevel 1 set python=python
%python% --version >nul 2>nul
if errorlevel 1 goto none
%python% "%~dp0run" %*
set code=%errorlevel%
if not %code%==0 if "%~1"=="" pause
exit /b %code%
:none
echo Clubscore needs Python 3.11 or newer, and this computer has none.
echo Get it from https://www.python.org/downloads/ and then start this again.
if "%~1"=="" pause
exit /b 1
