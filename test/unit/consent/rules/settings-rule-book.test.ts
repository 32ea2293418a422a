import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RULE_CONSENTS } from '../../../../src/consent/rules/consents.js';
import { sha256 } from '../../../../src/node/files/sha256.js';
import { ruleProblems } from '../../../../src/permission/rules/rule-set.js';
import { canBeChanged } from '../../../../src/consent/rules/rule-source.js';
import { type BookRig, rigBook, source } from '../rig.js';
import { says } from '../../../support/wording.js';

const TEST = 'Bash(npm test:*)';
const LINT = 'Bash(npm run lint)';
const CURL = 'Bash(curl:*)';

/** Agrees to all lists that wait. */
async function agree({ book }: BookRig): Promise<void> {
  for (const list of book.listing().pending) await book.agree(list);
}

describe('rules of the settings', () => {
  it('come with their effect and scope, those of the machine as the person’s own', () => {
    const rig = rigBook(
      source('user', { allow: [TEST], deny: [CURL] }),
      source('machine', { ask: ['Bash(git push:*)'] }),
      source('workspace', { deny: ['Read(.env)'], ask: [LINT] }),
    );
    expect(rig.rules().toSorted()).toEqual([
      'allow Bash(npm test:*) user',
      'ask Bash(git push:*) user',
      'ask Bash(npm run lint) workspace',
      'deny Bash(curl:*) user',
      'deny Read(.env) workspace',
    ]);
    expect(rig.book.listing().problems).toEqual([]);
  });

  it('are read once until a setting changes', () => {
    const rig = rigBook(source('user', { deny: [CURL] }));
    for (let n = 0; n < 5; n += 1) expect(rig.rules()).toHaveLength(1);
    expect(rig.settings.reads).toBe(1);
    rig.change('user', { deny: [CURL, TEST] });
    expect(rig.rules()).toHaveLength(2);
  });

  it('conf-04: a workspace allows nothing without consent, while what it denies and asks counts at once', () => {
    for (const place of ['workspace', 'folder', 'container'] as const) {
      const rig = rigBook(source('user'), source(place, { allow: ['Bash(*)', 'Edit'], ask: [TEST], deny: [CURL] }));
      expect(rig.rules()).toEqual(['deny Bash(curl:*) workspace', 'ask Bash(npm test:*) workspace']);
      expect(rig.book.listing().pending).toMatchObject([{ rules: ['Bash(*)', 'Edit'], fresh: ['Bash(*)', 'Edit'] }]);
    }
  });

  it('S-02 S-03: a settings file of a workspace that is not trusted restricts, and allows nothing; the user’s own file holds', () => {
    const file = source('file', { allow: ['Bash'], ask: [TEST], deny: ['Read(.env)'] });
    const rig = rigBook(source('user', { allow: ['Read(.env)'] }), file, source('userFile', { allow: [LINT] }), source('workspace', { deny: [CURL] }));
    expect(rig.rules()).toContain('deny Read(.env) workspace');
    expect(rig.book.listing().pending).toMatchObject([{ rules: ['Bash'] }]);
    rig.trusted = false;
    rig.book.forget();
    expect(rig.rules().toSorted()).toEqual([
      'allow Bash(npm run lint) user',
      'allow Read(.env) user',
      'ask Bash(npm test:*) workspace',
      'deny Read(.env) workspace',
    ]);
  });

  it('S-07: rules that the user adds to their own file in a workspace hold at once, also beside others that they agreed to', async () => {
    const rig = rigBook(source('user'), source('file', { allow: [CURL], deny: ['Read(.env)'] }), source('local'));
    await rig.book.add([TEST], 'local');
    expect(rig.rules()).toEqual(['deny Read(.env) workspace', 'allow Bash(npm test:*) local']);
    expect(rig.book.rules().map(({ file }) => file)).toEqual(['the file settings', 'the local settings']);
    expect(rig.book.listing().pending).toMatchObject([{ rules: [CURL] }]);
    await rig.book.add([LINT, TEST], 'local');
    expect(rig.settings.sources().at(-1)?.lists.allow).toEqual([TEST, LINT]);
    // What another has put there since waits, and the user's own rule beside it with it.
    rig.change('local', { allow: [TEST, LINT, CURL] });
    expect(rig.rules()).toEqual(['deny Read(.env) workspace']);
    await expect(rig.book.add(['Edit'], 'local')).rejects.toThrow('need your approval');
    await expect(rig.book.insert('deny', ['Edit'], 'local')).resolves.toBeUndefined();
  });

  it('S-07: rules of files can be removed, except those of the organization and what is no text', async () => {
    const rig = rigBook(source('user'), source('file', { allow: [TEST, CURL] }), source('managed', { deny: [LINT] }));
    await agree(rig);
    const [first, , managed] = rig.book.listing().entries;
    if (managed === undefined || first === undefined) throw new Error('Rules are missing.');
    expect([
      canBeChanged(managed.source, managed.written),
      canBeChanged(first.source, first.written),
      canBeChanged(first.source, { object: '…' }),
      canBeChanged(source('user'), {}),
    ]).toEqual([false, true, false, true]);
    await rig.book.remove(first);
    expect(rig.rules()).toEqual(['allow Bash(curl:*) workspace', 'deny Bash(npm run lint) user']);
  });

  it('S-04: says what to do where there is no file of the user alone, and adds nothing before the workspace is trusted', async () => {
    const rig = rigBook(source('user'), source('file', {}), source('local'));
    rig.trusted = false;
    await expect(rig.book.add([TEST], 'local')).rejects.toThrow('Trust the workspace first');
    await expect(rigBook(source('user'), source('file', {})).book.add([TEST], 'local')).rejects.toThrow('no longer track');
  });

  it('conf-04: consent is for exactly one list of one workspace; any other asks again with what is new', async () => {
    const rig = rigBook(source('user'), source('workspace', { allow: [TEST, LINT] }, 'file:///a'));
    await agree(rig);
    expect(rig.rules()).toEqual(['allow Bash(npm test:*) workspace', 'allow Bash(npm run lint) workspace']);
    rig.change('workspace', { allow: [LINT, TEST] });
    expect(rig.rules()).toHaveLength(2);
    rig.change('workspace', { allow: [LINT, TEST, CURL] });
    expect(rig.rules()).toEqual([]);
    expect(rig.book.listing().pending).toMatchObject([{ rules: [LINT, TEST, CURL], fresh: [CURL] }]);
    rig.change('workspace', { allow: [LINT] });
    expect(rig.rules()).toEqual([]);
    rig.change('workspace', { allow: [LINT, TEST] });
    expect(rig.rules()).toHaveLength(2);
    // The same list elsewhere, with the same kept consents.
    const elsewhere = rigBook(source('user'), source('workspace', { allow: [LINT, TEST] }, 'file:///b'));
    elsewhere.approvals.put(RULE_CONSENTS, ...rig.approvals.of(RULE_CONSENTS).list());
    expect(elsewhere.rules()).toEqual([]);
  });

  it('conf-04: consent that was given for what was shown does not cover what the list is by then', async () => {
    const rig = rigBook(source('user'), source('workspace', { allow: [TEST] }));
    const [shown] = rig.book.listing().pending;
    rig.change('workspace', { allow: [TEST, 'Bash(*)'] });
    if (shown !== undefined) await rig.book.agree(shown);
    expect(rig.rules()).toEqual([]);
  });

  it.each([{ digest: 1, rules: [] }, { digest: '', rules: [1] }, 'yes', true, null, { rules: [TEST] }])('takes %j for no consent', (kept) => {
    const rig = rigBook(source('user'), source('workspace', { allow: [TEST] }));
    rig.approvals.put(RULE_CONSENTS, kept, { source: sha256('workspace'), ...(typeof kept === 'object' ? kept : {}) });
    expect(rig.rules()).toEqual([]);
  });

  it('conf-01: an untrusted workspace contributes nothing, and all of it once it is trusted', () => {
    const rig = rigBook(source('user', { deny: [CURL] }), source('workspace', { allow: [TEST], ask: [LINT], deny: ['Read(.env)'] }));
    rig.trusted = false;
    expect(rig.rules()).toEqual(['deny Bash(curl:*) user']);
    expect(rig.book.listing().pending).toEqual([]);
    rig.trusted = true;
    rig.book.forget();
    expect(rig.rules()).toHaveLength(3);
    expect(rig.book.listing().pending).toHaveLength(1);
  });

  describe('conf-23: what cannot be read', () => {
    it.each([
      [{ deny: 'Bash(rm:*)' }, 'deny Bash(rm:*) user', says('mustBeArray', 'gnomon.permissions.deny', 'your user settings', '"Bash(rm:*)"')],
      [{ deny: 42 }, 'deny (42) user', says('mustBeArray', 'gnomon.permissions.deny', 'your user settings', 42)],
      [{ deny: { Bash: 'rm' } }, 'deny ({"Bash":"rm"}) user', says('mustBeArray', 'gnomon.permissions.deny', 'your user settings', '{"Bash":"rm"}')],
      [{ deny: [CURL, 42] }, 'deny (42) user', says('mustBeString', 'gnomon.permissions.deny[1] in your user settings', 42)],
      [{ ask: [null] }, 'ask (null) user', says('mustBeString', 'gnomon.permissions.ask[0] in your user settings', 'null')],
      [{ deny: ['Bsh(rm:*)'] }, 'deny Bsh(rm:*) user', 'gnomon.permissions.deny[0] in your user settings: '],
      [{ ask: ['Bash(rm'] }, 'ask Bash(rm user', 'gnomon.permissions.ask[0] in your user settings: '],
      [{ deny: [''] }, 'deny  user', 'gnomon.permissions.deny[0] in your user settings: '],
      [{ deny: [`Bash(${'x'.repeat(2_000)})`] }, 'deny ("Bash(xxx', 'gnomon.permissions.deny[0] in your user settings is longer than 1000 characters'],
      [
        { deny: Array.from({ length: 501 }, () => CURL) },
        'deny (more than 500 rules) user',
        'gnomon.permissions.deny in your user settings has more than 500 rules',
      ],
    ])('%j still holds the gate back, and is named', (lists, rule, problem) => {
      const rig = rigBook(source('user', lists));
      expect(rig.rules().some((each) => each.startsWith(rule.slice(0, 40)))).toBe(true);
      expect(rig.book.listing().problems.join('\n')).toContain(problem);
    });

    it.each([{ allow: 'Bash(*)' }, { allow: [42] }, { allow: ['Bsh(*)'] }, { allow: { Bash: '*' } }, { allow: [`Bash(${'x'.repeat(2_000)})`] }])(
      '%j allows nothing, and is named',
      (lists) => {
        for (const place of ['user', 'workspace'] as const) {
          const rig = rigBook(source('user'), ...(place === 'user' ? [] : [source('workspace')]));
          rig.change(place, lists);
          expect(rig.rules()).toEqual([]);
          expect(rig.book.listing().problems).toHaveLength(1);
        }
      },
    );

    it('a settings file with a syntax error stands for rules that deny', () => {
      const rig = rigBook(source('user', { allow: [TEST] }));
      rig.damage = ['There is a syntax error in your user settings.'];
      expect(rig.rules()).toEqual(['deny (There is a syntax error in your user settings.) user', 'allow Bash(npm test:*) user']);
      expect(rig.book.rules()[0]?.missing).toBe(rig.damage[0]);
      expect(rig.book.listing().problems).toEqual(rig.damage);
    });

    it('never throws, and loses no entry that denies or asks, whatever the settings hold', () => {
      const value = fc.oneof(fc.jsonValue(), fc.array(fc.oneof(fc.jsonValue(), fc.constantFrom(TEST, CURL, 'Edit', 'x('))));
      fc.assert(
        fc.property(value, value, value, (allow, ask, deny) => {
          const rig = rigBook(source('user'), source('workspace', { allow, ask, deny }));
          const rules = rig.book.rules();
          for (const [effect, list] of [
            ['ask', ask],
            ['deny', deny],
          ] as const) {
            const entries = Array.isArray(list) ? list : list === null ? [] : [list];
            expect(rules.filter((rule) => rule.effect === effect)).toHaveLength(entries.length);
            const unreadable = entries.filter((entry) => typeof entry !== 'string');
            // What stands for them can be read by no gate.
            expect(rules.filter((rule) => rule.effect === effect && ruleProblems([rule]).length > 0).length).toBeGreaterThanOrEqual(unreadable.length);
          }
          expect(rules.filter((rule) => rule.effect === 'allow')).toEqual([]);
        }),
      );
    });
  });
});

describe('adding and removing rules', () => {
  it('appends to what is there without repeating it', async () => {
    const rig = rigBook(source('user', { allow: ['not a rule(', TEST] }));
    await rig.book.add([LINT, TEST, LINT], 'user');
    expect(rig.settings.sources()[0]?.lists.allow).toEqual(['not a rule(', TEST, LINT]);
    expect(rig.rules()).toEqual(['allow Bash(npm test:*) user', 'allow Bash(npm run lint) user']);
  });

  it('loses none of two that are added at once', async () => {
    const rig = rigBook(source('user'));
    await Promise.all([rig.book.add([LINT], 'user'), rig.book.add([TEST], 'user')]);
    expect(rig.settings.sources()[0]?.lists.allow).toEqual([LINT, TEST]);
  });

  it('takes the person’s choice as their consent in the workspace, again and again', async () => {
    const rig = rigBook(source('user'), source('workspace'));
    await rig.book.add([TEST], 'workspace');
    await rig.book.add([LINT], 'workspace');
    expect(rig.rules()).toEqual(['allow Bash(npm test:*) workspace', 'allow Bash(npm run lint) workspace']);
    const [entry] = rig.book.listing().entries;
    if (entry !== undefined) await rig.book.remove(entry);
    expect(rig.rules()).toEqual(['allow Bash(npm run lint) workspace']);
  });

  it('conf-04: does not let one rule of the person’s bring in those of the workspace that wait', async () => {
    const rig = rigBook(source('user'), source('workspace', { allow: ['Bash(*)'] }));
    await expect(rig.book.add([TEST], 'workspace')).rejects.toThrow(/need your approval.*Manage Permissions/);
    expect(rig.rules()).toEqual([]);
    expect(rig.settings.sources()[1]?.lists.allow).toEqual(['Bash(*)']);
    const [entry] = rig.book.listing().entries;
    await rig.book.insert('deny', [CURL], 'workspace');
    if (entry !== undefined) await rig.book.remove(entry);
    expect(rig.rules()).toEqual(['deny Bash(curl:*) workspace']);
  });

  it('says what to do when the settings cannot be written, and the consent stays as it was', async () => {
    const rig = rigBook(source('user'), source('workspace', { allow: [TEST] }));
    await agree(rig);
    rig.settings.failure = new Error('The file has unsaved changes.');
    await expect(rig.book.add([LINT], 'workspace')).rejects.toThrow(/unsaved changes.*fix or save them, and try again/);
    expect(rig.rules()).toEqual(['allow Bash(npm test:*) workspace']);
    await expect(rig.book.add([LINT], 'user')).rejects.toThrow(/gnomon\.permissions\.allow could not be changed in your user settings/);
    rig.settings.failure = undefined;
    rig.change('workspace', { allow: [TEST, LINT] });
    expect(rig.rules()).toEqual([]);
  });

  it('refuses a rule that cannot be read, a list that is none, no folder, and a workspace that is not trusted', async () => {
    const rig = rigBook(source('user', { allow: 'Bash' }), source('container'));
    await expect(rig.book.add([TEST, 'Bsh(x)'], 'user')).rejects.toThrow(/Bsh/);
    await expect(rig.book.add([TEST], 'user')).rejects.toThrow(/must be an array\. Open these settings/);
    await expect(rig.book.add([TEST], 'workspace')).rejects.toThrow(/No folder is open/);
    rig.trusted = false;
    await expect(rig.book.add([TEST], 'workspace')).rejects.toThrow(/not trusted/);
    expect(rig.settings.sources()[0]?.lists.allow).toBe('Bash');
  });

  it('removes an entry that is no rule, and a text where a list belongs', async () => {
    const rig = rigBook(source('user', { deny: [CURL, 42], ask: 'Bash(x' }));
    for (const entry of rig.book.listing().entries) if (entry.state === 'unreadable') await rig.book.remove(entry);
    expect(rig.settings.sources()[0]?.lists).toMatchObject({ deny: [CURL], ask: [] });
    expect(rig.book.listing().problems).toEqual([]);
  });
});
