import { anyOf } from '../text/any-of.js';
import { readLine } from '../text/command-line/read-line.js';
import type { SimpleCommand } from '../text/command-line/word.js';
import { programOf } from '../text/command-paths.js';

/** Programs that go on until they are stopped, ask something, or change files: by their first words, unless an argument says otherwise. */
interface Lasting {
  readonly words: RegExp;
  readonly unless?: RegExp;
}

/**
 * Source: vitest.dev/guide/cli (`watch`, `dev`, `--ui`); jestjs.io/docs/cli; vite.dev/guide/cli; angular.dev/cli/test (`--watch`);
 * create-react-app.dev/docs/running-tests, “Command Line Interface”; karma-runner.github.io, `singleRun`; docs.cypress.io, `open`; nextjs.org, CLI;
 * webpack.js.org/api/cli, `serve` and `watch`; github.com/remy/nodemon; github.com/watchexec/cargo-watch; learn.microsoft.com, `dotnet watch`;
 * github.com/joeyespo/pytest-watch.
 */
const LASTING: readonly Lasting[] = [
  { words: /^vitest (?:watch|dev)\b/ },
  { words: /^vite(?: (?:dev|serve|preview)\b| -| *$)/ },
  { words: /^ng test\b/, unless: /--watch[= ]false|--no-watch/ },
  { words: /^(?:ng|vue-cli-service|react-scripts|next|nuxt|astro|remix|gatsby|webpack|parcel) (?:serve|start|dev|develop|watch)\b/ },
  { words: /^react-scripts test\b/, unless: /--watchAll[= ]false/ },
  { words: /^karma start\b/, unless: /--single-run|--singleRun/ },
  { words: /^(?:cypress open|playwright test .*--(?:ui|debug)\b|playwright (?:open|codegen|show-report))/ },
  { words: /^(?:nodemon|webpack-dev-server|http-server|live-server|pytest-watch|ptw|watchexec|entr|storybook)\b/ },
  { words: /^(?:cargo|dotnet|tsx|gulp|grunt|turbo|lerna) watch\b/ },
  // Initial content of `npm init` (docs.npmjs.com, npm init).
  { words: /^echo Error: no test specified\b/ },
];

/** Options by which programs of all kinds watch files, wait for the user, or change what they check. */
const OPTION = new RegExp(
  `^(?:${anyOf(
    '-w|--watch(?:All|-all)?(?:=(?!false$|0$|no$).*)?|--watch-path(?:=.*)?|--continuous|--looponfail',
    '--serve(?:=.*)?|--ui|--open|--interactive|--inspect(?:-brk)?(?:=.*)?|--pdb',
    '--fix|--write|--apply|--unsafe-fixes|--update-?[sS]napshots?|-u|--update',
  )})$`,
);
/** Programs in which such a letter means something else: POSIX.1-2017 (`grep -w`, `sort -u`, and others); docs.python.org (`-u`); npm and others (`-w`). */
const OTHER_LETTERS = /^(?:grep|rg|wc|diff|sort|date|env|cp|ln|python[\d.]*|npm|pnpm|yarn|npm-run-all2?)$/;

/** Whether a line goes on until it is stopped, waits for the user, or changes what it should check: then it is no check. */
export function isLasting(line: string): boolean {
  const commands = readLine(line, new Map());
  // A line that cannot be read as a whole is looked at word by word.
  return commands === undefined ? line.split(/[\s;&|"']+/).some((word) => OPTION.test(word)) : commands.some(lasts);
}

function lasts({ words, assignments }: SimpleCommand): boolean {
  const [first, ...args] = withoutWrappers(words.map(({ value, written, known }) => (known ? value : written)));
  if (first === undefined) return false;
  const program = programOf(first);
  const text = [program, ...args].join(' ');
  // create-react-app.dev, “On CI servers”: with this variable, tests run once.
  const isCi = assignments.some(({ name, value }) => name === 'CI' && value.value !== 'false');
  // mochajs.org, `--ui`: how tests are written, and no page.
  const isMocha = [program, ...args].some((word) => /^_?mocha$/.test(programOf(word)));
  const named = LASTING.some((each) => each.words.test(text) && each.unless?.test(text) !== true && !(isCi && program === 'react-scripts'));
  const isOption = (arg: string): boolean => OPTION.test(arg) && !(arg.length === 2 && OTHER_LETTERS.test(program)) && !(isMocha && /^-(?:u|-ui)$/.test(arg));
  return named || args.some((arg, index) => isOption(arg) && !/^(?:false|0)$/.test(args[index + 1] ?? ''));
}

/** Behind programs that start the one behind them, and the variables in front of it: `npx`, `cross-env CI=1`. */
function withoutWrappers(words: readonly string[]): readonly string[] {
  const at = words.findIndex(
    (word) => !/^[A-Za-z_]\w*=/.test(word) && !/^(?:npx|bunx|pnpx|cross-env|dotenv|env|exec|time|--yes|-y|--no-install|--)$/.test(word),
  );
  const rest = at === -1 ? [] : words.slice(at);
  const [program, command] = rest;
  return /^(?:pnpm|yarn|npm|uv|poetry|bundle)$/.test(program ?? '') && /^(?:exec|dlx|x|run)$/.test(command ?? '') && rest.length > 2 ? rest.slice(2) : rest;
}
