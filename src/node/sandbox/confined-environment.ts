/** What programs that read need to know of the user and the language; all else of the environment may hold a key. */
const KEPT = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_[A-Z]+|TZ|TERM|NO_COLOR|PYTHONUNBUFFERED|(?:GIT_|MAN)?PAGER|SYSTEMD_PAGER|EDITOR|VISUAL|GIT_EDITOR|GIT_TERMINAL_PROMPT)$/;

/** The environment of a command in the sandbox, made of that of other commands. */
export function confinedEnvironment(environment: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(environment).filter(([name]) => KEPT.test(name));
  // Git takes no folder for a repository that looks like one by what lies in it, and does not write its index for a status.
  return { ...Object.fromEntries(kept), TMPDIR: '/tmp', GIT_OPTIONAL_LOCKS: '0' };
}
