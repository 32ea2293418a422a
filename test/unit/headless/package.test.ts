import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT_PACKAGE, packAgent } from '../../../scripts/agent-package.mjs';
import { npmCli, npmEnvironment } from '../../../scripts/npm.mjs';
import { environmentOf } from '../../support/headless-program.js';
import { lastToolResults, lastUserText, type ModelServer, reply, resultText, startModelServer } from '../../support/model-server/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { inSoak } from '../../support/in-soak.js';

const TYPESCRIPT = resolve('node_modules/typescript-7/bin/tsc');
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };

let place: string;
/** The folder that it is installed in, as a project of a user has it. */
let project: string;
let files: readonly string[];

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'gnomon-package-'));
  const archive = await packAgent(join(place, 'package'), place);
  files = execFileSync('tar', ['-tzf', archive], { encoding: 'utf8' }).trim().split('\n');
  project = join(place, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"type": "module"}');
  const install = ['install', archive, '--offline', '--omit=optional', '--no-audit', '--no-fund'];
  await promisify(execFile)(process.execPath, [npmCli(), ...install], { cwd: project, env: npmEnvironment() });
  // A build for release takes a while on a machine with much else to do.
}, 180_000);
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Runs a program of a user who has it installed, with nothing on its standard input: one that stays open is waited for. */
function inProject(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd = project,
): Promise<{ readonly code: unknown; readonly output: string }> {
  const PATH = [join(project, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  return new Promise((done) => {
    const how = { cwd, env: environmentOf(temporaryFolder(), { ...env, PATH }) };
    const child = execFile(program, args, how, (error, stdout, stderr) => done({ code: error === null ? 0 : error.code, output: stdout + stderr }));
    child.stdin?.end();
  });
}

/** Runs a script beside a server that answers it. Resolves to its exit code. */
const beside = async (script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<unknown> =>
  (await inProject('bash', ['-eo', 'pipefail', '-c', script], env, cwd)).code;

const key = (server: ModelServer): Readonly<Record<string, string>> => ({ ANTHROPIC_API_KEY: 'sk-test-1234567890', ANTHROPIC_BASE_URL: server.url });

/** A block of code of the page about it, or of another one. */
function example(language: string, beginning: string, page = 'docs/headless.md'): string {
  const text = readFileSync(page, 'utf8');
  const block = [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].find(([, of, code]) => of === language && code?.startsWith(beginning));
  return block?.[2] ?? expect.unreachable(`There is no example in ${language} that begins with ${beginning}.`);
}

describe('the package for npm', () => {
  it('is a program that says its version and nothing else, and answers offline', async () => {
    const [said, { code, output }] = await Promise.all([inProject('gnomon', ['--version']), inProject('gnomon', ['-p', 'Hello', '--model', 'demo/demo'])]);
    expect(said).toEqual({ code: 0, output: `${version}\n` });
    expect([code, output]).toEqual([0, expect.stringContaining('I am the offline demo')]);
  });

  inSoak('unit/headless/program.test.ts', 'unit/provider/demo/job.test.ts')('plays its task on the project that is in it', async () => {
    const sample = join(place, 'sample');
    cpSync(join(project, 'node_modules', AGENT_PACKAGE, 'sample'), sample, { recursive: true });
    const rights = ['--permission-mode', 'acceptEdits', '--allowedTools', 'Bash(npm test:*)'];
    const { code, output } = await inProject('gnomon', ['-p', 'Fix the failing test', '--model', 'demo/demo', ...rights], {}, sample);
    expect([code, output]).toEqual([0, expect.stringContaining('1 file changed')]);
    expect(readFileSync(join(sample, 'src/slot.js'), 'utf8')).toContain('a.start < b.end && b.start < a.end');
  });

  inSoak('unit/headless/library/contract.test.ts')('is a library, whose types stand alone', async () => {
    const use = `import { type HookCallback, listSessions, type Options, query, type ResultMessage, type SessionInfo, tool, toolServer } from '${AGENT_PACKAGE}';
      const schema = { '~standard': { version: 1, vendor: 'ours', validate: () => ({ value: { of: 1 } }), jsonSchema: { input: () => ({ type: 'object' }) } } } as const;
      const typed = tool({ name: 'typed', description: 'Has types.', input: schema, run: ({ of }) => of.toFixed(2) });
      const untyped = tool({ name: 'untyped', description: 'Has none.', input: { type: 'object' }, run: ({ of }) => String(of) });
      const prompts: string[] = [];
      const note: HookCallback<'UserPromptSubmit'> = ({ prompt }) => void prompts.push(prompt);
      const options: Options = {
        model: 'demo/demo',
        toolServers: [toolServer({ name: 'ours', tools: [typed, untyped] })],
        hooks: {
          UserPromptSubmit: [{ hooks: [note] }],
          PreToolUse: [{ matcher: 'Bash', hooks: [({ tool_name }) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecisionReason: tool_name } })] }],
        },
      };
      const results: ResultMessage[] = [];
      for await (const message of query({ prompt: 'Hello', options })) if (message.type === 'result') results.push(message);
      const sessions: readonly SessionInfo[] = await listSessions();
      console.log(results.map(({ is_error }) => is_error), prompts, sessions.map(({ title }) => title));
      // @ts-expect-error There is no such event.
      export const misspelt: Options = { hooks: { PreTool: [] } };
      // @ts-expect-error A prompt is not allowed, but at most blocked.
      export const allowing: HookCallback<'UserPromptSubmit'> = () => ({ decision: 'allow' });
      // @ts-expect-error Nothing is known of these arguments.
      tool({ name: 'wrong', description: 'Is wrong.', input: { type: 'object' }, run: ({ of }) => of.toFixed(2) });`;
    writeFileSync(join(project, 'use.ts'), use);
    const types = ['--types', 'node', '--typeRoots', resolve('node_modules/@types')];
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--target', 'es2023', '--module', 'nodenext', '--ignoreConfig', ...types];
    expect(await inProject(process.execPath, [TYPESCRIPT, 'use.ts', ...strict])).toEqual({ code: 0, output: '' });
    expect(await inProject(process.execPath, ['use.js'])).toEqual({ code: 0, output: "[ false ] [ 'Hello' ] [ 'Hello' ]\n" });
  });

  it('says what is missing where npm was told to leave out the program that searches', async () => {
    const results: unknown[] = [];
    const server = await startModelServer({
      script: ({ body }, n) => {
        results.push(...lastToolResults(body));
        return n === 0 ? reply().toolCall('grep', { pattern: 'x' }) : reply().text('Done.');
      },
    });
    try {
      const args = ['-p', 'Search', '--model', 'anthropic/claude-sonnet-5-5'];
      expect(await beside(`gnomon ${args.join(' ')}`, temporaryFolder(), key(server))).toBe(0);
    } finally {
      await server.close();
    }
    expect(JSON.stringify(results)).toContain('is not installed, so nothing can be searched. Install Gnomon again, with its optional packages, or');
  });

  it('reads command lines, so that a rule counts for each of their parts', async () => {
    const results: unknown[] = [];
    const server = await startModelServer({
      script: ({ body }, n) => {
        results.push(...lastToolResults(body));
        return n === 0 ? reply().toolCall('bash', { command: 'echo one && echo two' }) : reply().text('Done.');
      },
    });
    try {
      const args = ['-p', 'Echo', '--model', 'anthropic/claude-sonnet-5-5', '--allowedTools', "'Bash(echo:*)'"];
      expect(await beside(`gnomon ${args.join(' ')}`, temporaryFolder(), key(server))).toBe(0);
    } finally {
      await server.close();
    }
    expect(JSON.stringify(results)).toContain('one\\ntwo');
  });

  it('has what it needs, and nothing of the machine that it was made on', () => {
    const names = files.map((name) => name.replace(/^package\//, ''));
    const allowed =
      /^(?:headless\/[\w.-]+\.js|wasm\/[\w-]+\.(?:cjs|wasm)|types\/.+\.d\.ts|package\.json|README\.md|docs\/[\w-]+\.md|sample\/[\w./-]+|LICENSE|THIRD-PARTY-NOTICES\.txt)$/;
    expect(names.filter((name) => !allowed.test(name))).toEqual([]);
    const installed = join(project, 'node_modules', AGENT_PACKAGE);
    expect(names.filter((name) => readFileSync(join(installed, name)).includes(process.cwd()))).toEqual([]);
    expect(readFileSync(join(installed, 'THIRD-PARTY-NOTICES.txt'), 'utf8')).toMatch(/^zod \S+ \(MIT\)$/m);
  });

  it('has pages that link to nothing that is not in it', () => {
    const installed = join(project, 'node_modules', AGENT_PACKAGE);
    const pages = files.map((name) => name.replace(/^package\//, '')).filter((name) => name.endsWith('.md'));
    const links = pages.flatMap((page) =>
      [...readFileSync(join(installed, page), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)]*))?\)/g)].map(([, to = '', part]) => ({ page, to, part })),
    );
    const anchors = (page: string): readonly string[] =>
      [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
        title
          .toLowerCase()
          .replaceAll(/[^\w\s-]/g, '')
          .replaceAll(' ', '-'),
      );
    const isBroken = ({ page, to, part }: (typeof links)[number]): boolean => {
      const path = to === '' ? join(installed, page) : join(installed, dirname(page), to);
      return !existsSync(path) || (part !== undefined && !anchors(path).includes(part));
    };
    expect(links.filter(isBroken)).toEqual([]);
    expect(links.map(({ to }) => to)).toEqual(expect.arrayContaining(['docs/library.md', '../README.md']));
  });

  it('is not to be installed by a name that belongs to others', () => {
    const texts = execFileSync('git', ['ls-files', '-z', '*.md', '*.json', 'src', 'webview', 'scripts', 'media', ':!test'], { encoding: 'utf8' }).split('\0');
    const byName = /\bnpx (?:--?\w\S* )*(?:gnomon|@gnomon\/)|\bnpm (?:i|install|add|exec) (?:--?\w\S* )*(?:gnomon\b|@gnomon\/)/;
    expect(texts.filter((path) => path !== '' && byName.test(readFileSync(path, 'utf8')))).toEqual([]);
  });
});

describe('what its page shows', () => {
  const withServer = async (answer: string, use: (server: ModelServer) => void | Promise<void>): Promise<void> => {
    const server = await startModelServer({ script: () => reply().text(answer) });
    try {
      await use(server);
    } finally {
      await server.close();
    }
  };
  const repository = (): { readonly folder: string; readonly git: (...args: readonly string[]) => string } => {
    const folder = temporaryFolder();
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
    const git = (...args: readonly string[]): string => execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
    git('init', '--quiet', '--initial-branch=main');
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    git('add', '.');
    git('commit', '--quiet', '--message', 'One');
    return { folder, git };
  };
  const saidFirst = ({ requests }: ModelServer): string =>
    requests
      .slice(0, 1)
      .map(({ body }) => lastUserText(body))
      .join('');

  it('reviews a change in GitHub Actions', async () => {
    const { folder, git } = repository();
    git('update-ref', 'refs/remotes/origin/main', 'main');
    writeFileSync(join(folder, 'a.txt'), 'two words\n');
    git('commit', '--quiet', '--all', '--message', 'Two');
    const [, script = ''] = /run: \|\n([\s\S]*)$/.exec(example('yaml', 'name: Review')) ?? [];
    await withServer('a.txt:1 has two words.', async (server) => {
      expect(await beside(script, folder, { ...key(server), GITHUB_BASE_REF: 'main', GITHUB_STEP_SUMMARY: join(folder, 'summary') })).toBe(0);
      expect(saidFirst(server)).toContain('+two words');
      expect(server.requests[0]?.body.tools?.map(({ name }) => name).sort()).toEqual(['glob', 'grep', 'read']);
    });
    expect(readFileSync(join(folder, 'summary'), 'utf8')).toBe('a.txt:1 has two words.\n');
  });

  it.each([
    ['{"lines": []}', 0],
    ['{"lines": ["a.txt:1 has a password."]}', 1],
  ])('looks at a commit before it is made: %s', async (answer, code) => {
    const { folder, git } = repository();
    const hook = join(folder, '.git', 'hooks', 'pre-commit');
    mkdirSync(join(folder, '.git', 'hooks'), { recursive: true });
    writeFileSync(hook, example('sh', '#!/bin/sh'));
    chmodSync(hook, 0o755);
    writeFileSync(join(folder, 'a.txt'), 'password = hunter2\n');
    git('add', '.');
    await withServer(answer, async (server) => {
      const commit = 'git -c user.name=A -c user.email=a@example.com -c commit.gpgsign=false commit --quiet --message Two';
      expect(await beside(commit, folder, key(server))).toBe(code);
      expect(saidFirst(server)).toContain('+password = hunter2');
      expect(server.requests[0]?.body.tools ?? []).toEqual([]);
    });
  });

  /** Runs an example of the page about the library, with a model that makes a call and repeats its result. @returns what the example prints */
  const asProgram = async (beginning: string, call: readonly [tool: string, args: object], home: string): Promise<string> => {
    const script = ({ body }: Parameters<Parameters<ModelServer['setScript']>[0]>[0]): ReturnType<typeof reply> =>
      lastToolResults(body).length === 0 ? reply().toolCall(...call) : reply().text(lastToolResults(body).map(resultText).join(''));
    const server = await startModelServer({ script });
    const file = join(project, 'example.js');
    writeFileSync(file, example('js', beginning, 'docs/library.md'));
    try {
      return (await promisify(execFile)(process.execPath, [file], { cwd: project, env: environmentOf(home, key(server)) })).stdout;
    } finally {
      await server.close();
    }
  };

  it('has functions as hooks and as tools, and goes on in a copy of a session', async () => {
    const home = temporaryFolder();
    const own = (words: string): string => `import { ${words} } from '${AGENT_PACKAGE}';\n\nconst `;
    expect(await asProgram(`${own('query')}guard`, ['bash', { command: 'git push' }], home)).toContain("tool_name: 'Bash'");
    expect(await asProgram(own('query, tool, toolServer'), ['mcp__tickets__read', { number: 7 }], home)).toContain('The clock is slow.');
    expect(await asProgram(own('forkSession, listSessions, query'), ['glob', { pattern: '*.md' }], home)).toBe('What is ticket 7 about?\n');
  });

  it('serves its tools to a client that is configured so', async () => {
    const { mcpServers } = JSON.parse(example('json', '{\n  "mcpServers"')) as {
      readonly mcpServers: Readonly<Record<string, { command: string; args: string[] }>>;
    };
    const server = mcpServers['gnomon'] ?? expect.unreachable('The example names no server.');
    const [folder, home] = [temporaryFolder(), temporaryFolder()];
    const env = {
      ...getDefaultEnvironment(),
      HOME: home,
      USERPROFILE: home,
      PATH: [join(project, 'node_modules', '.bin'), process.env['PATH']].join(delimiter),
    };
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ ...server, env, cwd: folder }));
    try {
      await client.callTool({ name: 'write', arguments: { file_path: 'made.txt', content: 'made\n' } });
    } finally {
      await client.close();
    }
    expect(readFileSync(join(folder, 'made.txt'), 'utf8')).toBe('made\n');
  });
});
