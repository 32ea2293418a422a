import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AskedPermission } from '../../../src/domain/tool/asks.js';
import { eventually } from '../../support/eventually.js';
import { givesAway, part, partOf, results, says, scripts } from '../../support/gives-away.js';
import { reply } from '../../support/model-server/index.js';
import { ALL_RUNS } from '../../support/runs.js';
import { type NodeChat, nodeChat } from './node-chat.js';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const;
/** Of them, in `npm test` a few: each has seven sessions. */
const RUNS = 100;

/** What the user does next: about which of the questions that are open, by its place among them, and what. */
const step = fc.record({ which: fc.nat({ max: 6 }), does: fc.constantFrom('allow', 'deny', 'stop') });
const steps = fc.array(step, { minLength: NAMES.length, maxLength: NAMES.length });

const waiting = ({ conversation }: NodeChat): readonly AskedPermission[] =>
  conversation.session.asks.waiting.filter((ask): ask is AskedPermission => ask.kind === 'permission');
/** The file that a question is about. */
const fileOf = ({ plan }: AskedPermission): string => `made-${/made-(\w)/.exec(plan.subject)?.[1] ?? ''}`;

it(
  'E-64, E-66: seven agents ask at the same time, and each question gets exactly one answer, in any order; those of stopped agents are gone at once',
  { timeout: 600_000 },
  async () => {
    const chat = await nodeChat({ settings: { 'gnomon.agents.maxAtOnce': 7, 'gnomon.agents.maxTotal': 500 } });
    let run = 0;
    const tried = async (done: readonly { readonly which: number; readonly does: 'allow' | 'deny' | 'stop' }[]): Promise<void> => {
      run += 1;
      const fileFor = (name: string): string => `made-${name}-${run}.txt`;
      chat.server.setScript(
        scripts(
          (request) => (results(request).length === 0 ? givesAway(...NAMES.map((name) => part(`${name} ${run}`)))(request) : reply().text('Done.')),
          (request) => {
            const [, name = ''] = partOf(request).split(' ');
            return results(request).length === 0 ? reply().toolCall('write', { file_path: fileFor(name), content: name }) : says('Over.')(request);
          },
        ),
      );
      await chat.begin();
      chat.send('Go');
      await eventually(() => expect(waiting(chat)).toHaveLength(NAMES.length));
      const household = await chat.host.host.elves.of(chat.conversation.session);
      const came = new Map<string, string>();
      for (const { which, does } of done) {
        const open = waiting(chat);
        const asked = open[which % open.length];
        if (asked === undefined) throw new Error('No question is open.');
        const { callId, who, revision } = asked;
        came.set(fileOf(asked), does);
        const answer = (type: 'allow' | 'deny'): boolean => chat.conversation.session.answer(callId, { type }, revision, who.session);
        if (does === 'stop') household.ofSession(who.session)?.stop();
        else expect(answer(does)).toBe(true);
        // A second answer reaches nothing, not even another question with the same id.
        expect(answer('allow')).toBe(false);
        await eventually(() => expect(waiting(chat)).toEqual(open.filter((one) => one !== asked)));
      }
      await chat.ended();
      expect(came.size).toBe(NAMES.length);
      const allowed = [...came].filter(([, does]) => does === 'allow').map(([file]) => file);
      expect(NAMES.filter((name) => chat.isThere(fileFor(name))).map((name) => `made-${name}`)).toEqual(allowed.toSorted());
      expect(chat.prompts).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(steps, tried), { numRuns: ALL_RUNS ? RUNS : 3, endOnFailure: true });
  },
);
