import { present } from '../../../domain/present.js';
import type { TranscriptRequest } from '../../../protocol/panel/transcript-requests.js';
import type { WindowIncludeConsent } from '../../../consent/include-consent.js';
import { forkItem, resendItem, retryItem } from '../../conversation/branches.js';
import type { PageWindow } from '../../ports.js';
import type { PaneActions } from '../pane-actions.js';
import { findText } from '../../code/find-text.js';
import { imageOf, itemText } from '../../projection/items.js';
import type { Panel } from '../panel.js';
import type { Handlers } from './handlers.js';

type Ask<Type extends TranscriptRequest['type']> = Extract<TranscriptRequest, { readonly type: Type }>;

/** Asks whether instructions may include a file. */
export type Includes = Pick<WindowIncludeConsent, 'decide'>;

/** Handlers of the transcript. */
export function transcriptHandlers(pane: PaneActions, window: PageWindow, includes: Includes): Handlers<TranscriptRequest> {
  return {
    undo_compaction: () => void pane.current.session.undoCompaction(),
    open_instruction: ({ display }) => window.openInstruction(pane.current.session.instructions, display),
    ask_include: ({ display }) => askInclude(pane, includes, display),
    open_link: ({ url }) => window.openLink(url),
    find_files: async ({ paths }, panel) => panel.post({ type: 'files', asked: paths, found: await window.filesAmong(paths) }),
    open_file: ({ path }) => window.openFile(path),
    copy_item: (message, panel) => copyItem(pane, window, { panel, message }),
    fork_item: ({ item }) => forkItem(pane, item),
    retry_item: ({ item }) => retryItem(pane, item),
    explain_model: async ({ item }, panel) => panel.post({ type: 'model_explained', item, ...present({ explanation: await pane.choices.explain(item) }) }),
    correct_kind: ({ item, kind }) => pane.current.correctKind(item, kind),
    send_again: ({ item }) => pane.current.sendAgain(item),
    resend_item: ({ item, text }) => resendItem(pane, item, text),
    insert_code: ({ text }) => window.insertCode(text),
    apply_code: (message) => applyCode(pane, window, message),
    load_image: (message, panel) => loadImage(pane, panel, message),
    find_text: (message, panel) => find(pane, panel, message),
  };
}

async function askInclude({ current }: PaneActions, includes: Includes, display: string): Promise<void> {
  const file = current.session.instructions.leftOut.find((each) => each.display === display);
  if (file?.wantedBy !== undefined) await includes.decide(file.wantedBy, file.path);
}

async function copyItem(
  { current }: PaneActions,
  { copy }: PageWindow,
  { panel, message: { item: id } }: { readonly panel: Panel; readonly message: Ask<'copy_item'> },
): Promise<void> {
  const item = current.view.state.items.find((candidate) => candidate.id === id);
  if (item === undefined) return;
  await copy(itemText(item));
  panel.post({ type: 'copied', item: id });
}

async function applyCode({ current }: PaneActions, window: PageWindow, { text, path }: Ask<'apply_code'>): Promise<void> {
  const messageIndex = current.session.messages.findLastIndex(({ role }) => role === 'user');
  await window.applyCode({ text, sessionId: current.id, messageIndex, ...present({ path }) });
}

function loadImage({ current }: PaneActions, panel: Panel, message: Ask<'load_image'>): void {
  const { item, call, index } = message;
  const block = imageOf(current.session.messages, message);
  panel.post({
    type: 'image',
    session: current.id,
    item,
    index,
    ...present({ call }),
    ...(block === undefined ? {} : { image: { mimeType: block.mimeType, data: block.data } }),
  });
}

async function find({ current }: PaneActions, panel: Panel, { query, request }: Ask<'find_text'>): Promise<void> {
  const found = await findText(current.view.state.items, query);
  panel.post({ type: 'found', session: current.id, request, ...found });
}
