import { describe, expect, it } from 'vitest';
import { ConsentPrompt } from '../../../../src/consent/rules/consent-prompt.js';
import { type BookRig, rigBook, ScriptedDialogs, source } from '../rig.js';
import { says } from '../../../support/wording.js';

const TEST = 'Bash(npm test:*)';
const EDIT = 'Edit(src/**)';

function rigPrompt(
  allow: readonly string[],
  ...answers: (string | undefined)[]
): BookRig & { readonly dialogs: ScriptedDialogs; readonly prompt: ConsentPrompt } {
  const rig = rigBook(source('user'), source('workspace', { allow }));
  const dialogs = new ScriptedDialogs(...answers);
  return Object.assign(rig, { dialogs, prompt: new ConsentPrompt(rig.book, dialogs) });
}

describe('the question about rules of a workspace (conf-04)', () => {
  it('names the rules, and Allow lets them hold', async () => {
    const rig = rigPrompt([TEST, EDIT], 'Allow');
    await rig.prompt.askAll();
    expect(rig.dialogs.shown).toEqual([
      { kind: 'info', text: says('workspaceWantsToAllow', `${TEST}, ${EDIT}`), detail: '', choices: ['Review', 'Allow', 'Not Now'] },
    ]);
    expect(rig.rules()).toHaveLength(2);
  });

  it.each(['Not Now', undefined])('allows nothing at %j, and asks again only when the list has changed', async (answer) => {
    const rig = rigPrompt([TEST], answer, answer);
    for (let n = 0; n < 3; n += 1) await rig.prompt.askAll();
    expect(rig.dialogs.shown).toHaveLength(1);
    rig.change('workspace', { allow: [TEST, EDIT] });
    await rig.prompt.askAll();
    expect(rig.dialogs.shown).toHaveLength(2);
    expect(rig.rules()).toEqual([]);
  });

  it('says what is new in a list that has changed, and that one was shortened', async () => {
    const rig = rigPrompt([TEST], 'Allow', 'Not Now', 'Not Now');
    await rig.prompt.askAll();
    rig.change('workspace', { allow: [TEST, EDIT] });
    await rig.prompt.askAll();
    expect(rig.dialogs.shown[1]?.text).toBe(says('workspaceAlsoWantsToAllow', EDIT));
    rig.change('workspace', { allow: [] });
    await rig.prompt.askAll();
    expect(rig.dialogs.shown).toHaveLength(2);
  });

  it('shows every rule in the review, on lines of their own, before anything is allowed', async () => {
    const many = Array.from({ length: 12 }, (_, n) => `Bash(make ${n})`);
    const rig = rigPrompt(many, 'Review', 'Allow');
    await rig.prompt.askAll();
    const [notice, review] = rig.dialogs.shown;
    expect(notice?.choices).toEqual(['Review', 'Not Now']);
    expect(review?.kind).toBe('modal');
    for (const rule of many) expect(review?.detail.split('\n')).toContain(`• ${rule}`);
    expect(rig.rules()).toHaveLength(12);
    const cancelled = rigPrompt(many, 'Review', undefined);
    await cancelled.prompt.askAll();
    expect(cancelled.rules()).toEqual([]);
  });

  it('marks in the review what is new', async () => {
    const rig = rigPrompt([TEST], 'Allow', 'Review', 'Allow');
    await rig.prompt.askAll();
    rig.change('workspace', { allow: [TEST, EDIT] });
    await rig.prompt.askAll();
    expect(rig.dialogs.shown[2]?.detail.split('\n').slice(0, 2)).toEqual([`• ${TEST}`, `• ${EDIT}   (new)`]);
  });

  it.each([
    ['hidden characters', 'Bash(npm test\u202E:*)'],
    ['a line of its own', 'Bash(npm test)\n\nNothing else.'],
    ['a link', 'Bash(x)[more](command:gnomon.newSession)'],
    ['a length that is not shown', `Bash(npm test ${'x'.repeat(200)})`],
  ])('conf-11 offers no Allow for a rule with %s before it is reviewed, where it is escaped', async (_, rule) => {
    const rig = rigPrompt([rule], 'Review', undefined);
    await rig.prompt.askAll();
    expect(rig.dialogs.shown[0]?.choices).toEqual(['Review', 'Not Now']);
    expect(rig.dialogs.shown[0]?.text).not.toContain(rule);
    expect(rig.dialogs.shown[1]?.detail).not.toMatch(/\u202E|^Nothing else/m);
    expect(rig.rules()).toEqual([]);
  });

  const LONG = [Array.from({ length: 31 }, (_, n) => `Bash(${n})`), ['Bash(x)', ...Array.from({ length: 10 }, (_, n) => `Bash(${n}${'y'.repeat(300)})`)]];
  it.each(LONG.map((allow) => [allow]))(
    'shows the whole of a list in an editor where a dialog would cut it off, and takes consent to exactly that',
    async (allow) => {
      const rig = rigPrompt(allow, 'Review', 'Allow');
      await rig.prompt.askAll();
      expect(rig.dialogs.shown[1]).toMatchObject({ kind: 'beside', choices: ['Allow'] });
      for (const rule of allow) expect(rig.dialogs.shown[1]?.detail).toContain(rule);
      expect(rig.rules()).toHaveLength(allow.length);
    },
  );

  it.each([[Array.from({ length: 501 }, (_, n) => `Bash(${n})`)], [['Bash(x)', ...Array.from({ length: 10 }, (_, n) => `Bash(${n}${'y'.repeat(5_000)})`)]]])(
    'does not take consent to more than anybody reads',
    async (allow) => {
      const rig = rigPrompt(allow, 'Review');
      await rig.prompt.askAll();
      expect(rig.dialogs.shown[1]).toMatchObject({ kind: 'modal', choices: [] });
      expect(rig.rules()).toEqual([]);
    },
  );
});
