import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { hintOf, promptCommands } from '../../mcp/prompts/prompt-commands.js';
import { headOf, showName } from '../../text/show.js';
import { offeredCommands } from '../offered-commands.js';
import type { HeadlessHost } from '../open-host.js';
import { commandsUpdate } from './v1.js';

/** Characters of what a server says of a prompt. */
const MAX_DESCRIPTION = 300;

/** Tells an editor which commands a message can begin with: those of files and skills, the prompts of servers, and the one that summarizes. */
export class EditorCommands {
  private readonly stops: readonly (() => void)[];
  /** What it was told last, as JSON; absent before it knows the session. */
  private told: string | undefined;

  constructor(
    private readonly opened: Pick<HeadlessHost, 'host' | 'log'>,
    private readonly tell: (update: SessionUpdate) => void,
  ) {
    const { commandFiles, skills, servers } = opened.host;
    const look = (): void => {
      if (this.told !== undefined) this.look();
    };
    const ofServers = servers.shared.subscribe(({ type }) => {
      if (type === 'state' || type === 'removed') look();
    });
    this.stops = [commandFiles.onDidChange(look), skills.onDidChange(look), ofServers];
  }

  /** Tells them, and from now on whenever they are others. */
  begin(): void {
    this.told = '';
    this.look();
  }

  close(): void {
    for (const stop of this.stops) stop();
  }

  private look(): void {
    this.tellNew().catch((error: unknown) => this.opened.log.error('The editor was not told which commands there are', error));
  }

  private async tellNew(): Promise<void> {
    const { host } = this.opened;
    const own = await offeredCommands(host);
    const prompts = promptCommands(host.servers.shared).map(({ name, prompt }) => ({
      name: name.slice(1),
      description: showName(headOf(prompt.description ?? prompt.title ?? prompt.name, MAX_DESCRIPTION)),
      argumentHint: hintOf(prompt),
    }));
    const now = JSON.stringify([...own, ...prompts]);
    if (now === this.told) return;
    this.told = now;
    this.tell(commandsUpdate([...own, ...prompts]));
  }
}
