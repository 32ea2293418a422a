/**
 * Compares what the program wrote with the types of the Agent SDK: each kind of message that was recorded becomes a typed literal, which the
 * compiler checks against `differences.d.ts`, where all that is meant to differ is listed. The table of options has to have all that the types have.
 */
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const HERE = resolve('test/conformance/agent-sdk');

/**
 * @param {readonly import('./rig.js').Message[]} messages
 * @param {{ agentSdk: string, folder: string }} places of the Agent SDK, and for what is made
 * @returns {Promise<{ kinds: number, problems: string }>} how many kinds there were, and what the compiler said; empty for nothing
 */
export async function compareTypes(messages, { agentSdk, folder }) {
  const kinds = new Map(messages.map((message) => [kindOf(message), message]));
  const literals = [...kinds].map(([kind, message], index) => `// ${kind}\nexport const m${index}: Written = ${JSON.stringify(message, undefined, 2)};`);
  await mkdir(folder, { recursive: true });
  const imported = [
    `import type { Written } from '${join(HERE, 'types', 'differences.d.ts')}';`,
    `import type { Invented, Missing } from '${join(HERE, 'types', 'options.d.ts')}';`,
    'type None<T extends never> = T;',
    'export type AllOptions = readonly [None<Missing>, None<Invented>];',
  ];
  await writeFile(join(folder, 'recorded.ts'), `${[...imported, ...literals].join('\n\n')}\n`);
  const config = {
    compilerOptions: {
      ...{
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        target: 'es2023',
        module: 'nodenext',
        types: ['node'],
        typeRoots: [resolve('node_modules/@types')],
      },
      paths: { '@anthropic-ai/claude-agent-sdk': [join(agentSdk, 'sdk.d.ts')] },
    },
    files: ['recorded.ts'],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
  return { kinds: kinds.size, problems: await compile(folder) };
}

/**
 * Kinds are told apart by what has fields of its own.
 * @param {import('./rig.js').Message} message
 */
function kindOf({ type, subtype, event, message, permission_denials: denials }) {
  const blocks = field(message, 'content');
  const types = Array.isArray(blocks) ? [...new Set(blocks.map((block) => field(block, 'type')))].sort().join('+') : '';
  const delta = field(field(event, 'delta'), 'type') ?? field(field(event, 'content_block'), 'type');
  const denied = Array.isArray(denials) && denials.length > 0 ? 'with denials' : '';
  return [type, subtype, field(event, 'type'), delta, types, denied].filter((part) => typeof part === 'string' && part !== '').join(' ');
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {unknown}
 */
function field(value, name) {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/**
 * @param {string} folder with a tsconfig.json
 * @returns {Promise<string>} what the compiler says
 */
function compile(folder) {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [resolve('node_modules/typescript-7/bin/tsc'), '-p', folder], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
    child.once('error', fail);
    child.once('close', (code) => done(code === 0 ? '' : output));
  });
}
