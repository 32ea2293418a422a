import { describe, expect, it } from 'vitest';
import { permissionItems } from '../../../src/consent/permission-items.js';
import { rigBook, source } from './rig.js';

describe('Manage Permissions', () => {
  it('lists problems, what waits, and every rule under what it does, with its source and state', () => {
    const { book } = rigBook(
      source('user', { allow: ['Bash(npm test:*)'], deny: ['Bsh(x)'] }),
      source('workspace', { allow: ['Edit(src/**)'], ask: ['Bash(git\u202E push:*)'] }),
    );
    const lines = permissionItems(book.listing(), {
      rules: [{ effect: 'allow', text: 'Bash(make\u200b:*)', scope: 'session' }],
      grants: [{ kind: 'skill', name: 'notes', origin: { layer: 'project', file: '/a', display: 'a' }, rules: ['Bash(git log:*)', 'Bash'], digest: 'd' }],
      uses: [],
    }).map(({ label, description = '', heading }) => (heading === true ? `== ${label}` : `${label} | ${description}`));
    expect(lines).toEqual([
      '== Problems',
      '$(warning) Invalid rule | ',
      '== Needs your approval',
      '$(unverified) Review 1 rule in the workspace settings… | ',
      '== Always denied',
      '$(circle-slash) Bsh(x) | your user settings · cannot be read',
      '== Always ask',
      expect.stringMatching(/^\$\(question\) Bash\(git\\u\{202e\} push:\*\) \| the workspace settings/),
      '== Allowed without asking',
      '$(check) Bash(npm test:*) | your user settings',
      '$(check) Edit(src/**) | the workspace settings · not approved yet',
      '== Allowed in this chat',
      '$(check) Bash(make\\u{200b}:*) | this chat',
      '== Allowed in this turn',
      '$(check) Bash(git log:*) | the skill “notes”',
      '== ',
      '$(add) Add Rule… | ',
      '$(gear) Open Settings | ',
    ]);
  });

  it('lists what is denied and asked about in a chat beside the rules of the settings, and removes it as that', () => {
    const { book } = rigBook(source('user', { deny: ['Bash(x)'] }));
    const rules = [
      { effect: 'deny', text: 'Bash(y)', scope: 'session' },
      { effect: 'ask', text: 'Bash(y)', scope: 'session' },
    ] as const;
    const items = permissionItems(book.listing(), { rules, grants: [], uses: [] });
    expect(items.map(({ label }) => label).slice(0, 5)).toEqual([
      'Always denied',
      '$(circle-slash) Bash(x)',
      '$(circle-slash) Bash(y)',
      'Always ask',
      '$(question) Bash(y)',
    ]);
    expect(items[2]?.act).toEqual({ type: 'session_rule', text: 'Bash(y)', effect: 'deny' });
  });

  it('offers to add a rule where there is none', () => {
    const { book } = rigBook(source('user'));
    expect(permissionItems(book.listing(), { rules: [], grants: [], uses: [] }).map(({ act }) => act.type)).toEqual(['none', 'add', 'open_settings']);
  });
});
