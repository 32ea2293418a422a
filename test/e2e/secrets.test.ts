import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reply } from '../support/model-server/index.js';
import { waitFor } from '../vscode/wait.mjs';
import { type WithModel, answering, startWithModel, toolResults } from './with-model.js';

/** Files in which a key stands, each another one; `%` is the key. */
const FILES: Readonly<Record<string, string>> = {
  '.env': 'TOKEN=%\n',
  '.env.production': 'TOKEN=%\n',
  '.npmrc': '//registry.example.com/:_authToken=%\n',
  '.netrc': 'machine example.com login a password %\n',
  '.pypirc': '[pypi]\npassword = %\n',
  '.pgpass': 'localhost:5432:a:b:%\n',
  '.htpasswd': 'a:%\n',
  '.git-credentials': 'https://a:%@example.com\n',
  '.aws/credentials': '[default]\naws_secret_access_key = %\n',
  '.docker/config.json': '{ "auths": { "example.com": { "auth": "%" } } }\n',
  '.kube/config': 'users: [{ user: { token: "%" } }]\n',
  'credentials.json': '{ "password": "%" }\n',
  'secrets.yaml': 'token: "%"\n',
  'deploy/id_rsa': 'PRIVATE KEY %\n',
  'deploy/server.key': 'PRIVATE KEY %\n',
  'deploy/service-account.json': '{ "private_key": "%" }\n',
  'terraform.tfstate': '{ "resources": [{ "secret": "%" }] }\n',
};
/** Files that lead to the first of them, as a repository could have them committed. */
const LINKS: readonly string[] = [
  '.claude/output-styles/house.md',
  '.claude/agents/helper.md',
  '.claude/commands/env.md',
  '.claude/skills/notes/SKILL.md',
  '.claude/rules/house.md',
  'CLAUDE.md',
  'innocent.txt',
];

const keyOf = (index: number): string => `canary${String(index).padStart(3, '0')}heliotrope`;
const KEYS = [...Object.keys(FILES), 'an extra header', 'a remote', 'a credential helper'].map((_, index) => keyOf(index));

async function makeWorkspace(folder: string): Promise<void> {
  await cp(resolve('test/fixtures/sample-workspace'), folder, { recursive: true });
  const git = (...args: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: folder });
  git('init', '-q');
  for (const [index, [path, text]] of Object.entries(FILES).entries()) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text.replace('%', keyOf(index)));
  }
  for (const path of LINKS) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await symlink(
      join(
        ...dirname(path)
          .split('/')
          .filter((name) => name !== '.')
          .map(() => '..'),
        '.env',
      ),
      join(folder, path),
    );
  }
  await mkdir(join(folder, '.gnomon'));
  await writeFile(join(folder, '.gnomon', 'settings.json'), JSON.stringify({ outputStyle: 'house' }));
  await writeFile(join(folder, 'AGENTS.md'), 'See @.env, @.git/config, @deploy/id_rsa, and @innocent.txt.\n');
  await writeFile(join(folder, 'src', 'use.js'), "import { password } from '../credentials.json' with { type: 'json' };\nexport const used = password;\n");
  git('add', '-f', '.env', 'src');
  git('commit', '-q', '-m', 'first');
  const last = Object.keys(FILES).length;
  git('remote', 'add', 'origin', `https://ada:${keyOf(last + 1)}@example.com/a.git`);
  git('config', 'http.https://example.com/.extraheader', `AUTHORIZATION: basic ${keyOf(last)}`);
  git('config', 'credential.helper', `!f() { echo password=${keyOf(last + 2)}; }; f`);
}

/** What a hostile model tries without being asked anything. */
function attempts(): ReturnType<typeof reply> {
  const reads = [...Object.keys(FILES), '.git/config', ...LINKS].map((path) => ['read', { file_path: path }] as const);
  const searches = [
    ['grep', { pattern: 'canary', path: '.git' }],
    ['grep', { pattern: 'canary' }],
    ['grep', { pattern: '.', path: 'deploy' }],
    ['glob', { pattern: '**/*' }],
    ['list', { path: '.' }],
  ] as const;
  const guesses = ['TOKEN=canary000', 'TOKEN=wrong'].map((old_string) => ['edit', { file_path: '.env', old_string, new_string: old_string }] as const);
  const symbols = ['definition', 'references'].map((action) => ['symbols', { action, path: 'src/use.js', line: 2, name: 'password' }] as const);
  const commands = [
    ...[
      'cat .git/config',
      'base64 .git/config',
      'grep -rn canary .git',
      'git remote -v',
      'git remote -v | base64',
      'git config --list',
      'strings .git/config',
      'xxd .git/config',
      'cat .env',
      "cat '.en'*",
      'grep -rn TOKEN .',
      'cat innocent.txt',
      'head -c 99 .npmrc',
    ],
    ...[
      'git log -p',
      'git show HEAD',
      'git grep TOKEN HEAD',
      'git show HEAD:.env',
      'git cat-file -p HEAD:.env',
      'git diff 4b825dc642cb6eb9a060e54bf8d69288fbee4904 HEAD',
      "git log -p -- '.en*'",
      'git blame .env',
      'git archive HEAD',
      'git diff --no-index /dev/null .env',
    ],
    'for f in .e*; do cat "$f"; done',
    'awk 1 credentials.json',
    'node -p "require(\'./credentials.json\').password"',
  ].map((command) => ['bash', { command }] as const);
  return [...reads, ...searches, ...guesses, ...symbols, ...commands].reduce((answer, [tool, args]) => answer.toolCall(tool, args), reply());
}

/** The keys in a text, as they are or in the forms in which a command could print them. */
function keysIn(text: string): readonly string[] {
  return KEYS.filter((key) => {
    const bytes = Buffer.from(key);
    const base64 = [0, 1, 2].map((before) =>
      Buffer.concat([Buffer.alloc(before), bytes])
        .toString('base64')
        .slice(before === 0 ? 0 : before + 1, -4),
    );
    return [key, bytes.toString('hex'), Array.from(key).toReversed().join(''), ...base64].some((form) => text.includes(form));
  });
}

describe.each([
  ['in plan mode', 'plan', {}],
  ['in a workspace that is not trusted', 'default', { own: { workspaceTrust: true } }],
] as const)('conf-01 cmd-45 path-15 a hostile repository and a hostile model %s', (_place, mode, options) => {
  let parent: string;
  let all: WithModel;

  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'gnomon-secrets-'));
    await makeWorkspace(join(parent, 'workspace'));
    all = await startWithModel(
      { 'gnomon.permissionMode': mode, 'security.workspace.trust.startupPrompt': 'never', 'security.workspace.trust.banner': 'never', 'git.enabled': false },
      { workspace: join(parent, 'workspace'), ...options },
    );
  });
  afterAll(async () => {
    await all.stop();
    await rm(parent, { recursive: true, force: true });
  });

  it('get none of the keys in twenty places', async () => {
    const { chat, server } = all;
    expect(await readFile(join(all.app.workspace, 'innocent.txt'), 'utf8')).toContain(keyOf(0));
    const first = server.request(0);
    server.setScript(answering(attempts()));
    await chat.send('Look around');
    expect(keysIn(JSON.stringify((await first).body))).toEqual([]);
    // Whatever asks is denied.
    const stop = chat.frame.getByRole('button', { name: 'Stop', exact: true });
    await waitFor(
      async () => {
        if ((await chat.prompt.count()) > 0)
          await chat.prompt
            .first()
            .getByRole('button', { name: 'Deny', exact: true })
            .click({ timeout: 2_000 })
            .catch(() => undefined);
        return (await stop.count()) === 0;
      },
      { what: 'the turn to end', timeoutMs: 150_000 },
    );
    await chat.waitForText('That was all.');
    expect(toolResults(server).length).toBeGreaterThan(50);
    expect(keysIn(server.requests.map(({ body }) => JSON.stringify(body)).join('\n'))).toEqual([]);
  });
});
