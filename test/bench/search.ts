import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import type { Tool } from '../../src/domain/tool/tool.js';
import { createRipgrepSearch } from '../../src/node/search/ripgrep.js';
import { createWorkspace } from '../../src/node/files/workspace.js';
import { Sealed } from '../../src/tool/calls/sealed.js';
import { createGlobTool } from '../../src/tool/glob.js';
import { createGrepTool } from '../../src/tool/grep.js';
import { type Figure, medianFigure } from './figure.js';

const FILES = 50_000;
const FILES_IN_FOLDER = 50;
const PAIRS = 31;
const SCOPE = ['--no-config', '--no-messages', '--hidden', '--no-require-git', '--glob=!.git'];

/** What searching through the tools costs beside ripgrep alone with the same switches, each time right after the other. */
export async function measureSearch(): Promise<readonly Figure[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gnomon-bench-')));
  try {
    writeTree(folder);
    const search = new Sealed(createRipgrepSearch(() => Promise.resolve(rgPath)));
    const ports = { search, readGuard: () => Promise.resolve(() => true), workspace: createWorkspace(() => [{ name: 'tree', path: folder }], folder) };
    return [
      await ratio('grep_ratio', {
        tool: () => call(createGrepTool(ports), { pattern: 'needle', head_limit: 1_000 }),
        alone: () => ripgrep(['--crlf', '--line-number', '--regexp=needle', '--', folder]),
      }),
      await ratio('glob_ratio', {
        tool: () => call(createGlobTool(ports), { pattern: '*.ts' }),
        alone: () => ripgrep(['--files', '--sortr=modified', '--glob=*.ts', '--', folder]),
      }),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function writeTree(folder: string): void {
  for (let index = 0; index < FILES; index += 1) {
    const parent = join(folder, `p${Math.floor(index / FILES_IN_FOLDER) % 40}`, `q${Math.floor(index / FILES_IN_FOLDER)}`);
    if (index % FILES_IN_FOLDER === 0) mkdirSync(parent, { recursive: true });
    const file = join(parent, `file${index}.${['ts', 'js', 'md', 'json', 'css'][index % 5] ?? ''}`);
    const lines = Array.from({ length: 30 }, (_, line) => `const value${line} = compute(${(index * line) % 97}, 'a text');${mark(index, line)}`);
    writeFileSync(file, lines.join('\n'));
    utimesSync(file, 1_700_000_000, 1_700_000_000 + ((index * 7_919) % 1_000_003));
  }
}

function mark(index: number, line: number): string {
  return (index * 31 + line) % 997 === 0 ? ' // needle' : '';
}

/** The median of the ratios of pairs that ran one after the other, in changing order; two pairs warm up. */
async function ratio(name: string, { tool, alone }: { tool: () => Promise<string>; alone: () => Promise<string> }): Promise<Figure> {
  const ratios: number[] = [];
  for (let pair = -2; pair < PAIRS; pair += 1) {
    const first = pair % 2 === 0 ? await time(tool) : undefined;
    const alonems = await time(alone);
    const toolms = first ?? (await time(tool));
    if (pair >= 0) ratios.push(toolms / alonems);
  }
  return medianFigure(name, ratios, { unit: '×', goal: 1.3 });
}

async function time(run: () => Promise<string>): Promise<number> {
  const start = performance.now();
  const output = await run();
  const elapsed = performance.now() - start;
  if (output.split('\n').length < 100) throw new Error(`A search found next to nothing: ${output}`);
  return elapsed;
}

async function call(tool: Tool, args: unknown): Promise<string> {
  const context = { signal: new AbortController().signal, sessionId: 's', callId: 'c', output: () => undefined };
  const { content } = await tool.execute(await tool.plan(args, context), context);
  return content.map((block) => (block.type === 'text' ? block.text : '')).join('');
}

async function ripgrep(args: readonly string[]): Promise<string> {
  const child = spawn(rgPath, [...SCOPE, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
