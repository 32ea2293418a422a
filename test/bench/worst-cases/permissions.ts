import { canonicalName } from '../../../src/permission/files/canonical-name.js';
import { restrictsCommand } from '../../../src/permission/rules/command-pattern.js';
import { type Bases, compilePath, fitsPath } from '../../../src/permission/rules/path-pattern.js';
import { createReadGuard } from '../../../src/permission/files/read-guard.js';
import { isRule, parseRule } from '../../../src/permission/rules/rule.js';
import { isWholeSettings } from '../../../src/consent/rules/settings-files.js';
import { createMemoryWorkspace } from '../../support/memory-workspace/index.js';
import {
  brokenSettings,
  HARD_COMMAND,
  HARD_PATH_PATTERNS,
  HARD_PREFIX,
  HARD_RULES,
  MANY_FILES,
  MANY_RULES,
  SETTINGS_PIECES,
} from '../../support/worst-inputs.js';
import { ruleBook } from '../../unit/permission/rig.js';
import { loadAnalyzer, PLACE } from '../../unit/permission/shell/rig.js';
import { HARD_LINES, UNREADABLE_LINES } from '../../unit/permission/shell/worst-lines.js';
import { COMMAND_ROWS } from '../../unit/safety/command-rows.js';
import { type WorstCase, worksWith, workWithAll } from './worst-case.js';

const BASES: Bases = { folders: [['/ws', '/real/ws']], home: ['/home/user'] };
/** The row of the safety table about lines that cannot be read. */
const UNREADABLE_ROW = 'cmd-32';
/** Rules that are compared with a command in one go. */
const RULES = 100;

/** Commands, and rules for commands and files. */
export const PERMISSION_CASES: readonly WorstCase[] = [
  {
    name: 'analyze_hard_command_ms',
    goal: 1_000,
    prepare: async () => {
      const analyzer = await loadAnalyzer();
      const rows = COMMAND_ROWS.filter(([row]) => row === UNREADABLE_ROW).flatMap(([row, , lines]) =>
        lines.map((line, index) => [`${row}, command ${index + 1}`, line] as const),
      );
      return Object.fromEntries([...UNREADABLE_LINES, ...HARD_LINES, ...rows].map(([what, line]) => [what, () => analyzer.analyze(line, PLACE)]));
    },
  },
  {
    name: 'hostile_path_patterns_ms',
    goal: 2_000,
    prepare: () =>
      workWithAll(HARD_PATH_PATTERNS, ({ pattern, fits, misses }) => {
        for (const fold of [(name: string): string => name, canonicalName]) {
          for (const path of [fits, misses]) fitsPath(compilePath(pattern, fold), `/ws/${path}`, BASES);
        }
      }),
  },
  {
    name: 'hostile_rules_ms',
    goal: 1_000,
    prepare: () => ({
      [`${RULES} of each`]: () => {
        for (let count = 0; count < RULES; count += 1) {
          for (const [text] of HARD_RULES) parseRule(text);
          const rule = parseRule(`Bash(${HARD_PREFIX} b:*)`);
          if (!isRule(rule) || rule.about !== 'command' || rule.pattern === undefined) throw new Error('The rule cannot be read.');
          restrictsCommand(rule.pattern, HARD_COMMAND, (name) => name);
        }
      },
    }),
  },
  {
    name: 'guard_1000_files_ms',
    goal: 5_000,
    prepare: () => {
      const { workspace } = createMemoryWorkspace();
      return {
        '50 rules': async () =>
          MANY_FILES.filter(await createReadGuard({ workspace, home: '/home/user', caseInsensitive: false, rules: ruleBook(MANY_RULES) })),
      };
    },
  },
  { name: 'broken_settings_200kb_ms', goal: 2_000, prepare: () => worksWith(SETTINGS_PIECES.map(brokenSettings), isWholeSettings) },
];
