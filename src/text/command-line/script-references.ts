/** Endings of files that programs load as code. */
const CODE = 'sh|bash|zsh|ksh|fish|py|js|mjs|cjs|ts|mts|cts|rb|pl|pm|php|lua|ps1|psm1';
const NAMED = new RegExp(`(?<![\\w-])[\\w./-]*[\\w-]\\.(?:${CODE})(?![\\w-])`, 'g');
/** Imports of Node.js and similar runtimes (nodejs.org/api/modules.html; ECMAScript, import). */
const REQUIRED = /(?:\brequire\s*\(|\bimport\s*\(|\bfrom|\bimport)\s*["'](\.[^"'\n]*)["']/g;
/** Imports of Python (docs.python.org/3/reference/simple_stmts.html, import). */
const IMPORTED = /^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+([\w, \t]+)|import[ \t]+([\w., \t]+))/gm;
/** Files that are looked for, for one script. */
const MAX_PATHS = 60;

/**
 * The paths, relative to its folder, of what a script seems to load or run in turn: files of code that it names, and modules that it imports. It is no
 * more than that: what a script makes up while it runs is not among them.
 */
export function filesLoadedBy(script: string): readonly string[] {
  const named = [...script.matchAll(NAMED)].map(([path]) => path.replace(/^\/+/, ''));
  const endings = ['', '.js', '.ts', '.mjs', '.cjs', '/index.js', '/index.ts'];
  const required = [...script.matchAll(REQUIRED)].flatMap(([, path = '']) => endings.map((ending) => `${path}${ending}`));
  const imported = [...script.matchAll(IMPORTED)].flatMap(([, from, names = '', modules = '']) => modulesOf(from, names, modules));
  return [...new Set([...named, ...required, ...imported])].slice(0, MAX_PATHS);
}

function modulesOf(from: string | undefined, names: string, modules: string): readonly string[] {
  const words = (text: string): readonly string[] =>
    text
      .split(',')
      .map((each) => /^[\w.]+/.exec(each.trim())?.[0] ?? '')
      .filter((each) => each !== '');
  const up = /^\.*/.exec(from ?? '')?.[0].length ?? 0;
  const base = `${'../'.repeat(Math.max(0, up - 1))}${(from ?? '').slice(up).replaceAll('.', '/')}`;
  const folder = base === '' || base.endsWith('/') ? base : `${base}/`;
  const paths = from === undefined ? words(modules).map((each) => each.replaceAll('.', '/')) : [base, ...words(names).map((each) => `${folder}${each}`)];
  return paths.filter((path) => path !== '').flatMap((path) => [`${path}.py`, `${path}/__init__.py`]);
}
