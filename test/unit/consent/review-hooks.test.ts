import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { type Texts, useTexts } from '../../../src/domain/l10n.js';
import type { ListedHook } from '../../../src/customization/hooks/hook-approvals.js';
import { HookReview } from '../../../src/consent/review-hooks.js';
import { BoundHook } from '../customization/hooks/bound-rig.js';

afterEach(() => useTexts({}));

/** What the dialog about a hook says, its buttons, and what comes of pressing one. */
async function asked(
  listed: ListedHook,
  press?: string,
): Promise<{ readonly title: string; readonly detail: string; readonly choices: readonly string[]; readonly done: readonly string[] }> {
  const done: string[] = [];
  let shown = { title: '', detail: '', choices: [] as readonly string[] };
  const answer = (title: string, detail: string, choices: readonly string[]): Promise<string | undefined> => {
    shown = { title, detail, choices };
    return Promise.resolve(press);
  };
  const review = new HookReview({
    hooks: {
      list: () => Promise.resolve([listed]),
      approve: () => Promise.resolve(void done.push('approve')),
      revoke: () => Promise.resolve(void done.push('revoke')),
      onDidChange: () => () => undefined,
    },
    dialogs: {
      notify: () => Promise.resolve(undefined),
      modal: (title, detail, ...choices) => answer(title, detail, choices),
      beside: (title, { text }, ...choices) => answer(title, text, choices),
    },
    trusted: () => true,
    manage: () => Promise.resolve(),
    tellMore: () => undefined,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  await review.decide(listed);
  return { ...shown, done };
}

const FILES = { 'tools/check.sh': 'true\n', 'package.json': '{}' };

describe('the dialog about a hook', () => {
  it.each([
    ['"$D/check.sh"', ['Not checked: what `$D/check.sh` turns out to be. Gnomon can’t see changes to it.']],
    ['cd tools && ./check.sh', ['Not checked: what `./check.sh` loads or runs in turn. Gnomon can’t see changes to it.']],
    ['bash tools/*.sh', ['Not checked: what `tools/*.sh` turns out to be. Gnomon can’t see changes to it.']],
    ['PATH=./tools:$PATH check', ['Not checked: what `PATH` makes programs load; what `check` loads or runs by itself. Gnomon can’t see changes to it.']],
    [
      'npx -y prettier --write .',
      [
        'Not checked: what `npx` loads or runs by itself. Gnomon can’t see changes to it.',
        'No exact version is named for `prettier`: it runs whatever version is offered at the time.',
      ],
    ],
    ['cat tools/check.sh | sh', ['Not checked: what `sh` gets on its standard input. Gnomon can’t see changes to it.']],
    ['node -e "require(process.argv[1])" x', ['Not checked: what the code in the arguments of `node` loads. Gnomon can’t see changes to it.']],
    ['case $1 in a) ./tools/check.sh;; esac', ['Not checked: what the command line as a whole runs. Gnomon can’t see changes to it.']],
    ['~/check.sh', ['Not checked: files outside the workspace (`HOME/check.sh`). Gnomon can’t see changes to it.']],
    ['cat a > b.sh; sh b.sh', ['Not checked: what is written to `b.sh` before; what `b.sh` loads or runs in turn. Gnomon can’t see changes to it.']],
    ['echo ok', []],
  ])('H-41: says in a sentence what is not bound, before the hook is approved: %s', async (line, sentences) => {
    const bound = new BoundHook(line, FILES);
    const { detail, choices } = await asked(await bound.listed());
    expect(detail.split('\n\n').slice(1)).toEqual(sentences.map((sentence) => sentence.replace('HOME', bound.home)));
    expect(choices).toEqual(['Approve']);
  });

  it('H-41: shows what is bound: files, and folders as a whole', async () => {
    const { detail } = await asked(await new BoundHook('cd tools && ./check.sh; bash ./c*', FILES).listed());
    expect(detail).toMatch(/^script "tools\/check\.sh": SHA-256 [0-9a-f]{64}$/m);
    expect(detail).toMatch(/^folder "tools": 1 file, SHA-256 [0-9a-f]{64}$/m);
  });

  it('H-41: of which more is bound than an earlier version was told of, offers to approve it as it is, and to take the approval back', async () => {
    const listed: ListedHook = { ...(await new BoundHook('cd tools && ./check.sh', FILES).listed()), standing: { state: 'approved', adds: true } };
    expect(await asked(listed, 'Approve')).toMatchObject({
      title: 'Gnomon now binds more of what this hook runs than when you approved it. Approve it as it is now?',
      choices: ['Approve', 'Revoke Approval'],
      done: ['approve'],
    });
    expect(await asked(listed, 'Revoke Approval')).toMatchObject({ done: ['revoke'] });
    expect(await asked({ ...listed, standing: { state: 'approved' } }, 'Revoke Approval')).toMatchObject({ choices: ['Revoke Approval'], done: ['revoke'] });
  });

  it('says it in German', async () => {
    useTexts(JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8')) as Texts, 'de');
    const { detail } = await asked(await new BoundHook('"$D/check.sh"', FILES).listed());
    expect(detail).toContain('Nicht geprüft: wofür `$D/check.sh` beim Ausführen steht. Änderungen daran kann Gnomon nicht sehen.');
  });

  it('H-41: keeps what was approved apart from the language it was shown in', async () => {
    const bound = new BoundHook('"$D/check.sh"', FILES);
    await bound.approve();
    useTexts(JSON.parse(readFileSync('l10n/bundle.l10n.de.json', 'utf8')) as Texts, 'de');
    expect(await bound.runs()).toBe(true);
  });
});
