import { escapeHidden } from '../domain/hidden-characters.js';
import type { Dialogs } from '../domain/host/dialogs.js';
import { t } from '../domain/l10n.js';
import type { AskAboutCheck, CheckQuestion } from './project-checks.js';

/** Characters and lines that a dialog shows without cutting anything off; what is longer is shown in an editor. */
const MAX_SHOWN = { characters: 3_000, lines: 60 };
/** Characters that anybody would read; what is longer cannot be approved. */
const MAX_READ = 100_000;

/** Asks the user whether a check may run, with all of it shown. */
export function askUser(dialogs: Pick<Dialogs, 'modal' | 'beside' | 'notify'>): AskAboutCheck {
  return async (question) => {
    const detail = await detailOf(question);
    if (detail.length > MAX_READ) {
      await dialogs.notify(
        'warning',
        t('The check `{0}` is bound to more than can be read, so that it cannot be approved.', escapeHidden(question.check.line)),
      );
      return false;
    }
    const yes = question.why === 'every_run' ? t('Run') : t('Approve and Run');
    const fits = detail.length <= MAX_SHOWN.characters && detail.split('\n').length <= MAX_SHOWN.lines;
    const title = titleOf(question);
    const answer = await (fits ? dialogs.modal(title, detail, yes) : dialogs.beside(title, { title: t('Check'), text: detail }, yes, t('Don’t Run')));
    return answer === yes;
  };
}

function titleOf({ check: { line, file }, why }: CheckQuestion): string {
  const [shown, from] = [escapeHidden(line), escapeHidden(file)];
  switch (why) {
    case 'new':
      return t('Run the check `{0}` from {1}?', shown, from);
    case 'changed':
      return t('The check `{0}` from {1} has changed since you approved it. Run it as it is now?', shown, from);
    case 'changed_by_run':
      return t('Checks changed by this run. Run the check `{0}` from {1} as it is now?', shown, from);
    case 'every_run':
      return t('Run the check `{0}` from {1} without a sandbox?', shown, from);
  }
}

async function detailOf({ text, before, notBound, sandbox, why }: CheckQuestion): Promise<string> {
  const where = sandbox.available
    ? t('It runs in the sandbox without network. There, it can change the workspace, temporary files, and caches.')
    : `${t('It runs with all of your rights, and you are asked each time:')} ${sandbox.reason}`;
  const shown = before === undefined ? text : await difference(before, text);
  const scope = why === 'changed_by_run' ? t('The answer is for exactly this, until the window is closed:') : t('The answer is for exactly this:');
  return [where, `${scope}\n${shown}`, ...notBound].join('\n\n');
}

/** Both sides of a change, line by line: what is gone, and what is new in its place. */
async function difference(before: string, after: string): Promise<string> {
  const { diffArrays } = await import('../text/diffs.js');
  const parts = diffArrays(before.split('\n'), after.split('\n'));
  return parts.flatMap(({ value, added, removed }) => value.map((line) => `${removed ? '−' : added ? '+' : ' '}  ${line}`)).join('\n');
}
