import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/domain/tool/tool.js';
import { createGate } from '../../../src/permission/gate.js';
import { HELD } from '../../support/sandboxes.js';
import { createMemoryWorkspace } from '../../support/memory-workspace/index.js';
import { edits, judge, planOf, reads, ruleBook, runs, short } from './rig.js';
import { stubAnalyzer } from './stub-analyzer.js';

const FOLDER = '/home/user/.claude/skills/notes';
const OTHER = '/home/user/.claude/skills/tests';

/** A gate for which the skill `notes` of the user is loaded in the session `session`. */
function gateWith({ rules = [], trusted = true }: { readonly rules?: readonly string[]; readonly trusted?: boolean } = {}) {
  const { workspace, documents } = createMemoryWorkspace({
    links: { [`${FOLDER}/out`]: '/home/user/private', [`${FOLDER}/key.md`]: '/home/user/.ssh/id_rsa' },
  });
  const files = [`${FOLDER}/SKILL.md`, `${OTHER}/SKILL.md`];
  return createGate({
    sandbox: HELD,
    workspace,
    documents,
    caseInsensitive: false,
    home: '/home/user',
    rules: ruleBook(rules),
    analyzer: () => Promise.resolve(stubAnalyzer),
    trusted: () => trusted,
    skills: (id) => ({ files, folders: id === 'session' ? [FOLDER] : [] }),
  });
}

const loads = (path: string): Plan => planOf('skill', [{ kind: 'read', target: path }]);

describe('the files of skills at the gate', () => {
  it.each<[string, Plan, string]>([
    ['a file in the folder of a loaded skill', reads(`${FOLDER}/references/style.md`), 'allow'],
    ['the folder of a loaded skill', planOf('list', [{ kind: 'read', target: FOLDER }]), 'allow'],
    ['the text of a skill', loads(`${OTHER}/SKILL.md`), 'allow'],
    ['a file of a skill that is not loaded', reads(`${OTHER}/references/style.md`), 'ask+'],
    ['`../` out of it', reads(`${FOLDER}/../tests/references/style.md`), 'ask+'],
    ['`../` out of it, to the home folder', reads(`${FOLDER}/../../../notes.txt`), 'ask+'],
    ['a folder whose name begins the same', reads(`${FOLDER}-more/a.md`), 'ask+'],
    ['a link in it that leads elsewhere', reads(`${FOLDER}/out/a.md`), 'ask'],
    ['a link in it to a key', reads(`${FOLDER}/key.md`), 'ask'],
    ['what can contain passwords', reads(`${FOLDER}/.env`), 'ask+'],
    ['a change of a file in it', edits(`${FOLDER}/references/style.md`), 'ask'],
    ['a script of it', runs(`x ${FOLDER}/scripts/run.sh`), 'ask+'],
  ])('S-35: %s', async (_what, plan, expected) => {
    expect(short(await judge(gateWith(), 'default', plan))).toBe(expected);
  });

  it('S-35: is about the session that loaded the skill, and rules still deny and ask', async () => {
    const file = reads(`${FOLDER}/references/style.md`);
    expect(short(await judge(gateWith(), 'default', file, 'another'))).toBe('ask+');
    expect(short(await judge(gateWith({ rules: ['deny Read(~/.claude/**)'] }), 'default', file))).toBe('deny');
    expect(short(await judge(gateWith({ rules: ['deny Read(~/.claude/**)'] }), 'default', loads(`${FOLDER}/SKILL.md`)))).toBe('deny');
    expect(short(await judge(gateWith({ rules: ['ask skill'] }), 'default', loads(`${FOLDER}/SKILL.md`)))).toBe('ask');
    expect(short(await judge(gateWith(), 'ask', file))).toBe('ask');
  });

  it('S-35: loading a skill only reads: it works in plan mode and in a workspace that is not trusted', async () => {
    expect(short(await judge(gateWith(), 'plan', loads(`${FOLDER}/SKILL.md`)))).toBe('allow');
    expect(short(await judge(gateWith({ trusted: false }), 'default', loads(`${FOLDER}/SKILL.md`)))).toBe('allow');
    expect(short(await judge(gateWith({ trusted: false }), 'default', runs(`x ${FOLDER}/scripts/run.sh`)))).toBe('deny');
  });
});
