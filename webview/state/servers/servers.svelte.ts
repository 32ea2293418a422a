import { SvelteMap, SvelteSet } from 'svelte/reactivity';
import { assertNever } from '../../../src/protocol/assert-never.js';
import type { ViewElicitation } from '../../../src/protocol/elicitation.js';
import { SERVER_MESSAGES, type ServerMessage } from '../../../src/protocol/host/server-messages.js';
import type { HostMessage, PanelMessage } from '../../../src/protocol/messages.js';
import type { ServerAction, ServerConsent, ServerDetails, ServerImport, ServerInspection, ServerRow, ServersView } from '../../../src/protocol/servers.js';

/** View of the servers page: the list, a server, its approval, or the import. */
export type ServersPlace = { readonly at: 'list' | 'import' } | { readonly at: 'server' | 'consent'; readonly id: string };

/** Result message of an action. */
type Told = Pick<Extract<ServerMessage, { type: 'servers_told' }>, 'level' | 'text'>;

/** Messages with facts about the servers; the other leads the user to them. */
export type ServerNews = Exclude<ServerMessage, { type: 'show_servers' }>;

/** Whether a message is for {@link ServersState.take}. */
export function isServerNews(message: HostMessage): message is ServerNews {
  return message.type !== 'show_servers' && Object.hasOwn(SERVER_MESSAGES, message.type);
}

/** State of the MCP servers page. Only what is shown is kept. */
export class ServersState {
  shown = $state(false);
  place = $state.raw<ServersPlace>({ at: 'list' });
  /** `undefined` until the host has sent it. */
  view = $state.raw<ServersView | undefined>();
  /** Of the server at the place; `undefined` until the host has sent it. */
  details = $state.raw<ServerDetails | undefined>();
  /** Of the server at the place; `null` when there is nothing to approve. */
  consent = $state.raw<ServerConsent | null | undefined>();
  /** Of the server at the place, while the inspector is open. */
  inspection = $state.raw<ServerInspection | undefined>();
  imports = $state.raw<readonly ServerImport[] | undefined>();
  told = $state.raw<Told | undefined>();
  /** Requests of servers to the user, oldest first. */
  elicitations = $state.raw<readonly ViewElicitation[]>([]);
  /** Texts of messages of the inspector that were asked for; `null` for one that is not kept any more. */
  readonly texts = new SvelteMap<number, string | null>();
  /** Icons of servers, as addresses of this page. */
  readonly icons = new SvelteMap<string, string>();
  private readonly askedIcons = new SvelteSet<string>();
  private revision = -1;

  constructor(private readonly post: (message: PanelMessage) => void) {}

  /** The server at the place; `undefined` for one that is gone, and where there is none. */
  get server(): ServerRow | undefined {
    return this.place.at === 'server' || this.place.at === 'consent' ? this.rowOf(this.place.id) : undefined;
  }

  /** Begins and ends showing the servers. */
  show(shown: boolean): void {
    this.shown = shown;
    this.goTo({ at: 'list' });
    if (!shown) this.forget();
    this.post({ type: shown ? 'list_servers' : 'close_servers' });
  }

  /** Shows something else of the servers, and asks for what that needs. */
  goTo(place: ServersPlace): void {
    this.place = place;
    this.told = undefined;
    this.details = undefined;
    this.consent = undefined;
    this.inspection = undefined;
    this.imports = undefined;
    this.texts.clear();
    if (place.at === 'server') this.load(place.id);
    else if (place.at === 'consent') this.loadConsent(place.id);
    else if (place.at === 'import') this.post({ type: 'load_server_imports' });
  }

  /** Goes back by one place. @returns whether there was one to go back to. */
  back(): boolean {
    if (this.place.at === 'list') return false;
    this.goTo({ at: 'list' });
    return true;
  }

  /** Runs an action of a server, and clears earlier messages, which could be mistaken for its result. */
  act(id: string, action: ServerAction): void {
    this.told = undefined;
    this.post({ type: 'server_action', id, action });
  }

  /** Opens the inspector, brings it up to date, or closes it. */
  inspect(id: string, open = true): void {
    this.texts.clear();
    if (open) this.post({ type: 'inspect_server', id });
    else this.inspection = undefined;
  }

  /** Asks for the icon of a server, once. */
  loadIcon(id: string): void {
    if (this.askedIcons.has(id)) return;
    this.askedIcons.add(id);
    this.post({ type: 'load_server_icon', id });
  }

  /** Takes a message of the host. */
  take(message: ServerNews): void {
    switch (message.type) {
      case 'servers':
        return this.takeView(message.view);
      case 'server_details':
        if (this.isAt('server', message.id)) this.details = message.details;
        return;
      case 'server_consent':
        if (this.isAt('consent', message.id)) this.consent = message.consent ?? null;
        return;
      case 'server_icon':
        return this.takeIcon(message);
      case 'server_imports':
        if (this.place.at === 'import') this.imports = message.files;
        return;
      case 'servers_told':
        this.told = { level: message.level, text: message.text };
        return;
      case 'elicitations':
        this.elicitations = message.elicitations;
        return;
      default:
        this.takeInspected(message);
    }
  }

  private takeInspected(message: Extract<ServerNews, { type: 'server_inspection' | 'server_message' }>): void {
    if (!this.isAt('server', message.id)) return;
    switch (message.type) {
      case 'server_inspection':
        this.inspection = message.inspection;
        return;
      case 'server_message':
        this.texts.set(message.seq, message.text ?? null);
        return;
      default:
        assertNever(message);
    }
  }

  private takeView(view: ServersView): void {
    if (!this.shown) return;
    this.view = view;
    const { server, place } = this;
    if (place.at === 'server' && server !== undefined && server.revision !== this.revision) this.load(server.id);
    // What is shown for consent may be another one by now; what was approved is what is on the screen.
    if (place.at === 'consent' && server !== undefined && server.revision !== this.revision) this.loadConsent(server.id);
  }

  private takeIcon({ id, mimeType, data }: Extract<ServerNews, { type: 'server_icon' }>): void {
    if (!this.askedIcons.has(id) || this.icons.has(id)) return;
    this.icons.set(id, URL.createObjectURL(new Blob([new Uint8Array(data)], { type: mimeType })));
  }

  private load(id: string): void {
    this.revision = this.rowOf(id)?.revision ?? -1;
    this.post({ type: 'load_server', id });
  }

  private loadConsent(id: string): void {
    this.revision = this.rowOf(id)?.revision ?? -1;
    this.post({ type: 'load_server_consent', id });
  }

  private rowOf(id: string): ServerRow | undefined {
    return this.view?.servers.find((server) => server.id === id);
  }

  private isAt(at: 'server' | 'consent', id: string): boolean {
    return this.place.at === at && this.place.id === id;
  }

  private forget(): void {
    this.view = undefined;
    for (const url of this.icons.values()) URL.revokeObjectURL(url);
    this.icons.clear();
    this.askedIcons.clear();
  }
}
