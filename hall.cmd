@echo off
rem Starts Clubscore for the tablets in a hall: double-click it. docs/hosting.md says what the tablets and the laptop need.
call "%~dp0run.cmd" --host 0.0.0.0 || pause
