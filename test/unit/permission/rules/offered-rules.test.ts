import { describe, expect, test } from 'vitest';
import type { SimpleCommand } from '../../../../src/domain/tool/command-analysis.js';
import type { Judgment } from '../../../../src/domain/tool/permission.js';
import { gapOf } from '../../../../src/permission/rules/command-rule.js';
import { KNOWN_COMMANDS } from '../../../../src/permission/rules/known/index.js';
import type { KnownCommand } from '../../../../src/permission/rules/known/known-command.js';
import { ALL_RUNS, everyNth } from '../../../support/runs.js';
import { gateOn, judge, runs } from '../rig.js';
import { loadAnalyzer } from '../shell/rig.js';
import { HOSTILE_ENDS, HOSTILE_LINES, hostileTexts } from './hostile-follow-ups.js';
import { WORK } from './lines-of-work.js';

const analyzer = await loadAnalyzer();

/** A word of each kind that stands for one in the name of a known command. */
const SAMPLES: Readonly<Record<string, string>> = { script: 'build', checkScript: 'lint', target: 'all', python: 'python3' };

function lineOf({ words }: KnownCommand): string {
  return words.replaceAll(/<(\w+)>/g, (_, kind: string) => SAMPLES[kind] ?? 'x');
}

/** The entries without those that differ only in what starts the program. */
const DIFFERENT = [...new Map(KNOWN_COMMANDS.map((known) => [JSON.stringify({ ...known, words: '' }), known])).values()];

function commandOf(line: string): SimpleCommand {
  return { source: line, words: line.split(' '), readsOnly: false, doubts: [] };
}

async function said(line: string, rules: readonly string[]): Promise<Judgment> {
  return judge(gateOn({ analyzer, rules: rules.map((rule) => `allow ${rule}`) }), 'default', runs(line));
}

async function offered(line: string): Promise<readonly string[]> {
  const judgment = await said(line, []);
  return judgment.type === 'ask' ? (judgment.proposal ?? []) : [];
}

describe('what “Always allow” offers', () => {
  test('every entry names where its options are documented, and no other entry', () => {
    expect(KNOWN_COMMANDS.filter(({ source }) => !/^https:\/\/[\w.-]+\//.test(source))).toEqual([]);
    expect(new Set(KNOWN_COMMANDS.map(({ words }) => words)).size).toBe(KNOWN_COMMANDS.length);
    expect(KNOWN_COMMANDS.length).toBeGreaterThan(150);
  });

  test('a prefix is offered for what is known', async () => {
    const lines = DIFFERENT.filter(({ unoffered }) => unoffered !== true).map(lineOf);
    expect(lines.length).toBeGreaterThan(70);
    const rules = await Promise.all(lines.map(offered));
    // Without arguments these two only read, and need no rule.
    expect(lines.filter((line, index) => rules[index]?.join() !== `Bash(${line}:*)`)).toEqual(['git branch', 'git tag']);
  });

  test('no rule lets a hostile argument follow, whatever command it is for', () => {
    const passed: string[] = [];
    let count = 0;
    for (const [at, known] of DIFFERENT.filter(({ unoffered }) => unoffered !== true).entries()) {
      const line = lineOf(known);
      // Each command with every fifth, and each of them with many commands; all of both in the soak.
      for (const end of everyNth(HOSTILE_ENDS, 5, at)) {
        count += 1;
        if (gapOf({ kind: 'prefix', text: line }, commandOf(`${line} ${end}`)) === undefined) passed.push(`${line} ${end}`);
      }
    }
    expect(passed).toEqual([]);
    expect(count).toBeGreaterThan(ALL_RUNS ? 40_000 : 8_000);
  });

  test.each(['npm test', 'npm run build', 'pytest', 'git push', 'git add -A', 'cargo test', 'go test ./...', 'make test', 'npx eslint src', './gradlew test'])(
    'after %j, no hostile text around it or behind it passes the gate',
    async (line) => {
      const gate = gateOn({ analyzer, rules: (await offered(line)).map((rule) => `allow ${rule}`) });
      expect((await judge(gate, 'default', runs(line))).type).toBe('allow');
      for (const next of hostileTexts(line)) expect([next, (await judge(gate, 'default', runs(next))).type]).toEqual([next, 'ask']);
    },
  );

  test.each(HOSTILE_LINES)('after %j, “Always allow” offers nothing that covers what a hostile model would run next', async (line, ...followUps) => {
    const rules = await offered(line);
    for (const next of followUps) expect([next, (await said(next, rules)).type]).toEqual([next, 'ask']);
  });

  test.each(['cp -a evil/. ./', 'cp -R evil/ .', 'cp -r evil/./ sub', 'cp -r a.ts evil/. .', 'cp -r . new', 'cp -r ./ new', 'mv evil/ .', 'mv evil/./ .'])(
    'a rule that users wrote for %j does not cover what is in a folder, whatever its names are',
    async (line) => {
      expect((await said(line, ['Bash(cp:*)', 'Bash(mv:*)'])).type).toBe('ask');
    },
  );

  test('at least 184 hostile follow-ups are tried that were found by hand', () => {
    expect(HOSTILE_LINES.flatMap(([, ...followUps]) => followUps).length).toBeGreaterThanOrEqual(184);
  });

  test('of 60 pairs of an allowed line and the next line of the same work, at least 45 do not ask again', async () => {
    expect(WORK).toHaveLength(60);
    const asks: string[] = [];
    for (const [line, next] of WORK) {
      const rules = await offered(line);
      expect([line, (await said(line, rules)).type]).toEqual([line, 'allow']);
      if ((await said(next, rules)).type !== 'allow') asks.push(`${line} → ${next}`);
    }
    expect(60 - asks.length, asks.join('\n')).toBeGreaterThanOrEqual(45);
  });
});
