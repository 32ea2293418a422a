import { describe, expect, it } from 'vitest';
import { helpText } from '../../../src/headless/flag-table.js';
import { type CommandLine, readCommandLine, rulesIn, type RunOptions } from '../../../src/headless/flags.js';

const line = (...args: readonly string[]): CommandLine => readCommandLine(args);
function options(...args: readonly string[]): RunOptions {
  const read = line(...args);
  if (read.kind !== 'run') throw new Error(JSON.stringify(read));
  return read.options;
}
const refusal = (...args: readonly string[]): string => {
  const read = line(...args);
  return read.kind === 'refused' ? read.why : `not refused: ${read.kind}`;
};

describe('a command line', () => {
  it('has its values in either form, and a prompt wherever it stands', () => {
    const wanted = { prompt: 'Do it', output: 'json', model: 'anthropic/x', maxTurns: 3, maxBudgetUsd: 0.5 };
    expect(options('-p', 'Do it', '--output-format', 'json', '--model', 'anthropic/x', '--max-turns', '3', '--max-budget-usd', '0.5')).toMatchObject(wanted);
    expect(options('--output-format=json', '--model=anthropic/x', '--max-turns=3', 'Do it', '--max-budget-usd=0.5')).toMatchObject(wanted);
    expect(options('--output-format=json', '--', '--not-a-flag')).toMatchObject({ prompt: '--not-a-flag' });
  });

  it('knows what is meant by the commands of other programs, which begin a prompt where more words follow', () => {
    expect([line('help'), line('version')]).toEqual([{ kind: 'help' }, { kind: 'version' }]);
    expect(line('help', 'acp')).toEqual({ kind: 'command', name: 'acp', args: ['--help'] });
    for (const word of ['session', 'sesions', 'sessionss', 'sassions', 'Sessions'])
      expect(refusal(word, 'list'), word).toContain('Did you mean gnomon sessions?');
    for (const words of ['sections', 'a', 'mc', 'acl', 'session handling is broken']) expect(options(words).prompt).toBe(words);
    expect([options('help me').prompt, options('help', 'me').prompt, options('-p', 'help').prompt, options('-p', 'session').prompt]).toEqual([
      'help me',
      'help me',
      'help',
      'session',
    ]);
  });

  it('has no prompt where programs give an empty one', () => {
    expect(options('').prompt).toBeUndefined();
    expect(options('--system-prompt', '', '-p').systemPrompt).toBeUndefined();
  });

  it.each([
    ['--max-turns', '0'],
    ['--max-turns', '-1'],
    ['--max-turns', '1.5'],
    ['--max-turns', 'x'],
    ['--max-turns', ''],
    ['--max-turns=Infinity'],
    ['--max-budget-usd', '-1'],
    ['--max-budget-usd', 'NaN'],
    ['--output-format', 'xml'],
    ['--permission-mode', 'nonsense'],
    ['--permission-mode', 'constructor'],
    ['--effort', 'huge'],
    ['--session-storage', 'elsewhere'],
    ['--json-schema', '[]'],
    ['--model'],
    ['--print=yes'],
    ['--model', 'a', '--model', 'b'],
    ['--resume', 'a', '--continue'],
    ['--fork-session'],
    ['--session-id', 'a', '--continue'],
    ['--input-format', 'stream-json'],
    ['--include-partial-messages'],
    ['--permission-prompt-tool', 'stdio'],
    ['--permission-prompt-tool', 'mcp__a__b', '--input-format', 'stream-json', '--output-format', 'stream-json'],
    ['--dangerously-skip-permissions', '--permission-mode', 'plan'],
    ['prompt', '--input-format', 'stream-json', '--output-format', 'stream-json'],
  ])('is refused with a sentence: %s %s', (...args) => {
    expect(refusal(...args)).toMatch(/^[^]*\.$/);
    expect(refusal(...args)).not.toMatch(/^not refused/);
  });

  it.each(['sandbox', 'managed-settings', 'task-budget', 'plugin-dir', 'resume-session-at', 'project-config-root', 'disallow-everything'])(
    'is refused for an option that is not known, which could restrict: --%s',
    (name) => {
      expect(refusal('-p', 'x', `--${name}=1`)).toContain(`--${name}`);
      expect(refusal('-p', 'x', `--${name}`)).toContain('nothing was run');
    },
  );

  it('says which layers are read', () => {
    const layers = (...args: readonly string[]): readonly string[] | undefined => options(...args).configuration.layers;
    expect([layers(), layers('--setting-sources='), layers('--setting-sources', ' ', 'x')]).toEqual([undefined, [], []]);
    expect(layers('--setting-sources=user, local')).toEqual(['user', 'local']);
    for (const list of ['users', 'user,', 'user,managed', 'User', 'flag', '--trust-project'])
      expect(refusal('-p', 'x', '--setting-sources', list)).toContain('It is a list of user, project, local, with commas.');
    expect(refusal('-p', 'x', '--setting-sources')).toContain('needs a value');
    expect(refusal('--setting-sources=user', '--setting-sources=project')).toContain('is there twice');
  });

  it('has files with servers, one behind the other or each with the option, and the prompt behind them', () => {
    const read = (...args: readonly string[]): readonly unknown[] => [options(...args).configuration.servers, options(...args).prompt];
    expect(read('--mcp-config', 'a.json', 'b/c.json', ' {"mcpServers":{}}', 'Fix a.json')).toEqual([
      ['a.json', 'b/c.json', ' {"mcpServers":{}}'],
      'Fix a.json',
    ]);
    expect(read('--mcp-config', 'a.json', '--mcp-config', 'b', '-p', 'c.json')).toEqual([['a.json', 'b'], 'c.json']);
    expect(read('--mcp-config=a.json', 'c.json')).toEqual([['a.json'], 'c.json']);
    expect(read('--mcp-config', 'a.json', '--', 'b.json')).toEqual([['a.json'], 'b.json']);
    expect(options('x', '--strict-mcp-config').configuration).toEqual({ servers: [], onlyTheseServers: true });
    for (const name of ['mcp-config', 'settings']) expect(refusal('-p', 'x', `--${name}`)).toContain('needs a value');
    expect(refusal('--settings=a', '--settings=b')).toContain('is there twice');
  });

  it('says what could have been meant', () => {
    expect(refusal('--allowed_tools', 'Read')).not.toContain('Did you mean');
    expect(refusal('--max-turn', '3')).toContain('Did you mean --max-turns?');
    expect(refusal('--outputFormat', 'json')).toContain('Did you mean --output-format?');
  });

  it('warns of options that have no effect', () => {
    expect(line('-p', 'x', '--fallback-model', 'y', '--debug')).toMatchObject({
      kind: 'run',
      warnings: [expect.stringMatching(/^--fallback-model has no effect in Gnomon: .+\.$/), expect.stringMatching(/^--debug has no effect in Gnomon: .+\.$/)],
    });
  });

  it('takes modes of other products for ours that are no looser', () => {
    expect(options('--permission-mode', 'auto').mode).toEqual({ asked: 'auto', mode: 'default', neverAsks: false });
    expect(options('--permission-mode', 'dontAsk').mode).toEqual({ asked: 'dontAsk', mode: 'default', neverAsks: true });
    expect(options('--permission-mode', 'ask').mode).toEqual({ asked: 'ask', mode: 'ask', neverAsks: false });
  });

  it('has lists of rules with parentheses', () => {
    expect(rulesIn('Bash(git log:*), Edit(a b.txt) Read,')).toEqual(['Bash(git log:*)', 'Edit(a b.txt)', 'Read']);
    expect(options('--allowedTools', 'Bash(npm test:*)', '--allowed-tools', 'Edit').allowed).toEqual(['Bash(npm test:*)', 'Edit']);
    expect(options('--tools', '').tools).toEqual([]);
    expect(options('--tools', 'default').tools).toBeUndefined();
  });

  it('asks for help or the version whatever else it has', () => {
    expect(line('--help', '--max-turns', '3')).toEqual({ kind: 'help' });
    expect(line('-v')).toEqual({ kind: 'version' });
    expect(
      Math.max(
        ...helpText('gnomon')
          .split('\n')
          .map(({ length }) => length),
      ),
    ).toBeLessThanOrEqual(160);
  });
});
