import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { escapeHidden, hiddenCharacters } from '../../../../src/domain/hidden-characters.js';
import { protectedReason } from '../../../../src/permission/files/sensitive-paths.js';
import { edits, gateOn, judge, runs, short } from '../rig.js';
import { anyCharacter } from '../../../support/any-character.js';

const FIXED = [
  // conf-05, conf-06: can run code
  '.vscode/tasks.json',
  '.vscode/launch.json',
  '.vscode/settings.json',
  'packages/a/.vscode/settings.json',
  'my.code-workspace',
  '.devcontainer/devcontainer.json',
  '.devcontainer.json',
  '.envrc',
  '.npmrc',
  'packages/a/.npmrc',
  'package.json',
  '.husky/pre-commit',
  '.git/config',
  '.git/hooks/post-checkout',
  '.git',
  'sub/.git',
  '.gitmodules',
  'venv/bin/python',
  '.venv/Scripts/activate.ps1',
  '.github/workflows/ci.yml',
  '.gitlab-ci.yml',
  'node_modules/.bin/tsc',
  '.mcp.json',
  '.gnomon/rules.json',
  // start-up files
  '.bashrc',
  '.bash_profile',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.config/fish/config.fish',
  'Microsoft.PowerShell_profile.ps1',
  // conf-07: steers agents
  'CLAUDE.md',
  'docs/CLAUDE.md',
  'AGENTS.md',
  'AGENTS.local.md',
  '.cursor/rules/a.mdc',
  '.clinerules',
  '.clinerules/a.md',
  '.github/instructions/a.instructions.md',
  '.claude/settings.json',
  '.gemini/settings.json',
  '.codex/config.toml',
  '.github/copilot-instructions.md',
  // path-09: case
  '.VSCODE/settings.json',
  '.Git/hooks/x',
  '.MCP.JSON',
  'claude.MD',
  // path-10: spellings of Windows
  '.vscode/settings.json::$DATA',
  '.mcp.json:stream',
  '.vscode./settings.json',
  '.vscode /settings.json',
  '.mcp.json. .',
  '.vscode\\settings.json',
  '.git\\hooks\\x',
  // path-11: Unicode
  '.g\u200cit/config',
  '.git\ufeff/config',
  '\uff0evscode/settings.json',
  '.\uff47it/config',
  '.\u{1d420}it/config',
  'CLAUDE\u200b.md',
];

const ORDINARY = [
  'src/a.ts',
  'README.md',
  '.gitignore',
  '.github/ISSUE_TEMPLATE.md',
  'vscode/settings.json',
  'git/config',
  '.github/dependabot.yml',
  'docs/agents.md.txt',
  'src/package.json.ts',
  'bin/tool',
  'src/.hidden/file',
  'a.b.c',
  'x:y',
  'my.code-workspace-notes',
];

describe('protected paths', () => {
  test.each(FIXED)('conf-05 conf-06 conf-07 path-09 path-10 path-11: %j asks in accept-edits and offers no grant', async (path) => {
    expect(protectedReason(path)).toBeTypeOf('string');
    expect(short(await judge(gateOn(), 'acceptEdits', edits(`/ws/${path}`)))).toBe('ask');
    expect(short(await judge(gateOn(), 'default', edits(`/ws/${path}`)))).toBe('ask');
  });

  test.each(ORDINARY)('%j does not (no over-blocking)', async (path) => {
    expect(protectedReason(path)).toBeUndefined();
    expect(short(await judge(gateOn(), 'acceptEdits', edits(`/ws/${path}`)))).toBe('allow');
  });

  test.each(['GIT~1/hooks/x', 'src/SETTIN~1.JSO'])('path-10: the short name in %j asks', async (path) => {
    expect(short(await judge(gateOn(), 'acceptEdits', edits(`/ws/${path}`)))).toBe('ask');
  });

  test('path-09 path-10 path-11: no mix of spellings of a protected name passes', () => {
    const letter = (character: string) =>
      fc.constantFrom(character, character.toUpperCase(), `${character}\u200d`, String.fromCodePoint((character.codePointAt(0) ?? 0) + 0xfee0));
    const name = (plain: string) => fc.tuple(...Array.from(plain, letter)).map((letters) => letters.join(''));
    const tail = fc.constantFrom('', '.', ' ', ' .', '::$DATA', ':x');
    fc.assert(
      fc.property(name('.git'), tail, fc.constantFrom('/', '\\'), (folder, end, separator) => {
        expect(protectedReason(`a${separator}${folder}${end}${separator}config`)).toBeTypeOf('string');
      }),
    );
  });

  test('any path at all has an answer', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (path) => ['string', 'undefined'].includes(typeof protectedReason(path))));
  });
});

describe('hidden characters', () => {
  test.each([
    '\u202e',
    '\u2066',
    '\u200b',
    '\u{e0041}',
    '\u{e0100}',
    '\u{1d173}',
    '\u{1bca0}',
    '\u00a0',
    '\u3000',
    '\u2028',
    '\r',
    '\u001b',
    '\u0007',
    '\u009b',
    '\ud800',
    '\u2800',
    '\u3164',
  ])('cmd-36 cmd-37: %j is named, asked about and never granted', async (character) => {
    const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    expect(hiddenCharacters(`ls ${character} x`)).toContain(`U+${hex}`);
    expect(escapeHidden(`ls${character}x`)).toBe(`ls\\u{${hex.toLowerCase()}}x`.replace(/\{0+(?=[^}])/, '{'));
    expect(short(await judge(gateOn(), 'default', runs(`ls ${character}`)))).toBe('ask');
    expect(short(await judge(gateOn(), 'acceptEdits', edits(`/ws/a${character}b`)))).toBe('ask');
  });

  test.each(['npm test', 'echo "a; b && c"', 'cat <<X\n\ta\nX', 'echo grüße 日本語 🙂', 'ls -la | head'])('%j holds none', (text) => {
    expect(hiddenCharacters(text)).toBeUndefined();
    expect(escapeHidden('a\nb')).toBe('a\\u{a}b');
  });

  test('many are counted, not listed', () => {
    const all = Array.from({ length: 12 }, (_, index) => String.fromCodePoint(0xe0041 + index)).join('');
    expect(hiddenCharacters(all)).toMatch(/ and 7 more$/);
  });
});
