import { describe, expect, it } from 'vitest';
import { CODE_ACTIONS } from '../../../../src/vscode/command-ids.js';
import { actionPrompt, customActions, customPrompt, needsPlace, placeMention, problemMention } from '../../../../src/vscode/actions/action-prompt.js';
import { parseMentions } from '../../../../src/mentions/typed-mentions.js';
import { says } from '../../../support/wording.js';

const PLACES = [{ path: 'src/a.ts' }, { path: 'src/a.ts', lines: [3, 9] as const }, { path: 'my notes/b (1).md', lines: [4, 4] as const }];

describe('what an action asks', () => {
  it.each(CODE_ACTIONS.flatMap((action) => PLACES.map((place) => [action, place] as const)))('%s about %j mentions just that place', (action, place) => {
    const [mention, ...others] = parseMentions(actionPrompt(action, place));
    expect(others).toEqual([]);
    expect(mention).toMatchObject({ kind: 'path', path: place.path, ...('lines' in place ? { lines: { first: place.lines[0], last: place.lines[1] } } : {}) });
  });

  it('says that a problem goes with it', () => {
    expect(actionPrompt('fix', { path: 'src/a.ts', lines: [3, 3] }, true)).toBe(says('fixProblemIn', '@src/a.ts:3'));
  });
});

describe('problems of a place', () => {
  it('are mentioned with its lines, where it can be named', () => {
    expect(parseMentions(problemMention({ path: 'src/a.ts', lines: [3, 4] }))).toEqual([{ kind: 'problems', path: 'src/a.ts', lines: { first: 3, last: 4 } }]);
    expect(problemMention({ path: 'my notes/b.md', lines: [3, 4] })).toBe('@problems');
  });
});

describe('actions of one’s own', () => {
  it('are those of the setting that are whole', () => {
    const setting = [{ name: ' Dead code ', prompt: 'Look in {file}' }, { name: 'x' }, { name: '', prompt: 'y' }, 'z', null];
    expect(customActions(setting)).toEqual([{ name: 'Dead code', prompt: 'Look in {file}' }]);
    for (const none of [undefined, 'x', {}, 3]) expect(customActions(none)).toEqual([]);
  });

  it('have their places filled in, each where it stands', () => {
    const action = { name: 'a', prompt: '{selection} of {file} in {language}, {problems} {other} {selection}' };
    const place = { path: 'src/a.ts', lines: [1, 2] as const };
    expect(customPrompt(action, place, 'typescript')).toBe('@src/a.ts:1-2 of @src/a.ts in typescript, @problems:src/a.ts {other} @src/a.ts:1-2');
    expect(customPrompt({ name: 'a', prompt: '{problems}' }, { path: 'a b.ts' }, '')).toBe('@problems');
    expect(customPrompt({ name: 'a', prompt: 'What is new?' }, undefined, '')).toBe('What is new?');
    expect([needsPlace(action), needsPlace({ name: 'a', prompt: 'What is {new}?' })]).toEqual([true, false]);
  });

  it('a mention in a path takes nothing else in', () => {
    expect(placeMention({ path: 'a @b.ts' })).toBe('@"a @b.ts"');
    expect(parseMentions(customPrompt({ name: 'a', prompt: '{file}' }, { path: 'a @b.ts' }, ''))).toHaveLength(1);
  });
});
