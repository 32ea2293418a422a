import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ensureVsCode } from '../vscode/install.mjs';

/**
 * The loop of a program that uses nothing but the SDK, in the Node version of VS Code's extension host.
 * Three answers warm it up, so that its code is as well optimized as that of a host that has been running.
 */
const PROGRAM = `
import Anthropic from '@anthropic-ai/sdk';
const [baseURL, prompt] = process.argv.slice(1);
const client = new Anthropic({ baseURL, apiKey: 'sk-bench' });
const ask = async (content) => {
  const used = process.cpuUsage();
  const messages = [{ role: 'user', content }];
  const stream = await client.messages.create({ model: 'claude-sonnet-5-5', max_tokens: 64000, stream: true, messages });
  let characters = 0;
  for await (const event of stream) if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') characters += event.delta.text.length;
  const { user, system } = process.cpuUsage(used);
  return { processorMs: (user + system) / 1000, characters };
};
for (let run = 0; run < 3; run++) await ask(prompt);
console.log(JSON.stringify(await ask(prompt)));
`;

/** Milliseconds of the processor that an answer costs a program which uses nothing but the SDK, warmed up, in all its threads. */
export async function bareSdkCpu(url: string, prompt: string): Promise<number> {
  const { node } = await ensureVsCode();
  const { stdout } = await promisify(execFile)(node, ['--input-type=module', '-e', PROGRAM, url, prompt], { cwd: process.cwd() });
  const { processorMs, characters } = JSON.parse(stdout) as { processorMs: number; characters: number };
  if (characters < 12_000) throw new Error(`The bare SDK got only ${characters} characters.`);
  return processorMs;
}
