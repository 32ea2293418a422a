import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ComposerMessage, FillForm, MentionOffer, SlashOffer } from '../../../src/protocol/host/composer-messages.js';
import { violations } from './axe.js';
import { delivered, PanelRig, postsOf, sticksOutAt } from './rig.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

const commands: readonly SlashOffer[] = [
  { name: '/compact', hint: '', description: 'Summarize the chat' },
  { name: '/github:review', hint: '<file> [focus]', description: 'Review code · Looks at a file.', prompt: true },
];
const offers: readonly MentionOffer[] = [
  { insert: '@src/a.ts', kind: 'file', label: 'a.ts', detail: 'src' },
  { insert: '@github:issue://7', kind: 'resource', label: 'It crashes\u202E', detail: 'github · issue://7' },
  {
    insert: '@github:repo://{owner}',
    kind: 'resource',
    label: 'Repository',
    detail: 'github · repo://{owner}',
    template: { server: 'github', uriTemplate: 'repo://{owner}' },
  },
];
const form: FillForm = {
  id: 'f1',
  server: 'github',
  makes: 'prompt',
  title: 'Review code',
  description: 'Looks at a file\u200B.',
  suggests: true,
  fields: [
    { name: 'file', description: 'Which file to look at', required: true, value: '' },
    { name: 'focus', required: false, value: '' },
    { name: `a_very_long_name_of_an_argument_${'x'.repeat(60)}`, required: false, value: '' },
  ],
};

const boxOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true });
const cardOf = (page: Page): Locator => page.getByRole('group', { name: /^(?:Prompt|Resource) / });
const tell = async (page: Page, ...messages: readonly ComposerMessage[]): Promise<void> => {
  for (const message of messages) await page.evaluate((value) => globalThis.panelHost.post(value), message);
  await delivered(page);
};

/** Waits until the panel has posted something of a type with these fields, and gives the last of that type. */
async function posted(page: Page, type: string, fields: Readonly<Record<string, unknown>> = {}): Promise<Readonly<Record<string, unknown>>> {
  const handle = await page.waitForFunction(
    ({ wanted, parts }) =>
      globalThis.panelHost.posts.findLast(
        (message) =>
          message.type === wanted && Object.entries(parts).every(([key, value]) => JSON.stringify(Reflect.get(message, key)) === JSON.stringify(value)),
      ),
    { wanted: type, parts: fields },
  );
  return (await handle.jsonValue()) as unknown as Readonly<Record<string, unknown>>;
}

async function openForm(options: Parameters<PanelRig['open']>[0] = {}, shown = form): Promise<Page> {
  const page = await rig.open({ scene: 'empty', ...options });
  await tell(page, { type: 'fill_form', form: shown });
  await cardOf(page).waitFor();
  return page;
}

const fieldOf = (page: Page, name: string): Locator => cardOf(page).getByRole('combobox', { name, exact: true });
const hasFocus = (locator: Locator): Promise<boolean> => locator.evaluate((element) => element === document.activeElement);
const typesOf = async (page: Page): Promise<readonly string[]> => (await postsOf(page)).map(({ type }) => type).filter((type) => type !== 'save_draft');

describe('prompts as commands', () => {
  test('one is found by its own name; Enter runs it, Tab writes it for arguments to follow', async () => {
    const page = await rig.open({ scene: 'empty' });
    await tell(page, { type: 'commands', commands });
    const box = boxOf(page);
    await box.pressSequentially('/rev');
    const list = page.getByRole('listbox', { name: 'Commands' });
    await list.getByRole('option', { name: /^\/github:review Review code/, selected: true }).waitFor();
    expect(await list.locator('li').allInnerTexts()).toEqual(['MCP prompts', expect.stringContaining('/github:review')]);
    await box.press('Tab');
    expect(await box.inputValue()).toBe('/github:review ');
    await box.pressSequentially('a.ts');
    await box.press('Enter');
    expect(await posted(page, 'send')).toMatchObject({ text: '/github:review a.ts' });
    await page.waitForFunction(() => document.querySelector('textarea')?.value === '');
    await box.pressSequentially('/rev');
    await list.waitFor();
    await box.press('Enter');
    await posted(page, 'send', { text: '/github:review' });
  });

  test('what comes of it is the text of the message, for the user to change', async () => {
    const page = await rig.open({ scene: 'empty' });
    await tell(
      page,
      { type: 'compose', session: 'session-1', text: 'Review a.ts.' },
      { type: 'attachments', attachments: [{ id: 'x', name: 'github: doc://1', kind: 'file' }] },
    );
    expect(await boxOf(page).inputValue()).toContain('Review a.ts.');
    await page.getByRole('list', { name: 'Attached files' }).getByText('github: doc://1').waitFor();
  });
});

describe('the form', () => {
  test('stands in the place of the message box, says what it is for, and begins at what is missing', async () => {
    const page = await rig.open({ scene: 'empty' });
    await boxOf(page).fill('half a thought');
    await tell(page, { type: 'fill_form', form: { ...form, fields: form.fields.map((field, index) => ({ ...field, value: index === 1 ? 'speed' : '' })) } });
    const card = page.getByRole('group', { name: 'Prompt of github: Review code' });
    await card.waitFor();
    expect(await boxOf(page).isVisible()).toBe(false);
    await expect.poll(() => hasFocus(fieldOf(page, 'file'))).toBe(true);
    expect(await fieldOf(page, 'focus').inputValue()).toBe('speed');
    expect(await card.innerText()).toContain(String.raw`Looks at a file\u200B.`);
    expect(await fieldOf(page, 'file').getAttribute('aria-required')).toBe('true');
    expect(await fieldOf(page, 'file').evaluate((element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent)).toBe(
      'Which file to look at',
    );
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    expect(await boxOf(page).inputValue()).toBe('half a thought');
    await expect.poll(() => hasFocus(boxOf(page))).toBe(true);
    expect(await posted(page, 'cancel_form')).toMatchObject({ form: 'f1' });
  });

  test('what is missing is said, and is gone to; Enter sends what is filled in', async () => {
    const page = await openForm();
    await fieldOf(page, 'focus').fill('speed');
    await fieldOf(page, 'focus').press('Enter');
    await cardOf(page).getByRole('alert').filter({ hasText: 'Fill in this field.' }).waitFor();
    await expect.poll(() => hasFocus(fieldOf(page, 'file'))).toBe(true);
    expect(await typesOf(page)).not.toContain('submit_form');
    await page.keyboard.type('a.ts');
    expect(await cardOf(page).getByRole('alert').count()).toBe(0);
    await page.keyboard.press('Enter');
    expect(await posted(page, 'submit_form')).toMatchObject({ form: 'f1', values: ['a.ts', 'speed', ''] });
    await cardOf(page).getByRole('status').filter({ hasText: 'Getting the prompt…' }).waitFor();
    await page.keyboard.press('Enter');
    expect((await typesOf(page)).filter((type) => type === 'submit_form')).toHaveLength(1);
    await tell(page, { type: 'form_progress', form: 'f1', text: 'Reading /github:review… 50%' });
    await cardOf(page).getByRole('status').filter({ hasText: '50%' }).waitFor();
    await tell(page, { type: 'form_problem', form: 'f1', reason: 'No such file\u202E.' });
    await cardOf(page)
      .getByRole('alert')
      .filter({ hasText: String.raw`No such file\u202E.` })
      .waitFor();
    expect(await fieldOf(page, 'file').inputValue()).toBe('a.ts');
    await page.keyboard.press('Control+Enter');
    await expect.poll(async () => (await typesOf(page)).filter((type) => type === 'submit_form').length).toBe(2);
    await tell(page, { type: 'form_done', form: 'f1' });
    await cardOf(page).waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus(boxOf(page))).toBe(true);
  });

  test('suggestions follow what is typed, with the other values, and keys choose among them', async () => {
    const page = await openForm();
    const file = fieldOf(page, 'file');
    await fieldOf(page, 'focus').fill('speed');
    await file.fill('s');
    const { request } = await posted(page, 'suggest_value', { field: 0, values: ['s', 'speed', ''] });
    await tell(
      page,
      { type: 'form_suggestions', form: 'f1', request: Number(request) - 1, values: ['old'] },
      { type: 'form_suggestions', form: 'f1', request: Number(request), values: ['src/a.ts', 'src/b\u202E.ts'] },
    );
    const list = page.getByRole('listbox', { name: 'Suggestions for file' });
    await list.waitFor();
    expect(await list.getByRole('option').allInnerTexts()).toEqual(['src/a.ts', String.raw`src/b\u202E.ts`]);
    expect(await file.getAttribute('aria-expanded')).toBe('true');
    expect(await file.getAttribute('aria-activedescendant')).toBeNull();
    expect(await violations(page)).toEqual([]);
    await file.press('ArrowDown');
    await file.press('ArrowDown');
    await file.press('ArrowDown');
    expect(await file.getAttribute('aria-activedescendant')).toBe(await list.getByRole('option', { selected: true }).getAttribute('id'));
    await file.press('Enter');
    expect(await file.inputValue()).toBe('src/a.ts');
    await list.waitFor({ state: 'hidden' });
    expect(await typesOf(page)).not.toContain('submit_form');
    await file.press('ArrowDown');
    const again = await posted(page, 'suggest_value', { field: 0, values: ['src/a.ts', 'speed', ''] });
    await tell(page, { type: 'form_suggestions', form: 'f1', request: Number(again['request']), values: ['src/a.ts', 'src/c.ts'] });
    await list.waitFor();
    await file.press('Escape');
    await list.waitFor({ state: 'hidden' });
    await cardOf(page).waitFor();
    await file.press('ArrowDown');
    const third = await page.waitForFunction(
      (last) => globalThis.panelHost.posts.flatMap((message) => (message.type === 'suggest_value' ? message.request : [])).find((each) => each > last),
      Number(again['request']),
    );
    await tell(page, { type: 'form_suggestions', form: 'f1', request: Number(await third.jsonValue()), values: ['src/c.ts'] });
    await list.getByRole('option', { name: 'src/c.ts' }).click();
    expect(await file.inputValue()).toBe('src/c.ts');
    expect(await hasFocus(file)).toBe(true);
  });

  test('a server that suggests nothing is not asked', async () => {
    const page = await openForm({}, { ...form, suggests: false });
    await fieldOf(page, 'file').fill('a');
    await fieldOf(page, 'file').press('Enter');
    await posted(page, 'submit_form');
    expect(await typesOf(page)).not.toContain('suggest_value');
  });

  test('it gets the focus that is meant for where the user writes', async () => {
    const page = await openForm();
    await page.getByRole('button', { name: 'Fix the failing test' }).focus();
    await page.evaluate(() => globalThis.panelHost.post({ type: 'focus_composer' }));
    await expect.poll(() => hasFocus(fieldOf(page, 'file'))).toBe(true);
  });

  test('another conversation closes it', async () => {
    const page = await openForm();
    await page.evaluate(() => globalThis.panelHost.show({ title: 'Other' }, 'session-2'));
    await tell(page, { type: 'draft', session: 'session-2', text: '', at: 0 });
    await cardOf(page).waitFor({ state: 'detached' });
  });

  test('everything is within the panel from 260 to 480 pixels, in each theme, without a fault for screen readers', async () => {
    const page = await openForm();
    await fieldOf(page, 'file').press('Enter');
    expect(await violations(page)).toEqual([]);
    expect(await sticksOutAt(page, [260, 300, 360, 480])).toEqual([]);
  });
});

describe('commands of files', () => {
  const ofFiles: readonly SlashOffer[] = [
    ...commands,
    { name: '/git:commit', hint: '', description: 'Commits', origin: 'project', file: '.claude/commands/git/commit.md' },
    { name: '/fix', hint: '[issue]', description: 'Fixes an issue', origin: 'user', file: '~/.claude/commands/fix.md' },
  ];
  const preview = {
    text: `Fix issue 42\u202E.\n${'Look closely. '.repeat(200)}`,
    commands: ['gh issue view 42', 'cat a\nb'],
    files: ['docs/rules.md'],
    notes: ['This turn runs with the agent “fixer”.'],
    warning: 'It costs about $1.',
  };
  const shown: FillForm = {
    id: 'f2',
    server: '~/.claude/commands/fix.md',
    makes: 'command',
    title: '/fix',
    description: 'Fixes an issue',
    suggests: false,
    typed: '/fix 42',
    fields: [],
    preview,
  };
  const card = (page: Page): Locator => page.getByRole('group', { name: 'Command /fix of ~/.claude/commands/fix.md' });

  test('S-43: stand under where they are from, with their hints; one without arguments is run at once', async () => {
    const page = await rig.open({ scene: 'empty' });
    await tell(page, { type: 'commands', commands: ofFiles });
    const box = boxOf(page);
    await box.pressSequentially('/');
    const list = page.getByRole('listbox', { name: 'Commands' });
    await list.waitFor();
    expect((await list.locator('li').allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim())).toEqual([
      '/compact Summarize the chat',
      'MCP prompts',
      '/github:review Review code · Looks at a file.',
      'Commands of the workspace',
      '/git:commit Commits',
      'Your commands',
      '/fix [issue] Fixes an issue',
    ]);
    expect(await violations(page)).toEqual([]);
    await list.getByRole('option', { name: /^\/fix/ }).click();
    expect(await box.inputValue()).toBe('/fix ');
    await box.fill('/com');
    await list.getByRole('option', { name: /^\/git:commit/ }).click();
    expect(await posted(page, 'send')).toMatchObject({ text: '/git:commit' });
  });

  test('S-44: what is sent is seen whole, with what runs; Enter sends it, canceling gives back what was typed', async () => {
    const page = await rig.open({ scene: 'empty' });
    await tell(page, { type: 'fill_form', form: shown });
    await card(page).waitFor();
    const text = await card(page).innerText();
    for (const part of [String.raw`Fix issue 42\u202E.`, 'gh issue view 42', 'docs/rules.md', 'It costs about $1.']) expect(text).toContain(part);
    expect(
      await card(page)
        .getByRole('list', { name: /^Runs before it is sent/ })
        .getByRole('listitem')
        .count(),
    ).toBe(2);
    await expect.poll(() => hasFocus(card(page).getByRole('button', { name: 'Send' }))).toBe(true);
    expect(await violations(page)).toEqual([]);
    expect(await sticksOutAt(page, [260, 300, 360, 480])).toEqual([]);
    await page.keyboard.press('Escape');
    await card(page).waitFor({ state: 'detached' });
    expect(await boxOf(page).inputValue()).toBe('/fix 42');
    await tell(page, { type: 'fill_form', form: { ...shown, id: 'f3' } });
    await card(page).waitFor();
    await page.keyboard.press('Enter');
    expect(await posted(page, 'submit_form')).toEqual({ type: 'submit_form', form: 'f3', values: [] });
  });

  test('S-34: what would run without asking is listed, with what never does; it is allowed only where the user says so', async () => {
    const page = await rig.open({ scene: 'empty' });
    const allows = { rules: ['Bash(git log:*)', 'Edit(src/**\u202E)'], refused: ['Bash would allow everything.'], state: 'changed' as const };
    const asking = (id: string, more: object = {}): FillForm => ({ ...shown, id, preview: { ...preview, allows: { ...allows, ...more } } });
    await tell(page, { type: 'fill_form', form: asking('g1') });
    await card(page).waitFor();
    expect(await card(page).getByRole('list', { name: 'Would run without asking in this turn:' }).getByRole('listitem').allInnerTexts()).toEqual([
      'Bash(git log:*)',
      String.raw`Edit(src/**\u202E)`,
    ]);
    expect(await card(page).getByRole('list', { name: 'Never allowed:' }).innerText()).toBe('Bash would allow everything.');
    await card(page).getByText('This has changed since you approved it.').waitFor();
    const box = card(page).getByRole('checkbox', { name: /^Allow this/ });
    expect(await box.isChecked()).toBe(false);
    expect(await violations(page)).toEqual([]);
    expect(await sticksOutAt(page, [260, 300, 360, 480])).toEqual([]);
    await card(page).getByRole('button', { name: 'Send' }).click();
    expect(await posted(page, 'submit_form')).toMatchObject({ form: 'g1', allow: false });
    await tell(page, { type: 'fill_form', form: asking('g2', { state: 'waits' }) });
    await box.focus();
    await page.keyboard.press('Space');
    await card(page).getByRole('button', { name: 'Send' }).click();
    expect(await posted(page, 'submit_form')).toMatchObject({ form: 'g2', allow: true });
    await tell(page, { type: 'fill_form', form: asking('g3', { state: 'approved' }) });
    await expect.poll(() => box.isChecked()).toBe(true);
    await tell(page, { type: 'fill_form', form: asking('g4', { state: 'own' }) });
    await card(page).getByText('Runs without asking in this turn:').waitFor();
    expect(await box.count()).toBe(0);
  });
});

describe('resources', () => {
  test('stand under their own heading; one that is taken is a mention', async () => {
    const page = await rig.open({ scene: 'empty' });
    const box = boxOf(page);
    await box.pressSequentially('Fix @');
    const { request } = await posted(page, 'find_mentions');
    await tell(page, { type: 'mentions', request: Number(request), offers });
    const list = page.getByRole('listbox', { name: 'Mentions' });
    await expect
      .poll(() => list.locator('li').evaluateAll((rows) => rows.map((row) => row.querySelector('.name')?.textContent ?? row.textContent)))
      .toEqual(['Files', 'a.ts', 'MCP resources', 'It crashes\u202E', 'Repository…']);
    await list.getByRole('option', { name: /^It crashes/ }).click();
    expect(await box.inputValue()).toBe('Fix @github:issue://7 ');
    expect(await posted(page, 'name_mentions')).toMatchObject({ mentions: ['@github:issue://7'] });
    await tell(page, { type: 'mention_names', names: [{ mention: '@github:issue://7', name: 'github: It crashes' }] });
    const chips = page.getByRole('list', { name: 'Mentioned' });
    await chips.getByText('github: It crashes').waitFor();
    await chips.getByRole('button', { name: 'Remove github: It crashes' }).click();
    expect(await box.inputValue()).toBe('Fix ');
  });

  test('an address with blanks opens the form; the mention goes to where the cursor was', async () => {
    const page = await rig.open({ scene: 'empty' });
    const box = boxOf(page);
    await box.fill('Look at  please');
    await box.evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(8, 8));
    await box.pressSequentially('@');
    const { request } = await posted(page, 'find_mentions');
    await tell(page, { type: 'mentions', request: Number(request), offers });
    await page.getByRole('option', { name: /^Repository…/ }).click();
    expect(await posted(page, 'open_template')).toMatchObject({ server: 'github', uriTemplate: 'repo://{owner}' });
    await tell(page, { type: 'fill_form', form: { ...form, makes: 'resource', title: 'Repository', fields: [{ name: 'owner', required: true, value: '' }] } });
    await expect.poll(() => hasFocus(fieldOf(page, 'owner'))).toBe(true);
    await page.keyboard.type('ada');
    await cardOf(page).getByRole('button', { name: 'Insert' }).click();
    expect(await posted(page, 'submit_form')).toMatchObject({ values: ['ada'] });
    await tell(page, { type: 'form_done', form: 'f1', insert: '@github:repo://ada' });
    expect(await box.inputValue()).toBe('Look at @github:repo://ada  please');
    await expect.poll(() => hasFocus(box)).toBe(true);
  });

  test('what a message waits for is shown, and can be canceled; the text stays', async () => {
    const page = await rig.open({ scene: 'empty' });
    await page.evaluate(() => (globalThis.outerHost = () => undefined));
    const box = boxOf(page);
    await box.fill('Fix @github:issue://7 now');
    await box.press('Enter');
    const { sendId } = await posted(page, 'send');
    await tell(page, { type: 'send_progress', sendId: String(sendId), text: 'Reading github: It crashes… 25%' });
    await page.getByRole('status').filter({ hasText: '25%' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await posted(page, 'cancel_send')).toMatchObject({ sendId });
    await tell(page, { type: 'rejected', sendId: String(sendId), reason: '' });
    expect(await box.inputValue()).toBe('Fix @github:issue://7 now');
    expect(await page.getByRole('status').filter({ hasText: '25%' }).count()).toBe(0);
    expect(await page.locator('.rejection').count()).toBe(0);
  });
});
