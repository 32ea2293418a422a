/**
 * Other names of the built-in tools, in lower case and without punctuation: those that other harnesses have for a tool that
 * does exactly the same. From Claude Code (Read, LS, TodoWrite …), Codex (shell, exec_command, update_plan …), Cursor
 * (run_terminal_cmd, search_replace …), Cline and Roo Code (write_to_file, execute_command …), Gemini CLI (replace,
 * run_shell_command …), Copilot (replace_string_in_file, run_in_terminal …) and opencode.
 */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  read: 'readfile viewfile openfile view notebookread copilotreadfile',
  write: 'writefile writetofile createfile',
  edit: 'editfile multiedit strreplace stringreplace replace replaceinfile replacestringinfile searchreplace searchandreplace applydiff',
  apply_patch: 'applypatch patch',
  grep: 'grepsearch grepfiles searchfilecontent searchfiles ripgrep rg findtextinfiles',
  glob: 'globfilesearch globfiles findfiles',
  list: 'ls listdir listdirectory listfiles listfolder',
  bash:
    'shell terminal shellcommand localshell containerexec exec execcommand execcommandline executecommand ' +
    'runcommand runterminalcmd runterminalcommand runinterminal runshellcommand',
  jobs: 'bashoutput taskoutput getterminaloutput',
  todo: 'todos todowrite writetodos updatetodos updatetodolist managetodolist updateplan',
  ask: 'askuser askuserquestion askfollowupquestion askquestion askquestions question requestuserinput',
  diagnostics: 'readlints geterrors getdiagnostics problems',
  symbols: 'lsp',
  skill: 'useskill activateskill loadskill',
  fetch: 'webfetch fetchwebpage fetchurl readurl readurlcontent',
  web_search: 'websearch searchweb googlewebsearch googlesearch internetsearch',
};

/** Other names of a built-in tool; none for any other. */
export function otherNames(tool: string): readonly string[] {
  return Object.hasOwn(OTHER_NAMES, tool) ? (OTHER_NAMES[tool] ?? '').split(' ') : [];
}
