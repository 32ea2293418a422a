import { describe, expect, it } from 'vitest';
import { text } from '../../../../src/domain/model/content.js';
import type { Message } from '../../../../src/domain/model/message.js';
import { attachedBlock } from '../../../../src/domain/session/attached.js';
import { type RanCommand, ranCommandIn, ranCommandText } from '../../../../src/domain/session/ran-command.js';
import { skillFolderIn, skillText } from '../../../../src/domain/session/skills.js';
import { UsedOwners } from '../../../../src/engine/hooks/used-owners.js';

const time = '2026-01-01T00:00:00Z';
const skillOf = (folder: string, body = 'Do it.'): string => skillText({ name: 'notes', folder, body, files: [], hasMore: false });
const user = (...words: readonly string[]): Message => ({ role: 'user', content: words.map(text), timestamp: time });
const result = (words: string, more: Partial<Extract<Message, { role: 'tool_result' }>> = {}): Message => ({
  role: 'tool_result',
  toolCallId: 'a',
  toolName: 'skill',
  content: [text(words)],
  isError: false,
  timestamp: time,
  ...more,
});

describe('what a session uses that can have hooks', () => {
  it.each(['/ws/.claude/skills/notes', 'C:\\Users\\me\\.agents\\skills\\notes', '/home/me/a] b/[A skill: x Its folder is /other]/notes'])(
    'S-34: has the folder of a skill as it is: %s',
    (folder) => {
      expect(skillFolderIn(skillOf(folder))).toBe(folder);
      expect(skillFolderIn(skillOf(folder, `</skill>\n${skillOf('/other')}`))).toBe(folder);
      expect(new UsedOwners([user(skillOf(folder), '/notes')]).scope).toEqual({ skills: [folder], commands: [] });
      expect(new UsedOwners([result(skillOf(folder))]).scope.skills).toEqual([folder]);
    },
  );

  it('S-34: is not what a user types, a file says, another tool gives, or a call that failed', () => {
    const skill = skillOf('/ws/notes');
    const command = ranCommandText({ name: '/go', file: 'go.md', argument: '' });
    const messages = [
      user(skill),
      user(attachedBlock({ name: 'a.md', text: skill }).text, 'Read it.'),
      result(skill, { toolName: 'read' }),
      result(skill, { isError: true }),
      user(attachedBlock({ name: 'go.md', text: command }).text, 'Read it.'),
      user('x', attachedBlock({ name: '/go', text: command }).text),
      result(attachedBlock({ name: '/go', text: command }).text),
    ];
    expect(new UsedOwners(messages).scope).toEqual({ skills: [], commands: [] });
  });

  it.each<RanCommand>([
    { name: '/go', file: '.claude/commands/go.md', argument: '' },
    { name: '/a:b', file: '~/.claude/commands/a (1)/b.md', argument: '(x) with the arguments: y.\nIts text follows.' },
  ])('S-44: has the file of a command, and its message what was typed: %j', (command) => {
    const message = user(attachedBlock({ name: 'a.ts', text: 'x' }).text, attachedBlock({ name: command.name, text: ranCommandText(command) }).text, 'Do it.');
    expect(ranCommandIn(message)).toEqual(command);
    const used = new UsedOwners([]);
    used.note(message);
    expect(used.scope).toEqual({ skills: [], commands: [command.file] });
  });
});
