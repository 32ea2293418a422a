import { expect, it } from 'vitest';
import { ToolInputError } from '../../../../src/domain/errors.js';
import { thrown } from '../../../../src/engine/tool-call/results.js';
import { outcomeOf } from '../../../../src/chat/projection/call-view.js';
import { resultView } from '../../../../src/chat/projection/call-result.js';
import { rig } from '../../tool/rig.js';

/** What a real call says to the user: what it gave back, or why it could not be planned. */
async function shown({ call }: Pick<ReturnType<typeof rig>, 'call'>, name: string, args: unknown): Promise<ReturnType<typeof resultView>> {
  const ended = await call(name, args).catch((error: unknown) => {
    if (!(error instanceof ToolInputError)) throw error;
    return thrown(error, name);
  });
  return resultView({ content: ended.content, outcome: outcomeOf(ended), short: (path) => path.replace('/ws/', '') });
}

const files = { '/ws/src/a.ts': 'one\ntwo\none\n', '/ws/b.bin': Uint8Array.from([0, 1, 2, 0]) };

it.each([
  ['read', { file_path: 'nope.js' }, 'File not found: nope.js'],
  ['write', { file_path: 'src', content: 'x' }, 'src is a folder.'],
  ['read', { file_path: 'b.bin' }, 'b.bin is a binary file.'],
  ['edit', { file_path: 'nope.js', edits: [{ old_string: 'x', new_string: 'y' }] }, 'File not found: nope.js'],
  ['edit', { file_path: 'src/a.ts', edits: [{ old_string: 'three', new_string: 'y' }] }, 'The text to replace is not in src/a.ts.'],
  ['edit', { file_path: 'src/a.ts', edits: [{ old_string: 'one', new_string: 'y' }] }, 'The text to replace occurs more than once in src/a.ts.'],
  ['edit', { file_path: 'src/a.ts', edits: [{ old_string: 'two', new_string: 'two' }] }, 'src/a.ts already has this text.'],
  ['write', { file_path: 'src/a.ts', content: 'x' }, 'Gnomon must read src/a.ts before changing it.'],
  ['read', { line: 'a' }, 'The model made an invalid call.'],
])('what %s says to the model about %j is told to the user as “%s”', async (name, args, problem) => {
  expect(await shown(rig({ files }), name, args)).toEqual({ output: '', problem });
});

it('a command tells how it ended and how long it took', async () => {
  const { call, processes } = rig();
  processes.on('npm test', { output: 'ok\n', durationMs: 1_234 });
  processes.on('false', { exitCode: 1, output: '' });
  expect(await shown({ call }, 'bash', { command: 'npm test' })).toEqual({ output: 'ok', exitCode: 0, durationMs: 1_200 });
  expect(await shown({ call }, 'bash', { command: 'false' })).toEqual({ output: '', exitCode: 1, durationMs: 0 });
});

it('what the model is told about its arguments is not for the user', async () => {
  expect(await shown(rig({ files }), 'read', { path: 'src/a.ts', explanation: 'x' })).toEqual({ output: '1\tone\n2\ttwo\n3\tone' });
});

it('a file that was written says whether it is new, and a part of a file that there is more', async () => {
  const { call } = rig({ files });
  expect(await shown({ call }, 'write', { file_path: 'new.md', content: 'x\n' })).toMatchObject({ created: true });
  expect(await shown({ call }, 'read', { file_path: 'src/a.ts', limit: 1 })).toEqual({ output: '1\tone\n…' });
});
