import type { StreamParser } from '@codemirror/streamparser';

type Mode = StreamParser<unknown>;
type Loader = () => Promise<Mode>;

/** Each mode is a bundle of its own, loaded when its language is first seen. */
const clike =
  (name: 'c' | 'cpp' | 'csharp' | 'dart' | 'java' | 'kotlin' | 'objectiveC' | 'scala'): Loader =>
  async () =>
    (await import('@codemirror/legacy-modes/mode/clike'))[name];
const script =
  (name: 'javascript' | 'json' | 'typescript'): Loader =>
  async () =>
    (await import('@codemirror/legacy-modes/mode/javascript'))[name];
const style =
  (name: 'css' | 'less' | 'sCSS'): Loader =>
  async () =>
    (await import('@codemirror/legacy-modes/mode/css'))[name];
const markup =
  (name: 'html' | 'xml'): Loader =>
  async () =>
    (await import('@codemirror/legacy-modes/mode/xml'))[name];

/** The modes by the names that answers use for their languages. */
const LOADERS: ReadonlyMap<string, Loader> = new Map([
  ...named(script('javascript'), 'javascript', 'js', 'jsx', 'mjs', 'cjs', 'node'),
  ...named(script('typescript'), 'typescript', 'ts', 'tsx', 'mts', 'cts', 'svelte', 'vue'),
  ...named(script('json'), 'json', 'jsonc', 'json5', 'jsonl'),
  ...named(clike('c'), 'c', 'h'),
  ...named(clike('cpp'), 'cpp', 'c++', 'cc', 'cxx', 'hpp', 'cuda', 'ino'),
  ...named(clike('csharp'), 'csharp', 'cs', 'c#'),
  ...named(clike('dart'), 'dart'),
  ...named(clike('java'), 'java'),
  ...named(clike('kotlin'), 'kotlin', 'kt', 'kts'),
  ...named(clike('objectiveC'), 'objective-c', 'objectivec', 'objc'),
  ...named(clike('scala'), 'scala'),
  ...named(style('css'), 'css'),
  ...named(style('less'), 'less'),
  ...named(style('sCSS'), 'scss', 'sass'),
  ...named(markup('html'), 'html', 'htm'),
  ...named(markup('xml'), 'xml', 'svg', 'xaml', 'plist', 'rss'),
  ...named(async () => (await import('@codemirror/legacy-modes/mode/cmake')).cmake, 'cmake'),
  ...named(async () => (await import('@codemirror/legacy-modes/mode/diff')).diff, 'diff', 'patch'),
  ...named(async () => (await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile, 'dockerfile', 'docker', 'containerfile'),
  ...named(async () => (await import('@codemirror/legacy-modes/mode/go')).go, 'go', 'golang'),
  ...named(async () => (await import('@codemirror/legacy-modes/mode/groovy')).groovy, 'groovy', 'gradle'),
  ...named(async () => (await import('@codemirror/legacy-modes/mode/haskell')).haskell, 'haskell', 'hs'),
  ...named(async () => (await import('@codemirror/legacy-modes/mode/lua')).lua, 'lua'),
  ...named(async () => (await import('@codemirror/legacy-modes/mode/perl')).perl, 'perl', 'pl'),
  ...named(async () => (await import('@codemirror/legacy-modes/mode/powershell')).powerShell, 'powershell', 'ps1', 'pwsh'),
  ...named(async () => (await import('@codemirror/legacy-modes/mode/properties')).properties, 'properties', 'ini', 'env', 'dotenv', 'editorconfig'),
  ...named(async () => (await import('@codemirror/legacy-modes/mode/protobuf')).protobuf, 'protobuf', 'proto'),
  ...named(async () => (await import('@codemirror/legacy-modes/mode/python')).python, 'python', 'py', 'python3'),
  ...named(async () => (await import('@codemirror/legacy-modes/mode/r')).r, 'r'),
  ...named(async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby, 'ruby', 'rb'),
  ...named(async () => (await import('@codemirror/legacy-modes/mode/rust')).rust, 'rust', 'rs'),
  ...named(async () => (await import('@codemirror/legacy-modes/mode/shell')).shell, 'shell', 'sh', 'bash', 'zsh', 'shellscript', 'console'),
  ...named(async () => (await import('@codemirror/legacy-modes/mode/sql')).standardSQL, 'sql', 'mysql', 'postgresql', 'pgsql', 'sqlite', 'plsql'),
  ...named(async () => (await import('@codemirror/legacy-modes/mode/swift')).swift, 'swift'),
  ...named(async () => (await import('@codemirror/legacy-modes/mode/toml')).toml, 'toml'),
  ...named(async () => (await import('@codemirror/legacy-modes/mode/yaml')).yaml, 'yaml', 'yml'),
]);

const loading = new Map<Loader, Promise<Mode>>();

/** Whether code in a language can be colored. */
export function isKnownLanguage(name: string): boolean {
  return LOADERS.has(name.toLowerCase());
}

/** The mode of a language; `undefined` for one that is not known. Rejects when its bundle cannot be loaded. */
export async function loadLanguage(name: string): Promise<Mode | undefined> {
  const loader = LOADERS.get(name.toLowerCase());
  if (loader === undefined) return undefined;
  const known = loading.get(loader) ?? loader();
  loading.set(loader, known);
  try {
    return await known;
  } catch (error) {
    // The next block of the language tries again.
    loading.delete(loader);
    throw error;
  }
}

function named(loader: Loader, ...names: readonly string[]): readonly (readonly [string, Loader])[] {
  return names.map((name) => [name, loader] as const);
}
