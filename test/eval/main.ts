import { parseArgs } from 'node:util';
import type { ModelInfo, Provider } from '../../src/domain/model/provider.js';
import { anthropicModelInfo, DEFAULT_MODEL } from '../../src/provider/anthropic/models.js';
import { createAnthropicProvider } from '../../src/provider/anthropic/provider.js';
import { recordingProvider, replayProvider, writtenProvider } from './providers.js';
import { type RecordedAnswer, loadRecording, saveRecording } from './recording.js';
import { report } from './report.js';
import { type EvalResult, type ModelMaker, runTask } from './run-task.js';
import type { EvalTask } from './task.js';
import { tasks } from './tasks/index.js';

const USAGE = `npm run eval -- [--replay | --write | --record] [--model ID] [TASK …]
  (nothing)  asks a real model; needs ANTHROPIC_API_KEY. Its commands run on this machine, in temporary folders.
  --record   the same, and keeps its answers in test/eval/recordings
  --replay   answers come from the recordings, without network or key
  --write    makes the recordings from the answers that are written in the tasks
  --model    an Anthropic model, ${DEFAULT_MODEL} unless given`;

/** What recorded answers are counted and billed as. */
const RECORDED_MODEL: ModelInfo = { ...anthropicModelInfo(DEFAULT_MODEL), provider: 'recorded', efforts: [] };

/** Runs the tasks and prints what came of each. Returns the exit code: 0 when all are solved. */
export async function main(args: readonly string[]): Promise<number> {
  const options = { replay: { type: 'boolean' }, write: { type: 'boolean' }, record: { type: 'boolean' }, model: { type: 'string' }, help: { type: 'boolean' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const wanted = tasks.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const needsKey = values.replay !== true && values.write !== true;
  if (values.help === true || wanted.length === 0 || (needsKey && process.env['ANTHROPIC_API_KEY'] === undefined)) {
    console.error(USAGE);
    return 2;
  }
  const results: EvalResult[] = [];
  for (const task of wanted) results.push(await runOne(task, values));
  console.log(report(results));
  return results.every(({ problem }) => problem === undefined) ? 0 : 1;
}

interface Choice {
  readonly replay?: boolean | undefined;
  readonly write?: boolean | undefined;
  readonly record?: boolean | undefined;
  readonly model?: string | undefined;
}

async function runOne(task: EvalTask, choice: Choice): Promise<EvalResult> {
  if (choice.replay === true) return replayTask(task);
  const answers: RecordedAnswer[] = [];
  const source = choice.write === true ? { provider: writtenProvider(task), model: RECORDED_MODEL } : realModel(choice.model);
  const make: ModelMaker = (folder) => ({ model: source.model, provider: recordingProvider(source.provider, folder, (answer) => answers.push(answer)) });
  const result = await runTask(task, make);
  const kept = choice.write === true ? 'written' : choice.record === true ? `${source.model.provider}/${source.model.id}` : undefined;
  if (kept !== undefined && result.problem === undefined) await saveRecording(task.name, { model: kept, answers });
  return result;
}

/** Runs a task on its recording. */
export async function replayTask(task: EvalTask): Promise<EvalResult> {
  const recording = await loadRecording(task.name);
  return runTask(task, (folder) => ({ model: RECORDED_MODEL, provider: replayProvider(recording, folder) }));
}

function realModel(id: string | undefined): { readonly provider: Provider; readonly model: ModelInfo } {
  const key = process.env['ANTHROPIC_API_KEY'];
  const provider = createAnthropicProvider({ apiKey: () => Promise.resolve(key), baseUrl: () => process.env['ANTHROPIC_BASE_URL'] });
  return { provider, model: anthropicModelInfo(id ?? DEFAULT_MODEL) };
}
