import { t } from '../../../domain/l10n.js';
import { parseThinkingEffort } from '../../../domain/model/effort.js';
import { parsePermissionMode } from '../../../domain/tool/permission.js';
import type { TurnRequest } from '../../../protocol/panel/turn-requests.js';
import type { NoticeAction } from '../../../protocol/view-state.js';
import type { ChatElves } from '../../conversation/chat-elves.js';
import type { PaneActions } from '../pane-actions.js';
import type { Handlers } from './handlers.js';

/** Runs a command of VS Code or of the manifest. */
export type RunCommand = (command: string, argument?: string) => void;

/** Services of the turn requests that are not the pane's: VS Code commands, and the warning before permissions are bypassed. */
export interface TurnDeps {
  readonly runCommand: RunCommand;
  readonly confirmBypass: () => Promise<boolean>;
  readonly elves: ChatElves;
}

/** The commands behind the notices' buttons. */
const COMMANDS: Readonly<Record<Exclude<NoticeAction, 'continue' | 'retry' | 'use_own_model'>, readonly [command: string, argument?: string]>> = {
  set_api_key: ['gnomon.setApiKey'],
  use_key: ['gnomon.useApiKey'],
  manage_trust: ['workbench.trust.manage'],
  select_model: ['gnomon.selectModel'],
  open_settings: ['workbench.action.openSettings', '@ext:gnomon.gnomon'],
  show_log: ['gnomon.showLog'],
};

/** Handlers for the running turn, and for the options of the next ones. */
export function turnHandlers(pane: PaneActions, { runCommand, confirmBypass, elves }: TurnDeps): Handlers<TurnRequest> {
  return {
    stop: () => pane.current.session.cancel(),
    open_elf: ({ elf }) => elves.open(pane.current, elf),
    stop_elves: ({ elf }) => elves.stop(pane.current, elf),
    continue_elf: ({ elf }) => (elf === undefined ? elves.goOnAll(pane.current) : elves.goOn(pane.current, elf)),
    raise_elf_limit: ({ limit, to }) => elves.raise(pane.current, limit, to),
    stop_at_elf_limit: () => elves.stopAtLimit(pane.current),
    dismiss_elf_limit: () => elves.dismissLimit(pane.current),
    apply_elf: ({ elf }) => elves.apply(pane.current, elf),
    // What is chosen while another conversation comes is for that one.
    set_model: ({ model }) => pane.arrived().then(() => pane.choices.choose(model)),
    set_mode: ({ mode }) => pane.arrived().then(() => setMode(pane, mode, confirmBypass)),
    set_agent: ({ agent }) => pane.arrived().then(() => pane.choices.chooseAgent(agent)),
    favorite_model: ({ model, on }) => pane.choices.prefer(model, on),
    show_estimates: () => runCommand('gnomon.showModelEstimates'),
    compact: () => pane.current.compact(''),
    set_effort: ({ effort }) => pane.arrived().then(() => setEffort(pane, effort)),
    retry_now: () => void pane.current.session.retryNow(),
    answer_approval: (message) => pane.answer(message),
    answer_question: (message) => pane.current.answerQuestion(message),
    dismiss_question: (message) => pane.current.answerQuestion(message),
    notice_action: ({ action }) => {
      if (action === 'continue') pane.current.continueTurn();
      else if (action === 'retry') pane.current.retry();
      else if (action === 'use_own_model') return pane.arrived().then(() => pane.choices.chooseOwn());
      else runCommand(...COMMANDS[action]);
      return undefined;
    },
  };
}

function setEffort(pane: PaneActions, value: string): void {
  const effort = parseThinkingEffort(value);
  if (effort === undefined) throw new Error(t('Unknown thinking effort “{0}”.', value));
  pane.current.setEffort(effort);
}

/** Changes what may be done without asking; bypassing permissions is confirmed first. @throws Error for what is no mode. */
export async function setMode(pane: PaneActions, value: string, confirmBypass: TurnDeps['confirmBypass']): Promise<void> {
  const mode = parsePermissionMode(value);
  if (mode === undefined) throw new Error(t('Unknown permission mode “{0}”.', value));
  // Another conversation may be shown by the time the user has answered.
  const { current } = pane;
  const confirmed = mode !== 'bypassPermissions' || (await confirmBypass());
  current.setMode(confirmed ? mode : current.session.mode);
}
