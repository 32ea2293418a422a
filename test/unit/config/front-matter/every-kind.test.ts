import { describe, expect, it } from 'vitest';
import { readOutputStyle } from '../../../../src/config/output-styles/read-output-style.js';
import { readSkill } from '../../../../src/config/skills/read-skill.js';
import { type Format, readRule } from '../../../../src/node/instructions/read-rule.js';
import { read as readAgent } from '../agents/rig.js';
import { read as readCommand } from '../commands/rig.js';

/** What a reader of a kind of file makes of one. */
interface Made {
  /** Its description, or its patterns; `undefined` where it has none. */
  readonly value: string | undefined;
  readonly body: string;
  /** Whether the user is told of a mistake. */
  readonly isTold: boolean;
}

/** A kind of file. */
interface Kind {
  /** The field whose value is looked for, and what it has to be. */
  readonly field: string;
  readonly value: string;
  /** Other fields that it needs. */
  readonly needs: readonly string[];
  /** Whether a file with fields that cannot be read is used all the same: nothing in it limits anything. */
  readonly isLenient?: boolean;
  readonly read: (text: string) => Made;
}

const PATH = '/ws/.claude/skills/a/SKILL.md';
const origin = { layer: 'project', file: PATH, display: PATH, folder: '/ws' } as const;

function rule(field: string, format: Exclude<Format, 'plain'>): Kind {
  const value = field === 'description' ? 'd' : 'src/**';
  const read = (text: string): Made => {
    const { delivery, body, problems } = readRule(text, format);
    const found = delivery.when === 'files' ? delivery.patterns.join(' ') : delivery.when === 'asked' ? delivery.description : '';
    return { value: found === '' ? undefined : found, body: body.trim(), isTold: problems.length > 0 };
  };
  return { field, value, needs: [], isLenient: true, read };
}

const KINDS: Readonly<Record<string, Kind>> = {
  agent: {
    field: 'description',
    value: 'd',
    needs: ['name: a'],
    read: (text) => {
      const {
        agents: [agent],
        problems,
      } = readAgent(text);
      return { value: agent?.description, body: agent?.systemPrompt ?? '', isTold: problems.some(({ harmless }) => harmless !== true) };
    },
  },
  command: {
    field: 'description',
    value: 'd',
    needs: [],
    read: (text) => {
      const { command, problems } = readCommand(text);
      // Without a description, the beginning of the text is shown.
      const value = command?.description === 'Do it.' ? undefined : command?.description;
      return { value, body: command?.body.trim() ?? '', isTold: problems.some(({ harmless }) => harmless !== true) };
    },
  },
  skill: {
    field: 'description',
    value: 'd',
    needs: ['name: a'],
    read: (text) => {
      const { skill, problems } = readSkill(text, { origin, folder: '/ws/.claude/skills/a' });
      return { value: skill?.description, body: skill === undefined ? '' : 'Do it.', isTold: problems.some(({ harmless }) => harmless !== true) };
    },
  },
  'output style': {
    field: 'description',
    value: 'd',
    needs: ['name: a'],
    read: (text) => {
      const { style, problems } = readOutputStyle(text, { origin });
      const value = style?.description === '' ? undefined : style?.description;
      return { value, body: style?.body.trim() ?? '', isTold: problems.some(({ harmless }) => harmless !== true) };
    },
  },
  'rule of Cursor that is asked for': rule('description', 'cursor'),
  'rule of Cursor': rule('globs', 'cursor'),
  'rule of Copilot': rule('applyTo', 'copilot'),
  'rule of Cline': rule('paths', 'cline'),
  'rule of Claude Code': rule('paths', 'claude'),
};

/** Front matter with one field beside those that the kind needs, as it is in files that people have. */
const READ: Readonly<Record<string, (field: string, kind: Kind) => string>> = {
  'as it is meant': (field, kind) => file([...kind.needs, field]),
  'a byte order mark': (field, kind) => `\uFEFF${file([...kind.needs, field])}`,
  'line endings of Windows': (field, kind) => file([...kind.needs, field]).replaceAll('\n', '\r\n'),
  'line endings of old Macs': (field, kind) => file([...kind.needs, field]).replaceAll('\n', '\r'),
  'both, and a mark': (field, kind) => `\uFEFF${file([...kind.needs, field]).replaceAll('\n', '\r\n')}`,
  'spaces behind the first line': (field, kind) => file([...kind.needs, field], '---  \n', '---\n'),
  'spaces and a tab behind the last line': (field, kind) => file([...kind.needs, field], '---\n', '--- \t\n'),
  'dots at the end': (field, kind) => file([...kind.needs, field], '---\n', '...\n'),
  'empty lines': (field, kind) => file(['', ...kind.needs, '', field, '']),
  comments: (field, kind) => file(['# x', ...kind.needs, `${field} # y`]),
  'a tab behind the colon': (field, kind) => file([...kind.needs, field.replace(': ', ':\t')]),
  'spaces behind the value': (field, kind) => file([...kind.needs, `${field}  `]),
  'quotation marks': (field, kind) => file([...kind.needs, field.replace(/: (.*)/, ': "$1"')]),
  'single quotation marks': (field, kind) => file([...kind.needs, field.replace(/: (.*)/, ": '$1'")]),
  'a value below its name': (field, kind) => file([...kind.needs, field.replace(': ', ':\n  ')]),
  'a field of nobody with a colon in it': (field, kind) => file([...kind.needs, 'summary: a: b', field]),
  'a pattern that is no YAML beside it': (field, kind) => file([...kind.needs, 'glob: *.ts', field]),
  'the field twice': (field, kind) => file([...kind.needs, field, field.replace(/: .*/, ': other')]),
  'the text of a rule': (field, kind) => `${file([...kind.needs, field])}\n---\n`,
};

function file(lines: readonly string[], start = '---\n', end = '---\n'): string {
  return `${start}${lines.map((line) => `${line}\n`).join('')}${end}Do it.\n`;
}

/** Front matter of which something cannot be read. */
const UNREAD: Readonly<Record<string, (field: string, kind: Kind) => string>> = {
  'no colon': (field, kind) => file([...kind.needs, field, 'words']),
  'a list without an end': (field, kind) => file([...kind.needs, field, 'zzz: [a']),
  'a tab as indentation': (field, kind) => file([...kind.needs, field, 'zzz:', '\ta: b']),
  'an anchor': (field, kind) => file([...kind.needs, field, 'zzz: &a [b]']),
  'another field twice': (field, kind) => file([...kind.needs, field, 'zzz: 1', 'zzz: 2']),
};

describe.each(Object.entries(KINDS))('front matter of a kind of file: %s', (_name, kind) => {
  const field = `${kind.field}: ${kind.value}`;

  it.each(Object.entries(READ))('with %s', (_form, textOf) => {
    const { value, body } = kind.read(textOf(field, kind));
    expect([value, body.split('\n')[0]]).toEqual([kind.value, 'Do it.']);
  });

  it.each(['a: b', 'Use it: now: again', 'ends with:', '<a>: b'].filter(() => kind.field === 'description'))('with the text %j', (text) => {
    expect(kind.read(file([...kind.needs, `description: ${text}`])).value).toBe(text);
  });

  it.each(['*.ts', '**/*.{js,ts}', '**', '@x/**', '!a/**'].filter(() => kind.field !== 'description'))('with the pattern %j, in every form', (pattern) => {
    const [plain] = [kind.read(file([`${kind.field}: "${pattern}"`]))];
    const { field: name } = kind;
    const forms = [
      `${name}: ${pattern}`,
      `${name}: '${pattern}'`,
      `${name}: [${pattern}]`,
      `${name}:\n  - ${pattern}`,
      `${name}:\n- ${pattern}`,
      `${name}:\n\t- ${pattern}`,
    ];
    for (const form of pattern.startsWith('!') ? forms.slice(1) : forms) expect(kind.read(file([form])), form).toEqual(plain);
  });

  it.each(Object.entries(UNREAD))('with %s is told, and is used only where nothing limits', (_form, textOf) => {
    const used = kind.isLenient === true ? { value: kind.value, body: 'Do it.' } : { value: undefined, body: '' };
    expect(kind.read(textOf(field, kind))).toEqual({ ...used, isTold: true });
  });

  it('that is empty has no fields', () => {
    const comment = '---\n# x\n---\nDo it.\n';
    for (const text of ['---\n---\nDo it.\n', '---\n\n---\nDo it.\n', comment, '---\r\n---\r\nDo it.\r\n']) {
      const { value, body, isTold } = kind.read(text);
      expect(value).toBeUndefined();
      // What may be a heading between two lines across the page stays in instructions.
      const whole = kind.isLenient === true && text === comment ? comment.trim() : 'Do it.';
      if (kind.needs.length === 0) expect([body, isTold]).toEqual([whole, false]);
    }
  });

  it('without an end is told', () => {
    const text = file([...kind.needs, field], '---\n', '');
    const { value, body, isTold } = kind.read(text);
    expect([value, body, isTold]).toEqual([undefined, kind.isLenient === true ? text.trim() : '', true]);
  });
});
