import { parseArgs } from 'node:util';
import { THINKING_EFFORTS, type ThinkingEffort } from '../../src/domain/model/effort.js';
import type { Pricing } from '../../src/domain/model/usage.js';
import { OPENAI_APIS, type OpenAiApi } from '../../src/provider/openai/models/openai-family.js';
import { PRESET_IDS, type PresetId } from '../../src/provider/openai/models/presets.js';
import { easyTasks, hardTasks, tasks } from './tasks/index.js';
import type { EvalTask } from './tasks/task.js';

/** What `--help` prints. */
export const HELP = `npm run eval -- [OPTION …]      measures how well Gnomon works with a model (docs/evaluation.md)

Which model:
  --provider NAME       anthropic, ${PRESET_IDS.join(', ')}.
                        Default: the first one whose key is in the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY, …).
  --model ID            default: the provider's default model, or the first one that a server lists. PROVIDER/ID is understood.
  --base-url ADDRESS    any server with the Chat Completions API, such as http://127.0.0.1:11434/v1
  --key-variable NAME   the environment variable with the key for --base-url; none is sent without this option
  --api chat|responses  the API of that server; default: chat
  --effort NAME         ${THINKING_EFFORTS.join(', ')}; default: medium
  --price IN,OUT[,READ[,WRITE]]  US$ per million tokens of input, output, input read from and written to the cache
  --scripted            a script in place of a model: proves the harness. Also what is done without any key or server.

What is measured:
  --tasks NAME[,NAME …] only these tasks; --easy and --hard: only that half. --list prints their names.
  --runs N              runs of each task; default: 5 (2 with --scripted)
  --jobs N              runs at the same time; default: 1
  --max-cost US$        stops before more than this is spent
  --time-limit MINUTES  of one run, after which it counts as failed; default: 15
  --no-sandbox          commands run outside of the operating system's sandbox
  --prompt FILE         another system prompt; given twice, both are measured and compared. --print-prompt prints Gnomon's own.

What comes of it:
  --out FILE.json       keeps the results, and a report in FILE.md. What is there already is not measured again.
  --compare FILE FILE   compares results of two files, or the two prompts of one; measures nothing
Ctrl+C ends it and reports what was measured so far.`;

/** What the command line asks for. */
export interface Options {
  readonly mode: 'help' | 'list' | 'print prompt' | 'compare' | 'measure';
  /** The files to compare. */
  readonly compared: readonly string[];
  readonly provider: 'anthropic' | PresetId | undefined;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly keyVariable: string | undefined;
  readonly api: OpenAiApi | undefined;
  readonly effort: ThinkingEffort;
  readonly price: Pricing | undefined;
  readonly scripted: boolean;
  readonly tasks: readonly EvalTask[];
  readonly runs: number | undefined;
  readonly jobs: number;
  readonly maxCostUsd: number | undefined;
  readonly timeMs: number;
  readonly sandbox: boolean;
  /** Files with system prompts; none for Gnomon's own. */
  readonly prompts: readonly string[];
  readonly out: string | undefined;
}

const text = { type: 'string' } as const;
const yes = { type: 'boolean' } as const;
const MODEL_OPTIONS = { provider: text, model: text, 'base-url': text, 'key-variable': text, api: text, effort: text, price: text, scripted: yes } as const;
const TASK_OPTIONS = { tasks: text, easy: yes, hard: yes, list: yes, runs: text, jobs: text, 'max-cost': text, 'time-limit': text, 'no-sandbox': yes } as const;
const OTHER_OPTIONS = {
  prompt: { type: 'string', multiple: true },
  'print-prompt': yes,
  out: text,
  compare: yes,
  help: { type: 'boolean', short: 'h' },
} as const;

/**
 * Reads the command line.
 * @throws Error whose message says what is wrong with it.
 */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({ args: [...args], options: { ...MODEL_OPTIONS, ...TASK_OPTIONS, ...OTHER_OPTIONS }, allowPositionals: true });
  const compared = values.compare === true ? positionals : [];
  if (values.compare === true && (positionals.length < 1 || positionals.length > 2)) throw new Error('--compare takes one or two files.');
  if (values.compare !== true && positionals.length > 0) throw new Error(`“${positionals.join(' ')}” is no option. Tasks are named with --tasks.`);
  const prompts = values.prompt ?? [];
  if (prompts.length > 2) throw new Error('--prompt can be given once or twice.');
  if (values.out !== undefined && !values.out.endsWith('.json'))
    throw new Error('The file of --out must end with .json; the report is written beside it, with .md.');
  return {
    mode: modeOf(values),
    compared,
    provider: oneOf('--provider', values.provider, ['anthropic', ...PRESET_IDS]),
    model: values.model,
    baseUrl: addressOf(values['base-url']),
    keyVariable: values['key-variable'],
    api: oneOf('--api', values.api, OPENAI_APIS),
    effort: oneOf('--effort', values.effort, THINKING_EFFORTS) ?? 'medium',
    price: priceOf(values.price),
    scripted: values.scripted === true,
    tasks: wantedTasks(values),
    runs: wholeNumber('--runs', values.runs),
    jobs: wholeNumber('--jobs', values.jobs) ?? 1,
    maxCostUsd: positive('--max-cost', values['max-cost']),
    timeMs: (positive('--time-limit', values['time-limit']) ?? 15) * 60_000,
    sandbox: values['no-sandbox'] !== true,
    prompts,
    out: values.out,
  };
}

function modeOf(values: { readonly help?: boolean; readonly list?: boolean; readonly 'print-prompt'?: boolean; readonly compare?: boolean }): Options['mode'] {
  if (values.help === true) return 'help';
  if (values.list === true) return 'list';
  if (values['print-prompt'] === true) return 'print prompt';
  return values.compare === true ? 'compare' : 'measure';
}

function wantedTasks(values: { readonly tasks?: string; readonly easy?: boolean; readonly hard?: boolean }): readonly EvalTask[] {
  const chosen = [values.tasks !== undefined, values.easy === true, values.hard === true].filter(Boolean).length;
  if (chosen > 1) throw new Error('Only one of --tasks, --easy and --hard can be given.');
  if (values.tasks === undefined) return values.easy === true ? easyTasks : values.hard === true ? hardTasks : tasks;
  const names = values.tasks
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = names.filter((name) => !tasks.some((task) => task.name === name));
  if (unknown.length > 0 || names.length === 0) throw new Error(`There is no task ${unknown.join(', ')}. --list prints the names.`);
  return tasks.filter(({ name }) => names.includes(name));
}

function oneOf<T extends string>(option: string, value: string | undefined, choices: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new Error(`${option} must be one of: ${choices.join(', ')}.`);
  return found;
}

function addressOf(value: string | undefined): string | undefined {
  if (value !== undefined && !(URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)))
    throw new Error('--base-url must begin with http:// or https://.');
  return value;
}

function wholeNumber(option: string, value: string | undefined): number | undefined {
  if (value !== undefined && !/^[1-9]\d{0,3}$/.test(value)) throw new Error(`${option} must be a whole number from 1 to 9999.`);
  return value === undefined ? undefined : Number(value);
}

function positive(option: string, value: string | undefined): number | undefined {
  if (value !== undefined && !(/^\d+(\.\d+)?$/.test(value) && Number(value) > 0)) throw new Error(`${option} must be a number above 0, such as 2.5.`);
  return value === undefined ? undefined : Number(value);
}

function priceOf(value: string | undefined): Pricing | undefined {
  if (value === undefined) return undefined;
  const parts = value.split(',');
  const [input = NaN, output = NaN, cacheRead = input, cacheWrite = input] = parts.map((part) => (/^\d+(\.\d+)?$/.test(part.trim()) ? Number(part) : NaN));
  if (parts.length > 4 || [input, output, cacheRead, cacheWrite].includes(NaN)) throw new Error('--price must be two to four numbers, such as 3,15,0.3,3.75.');
  return { input, output, cacheRead, cacheWrite };
}
