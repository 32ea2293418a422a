import { describe, expect, it } from 'vitest';
import { ToolInputError } from '../../../src/domain/errors.js';
import type { SkillTexts } from '../../../src/domain/session/skills.js';
import type { ToolContext } from '../../../src/domain/tool/tool.js';
import type { TurnGrant } from '../../../src/domain/tool/turn-grant.js';
import { createSkillTool } from '../../../src/tool/skill.js';
import { createMemoryWorkspace } from '../../support/memory-workspace/index.js';

const context: ToolContext = { signal: new AbortController().signal, sessionId: 's', callId: 'c', output: () => undefined };
const FILE = '/home/user/.claude/skills/notes/SKILL.md';
const GRANT: TurnGrant = { kind: 'skill', name: 'notes', origin: { layer: 'user', file: FILE, display: 'notes' }, rules: ['Bash(git log:*)'], digest: 'x' };
const skills: SkillTexts = {
  find: (name) => (name === 'notes' ? Promise.resolve(FILE) : Promise.reject(new ToolInputError(`There is no skill ${name}.`))),
  load: (name) => Promise.resolve({ text: `The text of ${name}`, grant: GRANT }),
};
const tool = createSkillTool({ ...createMemoryWorkspace(), skills });

describe('the tool that loads skills', () => {
  it.each([[{ skill: 'notes' }], [{ skill: ' /notes ' }], [{ name: 'notes' }], [{ skill: 'notes', args: 'of today' }], [{ command: 'notes' }]])(
    'S-31: takes %j, and only reads the file of the skill',
    async (args) => {
      const plan = await tool.plan(args, context);
      expect(plan).toMatchObject({ tool: 'skill', subject: 'notes', accesses: [{ kind: 'read', target: FILE }], changes: [], preview: { kind: 'none' } });
      const { content, grant } = await tool.execute(plan, context);
      expect([content[0], grant]).toEqual([{ type: 'text', text: 'The text of notes' }, GRANT]);
    },
  );

  it.each([[{ skill: 'other' }], [{ skill: '' }], [{}], [{ skill: '../notes' }]])('S-31: refuses %j before anything is read', async (args) => {
    await expect(tool.plan(args, context)).rejects.toBeInstanceOf(ToolInputError);
  });
});
