import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Candidate, type Choice, chooseValue, mergeValues } from '../../../../src/config/settings/choose-value.js';
import { SETTING_KEYS, type SettingKey } from '../../../../src/config/settings/setting-keys.js';
import { CONFIG_LAYERS, type ConfigLayer, type ConfigOrigin } from '../../../../src/domain/config/origin.js';
import { PERMISSION_MODES } from '../../../../src/domain/tool/permission.js';

/** Places in the order in which they count. */
const PLACES = {
  managed: { layer: 'managed', file: '/etc/gnomon/managed-settings.json', display: '/etc/gnomon/managed-settings.json' },
  flag: { layer: 'flag', file: '/w/ci.json', display: '--settings ci.json' },
  local: { layer: 'local', file: '/w/.claude/settings.local.json', display: '.claude/settings.local.json', folder: '/w' },
  project: { layer: 'project', file: '/w/.claude/settings.json', display: '.claude/settings.json', folder: '/w', line: 3 },
  vscode: { layer: 'user', file: 'gnomon.x', display: 'user settings' },
  gnomon: { layer: 'user', file: '/h/.gnomon/settings.json', display: '~/.gnomon/settings.json' },
  claude: { layer: 'user', file: '/h/.claude/settings.json', display: '~/.claude/settings.json' },
} as const satisfies Readonly<Record<string, ConfigOrigin>>;
type Place = keyof typeof PLACES;
const ALL = Object.keys(PLACES) as Place[];

const keyOf = (name: string): SettingKey => {
  const key = SETTING_KEYS.find(({ setting }) => setting === `gnomon.${name}`);
  if (key === undefined) throw new Error(name);
  return key;
};
const choose = (
  name: string,
  values: Partial<Record<Place, unknown>>,
  { usual, trusted = true, broken = [] }: { usual?: unknown; trusted?: boolean; broken?: readonly Place[] } = {},
): Choice => {
  const candidates = ALL.flatMap((place): readonly Candidate[] =>
    place in values ? [{ origin: PLACES[place], value: values[place], ...(broken.includes(place) ? { isFromBefore: true } : {}) }] : [],
  );
  return chooseValue(keyOf(name), candidates, { usual, trusted });
};
/** What counts, and who set it. */
const winner = (...asked: Parameters<typeof choose>): readonly [unknown, string | undefined] => {
  const { value, origin } = choose(...asked);
  return [value, origin?.display];
};

describe('S-01: the value of a setting', () => {
  const pairs = ALL.flatMap((stronger, index) => ALL.slice(index + 1).map((weaker) => [stronger, weaker] as const));

  it.each(pairs)('%s counts before %s, and leaves it what it does not say', (stronger, weaker) => {
    expect(winner('model', { [stronger]: 'a', [weaker]: 'b' })).toEqual(['a', PLACES[stronger].display]);
    for (const nothing of [null, undefined]) {
      expect(winner('model', { [stronger]: nothing, [weaker]: 'b' })).toEqual(['b', PLACES[weaker].display]);
      expect(winner('model', { [stronger]: 'a', [weaker]: nothing })).toEqual(['a', PLACES[stronger].display]);
    }
    expect(choose('model', { [stronger]: 'a', [weaker]: 'b' }).overridden).toEqual([
      { origin: PLACES[weaker], value: 'b', why: `Overridden by ${PLACES[stronger].display}.` },
    ]);
  });

  const ofOneself = pairs.filter((pair) => pair.every((place) => ['managed', 'vscode', 'gnomon'].includes(place)));

  it.each(ofOneself)('objects of %s and %s are merged by their keys, and lists are put together', (stronger, weaker) => {
    expect(choose('providers', { [stronger]: { a: { url: 1 } }, [weaker]: { a: { url: 2, key: 2 }, b: {} } }).value).toEqual({ a: { url: 1, key: 2 }, b: {} });
    expect(choose('models', { [stronger]: [{ id: 1 }], [weaker]: [{ id: 2 }, { id: 1 }] })).toMatchObject({
      value: [{ id: 1 }, { id: 2 }],
      overridden: [{ why: 'Added to what stronger places have.' }],
    });
  });

  it('is what the user has where only the user has one, and as it comes where nobody has', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SETTING_KEYS),
        fc.oneof(fc.string({ minLength: 1 }), fc.integer(), fc.boolean(), fc.constantFrom(...PERMISSION_MODES)),
        fc.boolean(),
        (key, value, trusted) => {
          expect(chooseValue(key, [{ origin: PLACES.vscode, value }], { usual: 'usual', trusted })).toMatchObject({
            value,
            origin: PLACES.vscode,
            overridden: [],
          });
          expect(chooseValue(key, [], { usual: 'usual', trusted })).toEqual({ key: key.setting, value: 'usual', overridden: [], permitted: [] });
        },
      ),
    );
  });

  it('of a managed file counts before what the user has set in VS Code', () => {
    expect(winner('permissionMode', { managed: 'plan', vscode: 'acceptEdits' })).toEqual(['plan', PLACES.managed.display]);
    expect(winner('maxCostUsd', { managed: 10, vscode: 2 })).toEqual([10, PLACES.managed.display]);
  });

  it('of several folders, that of the first one counts', () => {
    const second = { ...PLACES.project, file: '/v/.claude/settings.json', folder: '/v' };
    const { value, overridden } = chooseValue(
      keyOf('outputStyle'),
      [
        { origin: PLACES.project, value: 'First' },
        { origin: second, value: 'Second' },
      ],
      { usual: '', trusted: true },
    );
    expect([value, overridden.map(({ origin }) => origin.folder)]).toEqual(['First', ['/v']]);
  });
});

describe('S-03: what a workspace may do with a setting', () => {
  it.each(['local', 'project'] as const)('before it is trusted, %s sets nothing but what is stricter', (place) => {
    const untrusted = { trusted: false, usual: '' };
    for (const { setting, workspace } of SETTING_KEYS.filter((key) => key.workspace !== 'stricter')) {
      expect(choose(setting.slice('gnomon.'.length), { [place]: 'theirs', vscode: 'mine' }, untrusted)).toMatchObject({
        value: 'mine',
        overridden: [{ why: workspace === 'never' ? 'A workspace cannot set this.' : 'The workspace is not trusted.' }],
      });
    }
    expect(winner('permissionMode', { [place]: 'plan', vscode: 'acceptEdits' }, untrusted)[0]).toBe('plan');
    expect(winner('maxCostUsd', { [place]: 1, vscode: 5 }, untrusted)[0]).toBe(1);
    expect(winner('includeSelection', { [place]: false }, { trusted: false, usual: true })[0]).toBe(false);
  });

  it('trusted, it still cannot say where messages and keys go', () => {
    for (const name of ['anthropic.baseUrl', 'webSearch.searxngUrl', 'providers', 'models', 'instructions.user']) {
      expect(choose(name, { project: 'theirs', local: 'theirs' }, { usual: 'usual' })).toMatchObject({
        value: 'usual',
        overridden: [{ why: 'A workspace cannot set this.' }, { why: 'A workspace cannot set this.' }],
      });
      expect(winner(name, { project: 'theirs', gnomon: 'mine' })[0]).toBe('mine');
      expect(choose(name, { claude: 'theirs' }, { usual: 'usual' })).toMatchObject({
        value: 'usual',
        overridden: [{ why: '~/.claude/settings.json is of another program. Set this in ~/.gnomon/settings.json.' }],
      });
    }
  });

  it.each<[string, unknown, unknown, unknown]>([
    ['permissionMode', 'default', 'acceptEdits', 'default'],
    ['permissionMode', 'acceptEdits', 'default', 'default'],
    ['permissionMode', 'acceptEdits', 'bypassPermissions', 'acceptEdits'],
    ['permissionMode', 'default', 'ask', 'ask'],
    ['permissionMode', 'ask', 'plan', 'ask'],
    ['permissionMode', 'plan', 'ask', 'plan'],
    ['maxRounds', 200, 50, 50],
    ['maxRounds', 50, 200, 50],
    ['maxTurns', 0, 5, 5],
    ['maxTurns', 5, 0, 5],
    ['maxTurns', 5, 9, 5],
    ['maxCostUsd', 2, 0.5, 0.5],
    ['maxCostUsd', 2, 20, 2],
    ['includeSelection', false, true, false],
    ['improveTitles', true, false, false],
  ])('of %s, it only makes what the user has stricter: %s and %s become %s', (name, users, theirs, counts) => {
    for (const place of ['local', 'project', 'claude'] as const) {
      for (const trusted of [true, false]) {
        expect(winner(name, { [place]: theirs }, { usual: users, trusted })[0]).toEqual(counts);
        if (place !== 'claude') expect(winner(name, { [place]: theirs, vscode: users }, { usual: theirs, trusted })[0]).toEqual(counts);
      }
    }
  });

  it('what is refused says why', () => {
    const reasons = (values: Partial<Record<Place, unknown>>): readonly string[] =>
      choose('permissionMode', values, { usual: 'default' }).overridden.map(({ why }) => why);
    expect(reasons({ project: 'bypassPermissions' })).toEqual(['A workspace cannot bypass permissions.']);
    expect(reasons({ local: 'acceptEdits' })).toEqual(['A workspace can only make this stricter than you have it.']);
    expect(reasons({ claude: 'acceptEdits' })).toEqual([
      'What ~/.claude/settings.json permits is meant for another program. It can only make this stricter for Gnomon.',
    ]);
  });

  it('it is compared with what the user has in any file', () => {
    expect(winner('permissionMode', { project: 'default', claude: 'plan' }, { usual: 'default' })).toEqual(['plan', PLACES.claude.display]);
    expect(winner('permissionMode', { project: 'acceptEdits', gnomon: 'acceptEdits' }, { usual: 'default' })).toEqual(['acceptEdits', PLACES.project.display]);
  });

  it('whatever it says, it never permits more than the user does', () => {
    const limit = fc.constantFrom(0, 1, 5, 50);
    fc.assert(
      fc.property(
        fc.constantFrom(...PERMISSION_MODES),
        fc.constantFrom(...PERMISSION_MODES),
        fc.constantFrom(...PERMISSION_MODES),
        limit,
        limit,
        fc.boolean(),
        (users, project, local, cost, theirs, trusted) => {
          const mode = choose('permissionMode', { project, local, vscode: users }, { usual: 'default', trusted });
          expect(keyOf('permissionMode').isAsStrict?.(mode.value, users)).toBe(true);
          const { value } = choose('maxCostUsd', { project: theirs, vscode: cost }, { usual: 0, trusted });
          expect(value === cost || keyOf('maxCostUsd').isAsStrict?.(value, cost)).toBe(true);
        },
      ),
    );
  });
});

describe('S-02: the mode that bypasses permissions', () => {
  it.each(ALL)('is taken away by %s, whatever other places say, also where the workspace is not trusted', (place) => {
    const others = Object.fromEntries(ALL.filter((each) => each !== place).map((each) => [each, 'allow']));
    for (const trusted of [true, false]) {
      for (const broken of [[], [place]]) {
        const { value, origin } = choose('bypassPermissionsMode', { ...others, [place]: 'disable' }, { usual: 'allow', trusted, broken });
        expect([value, origin]).toEqual(['disable', PLACES[place]]);
      }
    }
  });

  it('says what lost, and is allowed where nobody takes it away', () => {
    const { overridden } = choose('bypassPermissionsMode', { managed: 'allow', project: 'disable', claude: 'disable' }, { usual: 'allow' });
    expect(overridden.map(({ origin, why }) => `${origin.display}: ${why}`)).toEqual([
      `${PLACES.managed.display}: Overridden by ${PLACES.project.display}.`,
      `${PLACES.claude.display}: Overridden by ${PLACES.project.display}.`,
    ]);
    for (const values of [{}, { managed: 'allow' }, { gnomon: null }]) expect(winner('bypassPermissionsMode', values, { usual: 'allow' })[0]).toBe('allow');
  });

  it('S-05: is no mode for new chats then, and the next place counts; that says who took it away', () => {
    const modeOf = (values: Partial<Record<Place, unknown>>): Choice => {
      const candidates = ALL.flatMap((place) => (place in values ? [{ origin: PLACES[place], value: values[place] }] : []));
      return chooseValue(keyOf('permissionMode'), candidates, { usual: 'default', trusted: true, bypassDisabledBy: '.claude/settings.json' });
    };
    expect(modeOf({ vscode: 'bypassPermissions', gnomon: 'plan' })).toMatchObject({
      value: 'plan',
      overridden: [{ value: 'bypassPermissions', why: 'This mode is disabled in .claude/settings.json.' }],
    });
    expect(modeOf({ managed: 'bypassPermissions', vscode: 'acceptEdits' }).value).toBe('acceptEdits');
    // What the user cannot have is nothing that a workspace could be less strict than.
    expect(modeOf({ vscode: 'bypassPermissions', project: 'acceptEdits' }).value).toBe('default');
  });
});

describe('what stands on the command line', () => {
  it('counts before all files but that of the organization, and is no less than what the user has set', () => {
    const all = { flag: 'plan', local: 'ask', project: 'ask', vscode: 'acceptEdits' };
    expect(winner('permissionMode', all, { usual: 'default' })[0]).toBe('plan');
    expect(winner('permissionMode', { ...all, managed: 'default' }, { usual: 'default' })[0]).toBe('default');
    expect(winner('anthropic.baseUrl', { flag: 'https://a', gnomon: 'https://b' }, { usual: '' })[0]).toBe('https://a');
    // A workspace can only be stricter than the user, whose word this is.
    expect(choose('maxTurns', { flag: 5, project: 9, vscode: 20 }, { usual: 0 })).toMatchObject({
      value: 5,
      overridden: [{ value: 9, why: 'A workspace can only make this stricter than you have it.' }, {}],
    });
  });

  it('does not loosen what any layer takes away', () => {
    expect(winner('bypassPermissionsMode', { managed: 'disable', flag: 'allow' }, { usual: 'allow' })[0]).toBe('disable');
    expect(winner('bypassPermissionsMode', { flag: 'allow', project: 'disable' }, { usual: 'allow' })[0]).toBe('disable');
    expect(winner('maxCostUsd', { managed: 1, flag: 100 }, { usual: 0 })[0]).toBe(1);
  });
});

describe('S-06: of a file that cannot be read any more', () => {
  it.each(CONFIG_LAYERS)('%s, what it made stricter counts, and nothing else', (layer: ConfigLayer) => {
    const place: Place = layer === 'user' ? 'gnomon' : layer;
    expect(winner('permissionMode', { [place]: 'plan' }, { usual: 'default', broken: [place] })[0]).toBe('plan');
    expect(winner('permissionMode', { [place]: 'acceptEdits' }, { usual: 'default', broken: [place] })[0]).toBe('default');
    expect(choose('maxCostUsd', { [place]: 9, ...(place === 'gnomon' ? {} : { vscode: 5 }) }, { usual: 5, broken: [place] })).toMatchObject({
      value: 5,
      overridden: [{ why: 'The file cannot be read. Until it is fixed, only what it makes stricter counts.' }],
    });
  });
});

/** By the kinds of two values, the stronger one first. */
const TABLE: readonly (readonly [string, unknown, unknown, unknown])[] = [
  ['scalar, scalar', 1, 2, 1],
  ['false, true', false, true, false],
  ['empty text, text', '', 'b', ''],
  ['scalar, null', 1, null, 1],
  ['scalar, missing', 1, undefined, 1],
  ['null, scalar', null, 2, 2],
  ['missing, scalar', undefined, 2, 2],
  ['object, object', { a: 1, c: { d: 1 } }, { a: 2, b: 2, c: { e: 2 } }, { a: 1, b: 2, c: { d: 1, e: 2 } }],
  ['object with null, object', { a: null, b: 1 }, { a: 2 }, { a: 2, b: 1 }],
  ['object, null', { a: 1 }, null, { a: 1 }],
  ['object, missing', { a: 1 }, undefined, { a: 1 }],
  ['null, object', null, { a: 2 }, { a: 2 }],
  ['missing, object', undefined, { a: 2 }, { a: 2 }],
  ['list, list', ['a', 'b'], ['b', 'c'], ['a', 'b', 'c']],
  ['list of objects, list of objects', [{ id: 1 }], [{ id: 1 }, { id: 2 }], [{ id: 1 }, { id: 2 }]],
  ['empty list, list', [], ['c'], ['c']],
  ['list, null', ['a'], null, ['a']],
  ['list, missing', ['a'], undefined, ['a']],
  ['null, list', null, ['c'], ['c']],
  ['missing, list', undefined, ['c'], ['c']],
  ['null, null', null, null, undefined],
  ['missing, missing', undefined, undefined, undefined],
];

/** Layers of a file that has a setting of each kind; a setting has the same kind in all layers, because its shape is checked before. */
const layer = fc.record(
  {
    scalar: fc.option(fc.oneof(fc.integer(), fc.string())),
    list: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 5 }))),
    object: fc.option(fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), fc.option(fc.integer()))),
    nested: fc.option(
      fc.record({ inner: fc.option(fc.record({ list: fc.uniqueArray(fc.integer({ min: 0, max: 3 })) }, { requiredKeys: [] })) }, { requiredKeys: [] }),
    ),
  },
  { requiredKeys: [] },
);
/** Without what says nothing: it makes no difference whether a key is null, or not there. */
const said = (value: unknown): unknown => JSON.parse(JSON.stringify({ value }, (_key, each: unknown) => (each === null ? undefined : each))) as unknown;

describe('S-01: values of two layers', () => {
  it.each(TABLE)('%s', (_kinds, stronger, weaker, merged) => {
    expect(mergeValues(stronger, weaker)).toEqual(merged);
  });

  it('it makes no difference which layers are merged first', () => {
    fc.assert(
      fc.property(layer, layer, layer, (a, b, c) => {
        expect(said(mergeValues(mergeValues(a, b), c))).toEqual(said(mergeValues(a, mergeValues(b, c))));
      }),
    );
  });

  it('one layer alone is as it is, before or behind layers that say nothing', () => {
    fc.assert(
      fc.property(layer, (users) => {
        for (const nothing of [undefined, null, {}]) {
          expect(said(mergeValues(users, nothing))).toEqual(said(users));
          expect(said(mergeValues(nothing, users))).toEqual(said(users));
        }
        expect(said(mergeValues(users, users))).toEqual(said(users));
      }),
    );
  });

  it('S-08: a key with the name of a prototype is a key like others', () => {
    const hostile = JSON.parse('{ "__proto__": { "polluted": true } }') as unknown;
    expect(Object.keys(mergeValues(hostile, { a: 1 }) as object)).toEqual(['__proto__', 'a']);
    expect(Object.keys(mergeValues({ a: 1 }, hostile) as object)).toEqual(['a', '__proto__']);
    expect('polluted' in {}).toBe(false);
  });
});
