import { expect, test } from 'vitest';
import { createRuleBook } from '../../../../src/consent/rules/create-rule-book.js';
import type { Layers } from '../../../../src/customization/layers.js';
import type { LayerFile } from '../../../../src/node/config/layer-files.js';
import { MemoryApprovals } from '../../../support/memory-approvals.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { MemoryLog } from '../../engine/rig.js';

const FILE: LayerFile = {
  origin: { layer: 'project', file: '/ws/.claude/settings.json', display: '.claude/settings.json', folder: '/ws' },
  form: 'settings',
  text: JSON.stringify({ permissions: { deny: ['Bash(rm:*)'], ask: ['Bash(git push:*)'] } }),
};

test('the rules in files that were read before count from the first call on, also where no change is ever reported', async () => {
  const nothing = (): (() => void) => () => undefined;
  const layers = { files: [FILE], read: () => Promise.resolve(), ready: () => Promise.resolve(), onDidChange: nothing } as unknown as Layers;
  const memory = { keys: () => [], get: () => undefined, update: () => Promise.resolve() };
  const rules = createRuleBook({
    ports: {
      folders: { all: () => [], local: () => [], paths: () => ['/ws'], onDidChange: nothing },
      trust: { trusted: () => false, onDidGrant: nothing },
      settings: { get: () => undefined, inspect: () => ({}), onDidChange: nothing },
      dialogs: { notify: () => Promise.resolve(undefined), modal: () => Promise.resolve(undefined), beside: () => Promise.resolve(undefined) },
      memory: { global: memory, workspace: memory },
    },
    host: {
      settings: { sources: () => [], change: () => Promise.reject(new Error('There is nothing to change.')) },
      files: () => [],
      onDidSave: nothing,
      open: () => Promise.resolve(),
      show: () => Promise.resolve(),
      isUnsaved: () => false,
    },
    globalStorage: temporaryFolder(),
    layers,
    approvals: new MemoryApprovals(),
    check: () => [],
    log: new MemoryLog(),
  });
  await rules.book.ready();
  expect(rules.book.rules().map(({ effect, text }) => `${effect} ${text}`)).toEqual(expect.arrayContaining(['deny Bash(rm:*)', 'ask Bash(git push:*)']));
  rules.dispose();
});
