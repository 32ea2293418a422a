import {
  type AgentContext,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  methods,
  RequestError,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SendRequestOptions,
  type SessionUpdate,
} from '@agentclientprotocol/sdk';
import { ToolInputError } from '../../domain/errors.js';
import type { EditorFiles } from './editor-documents.js';
import type { EditorPaths } from './editor-paths.js';
import { Updates } from './updates.js';
import { type EditorAbilities, joinedUpdates } from './v1.js';

/** The editor of a session: what it is told, and what it is asked. */
export class Editor {
  private readonly updates: Updates<SessionUpdate>;
  /** Its files; absent where it does not share them. */
  readonly files?: EditorFiles;
  /** Shows a form to its user; absent where it has none. */
  readonly showForm?: (request: CreateElicitationRequest, signal: AbortSignal) => Promise<CreateElicitationResponse>;

  constructor(
    private readonly client: AgentContext,
    readonly sessionId: string,
    readonly paths: EditorPaths,
    readonly abilities: EditorAbilities,
  ) {
    this.updates = new Updates((update) => client.notify(methods.client.session.update, { sessionId, update }), joinedUpdates);
    if (abilities.files) this.files = filesOf(client, sessionId, paths);
    if (abilities.forms) this.showForm = (request, signal) => client.request(methods.client.elicitation.create, request, until(signal));
  }

  /** Tells it something, behind all that it was told before. */
  tell(update: SessionUpdate): void {
    this.updates.add(update);
  }

  /** Resolves when it was told everything, or is gone. */
  told(): Promise<void> {
    return this.updates.drained();
  }

  /** Has it ask its user for permission, once it knows of the call. The signal takes the question back. */
  readonly askPermission = async (request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse> => {
    await this.told();
    signal.throwIfAborted();
    return this.client.request(methods.client.session.requestPermission, request, until(signal));
  };
}

/** Codes of errors that say that something may not be done, and not only that it cannot. */
const REFUSALS = [-32_000, -32_001];

function filesOf(client: AgentContext, sessionId: string, paths: EditorPaths): EditorFiles {
  return {
    read: async (path, signal) => {
      try {
        const { content } = await client.request(methods.client.fs.readTextFile, { sessionId, path: paths.toEditor(path) }, until(signal));
        return content;
      } catch (error) {
        if (!(error instanceof RequestError) || !REFUSALS.includes(error.code)) throw error;
        throw new ToolInputError(`The editor does not give ${path}: ${error.message}`, { cause: error });
      }
    },
    write: async (path, content, signal) => {
      await client.request(methods.client.fs.writeTextFile, { sessionId, path: paths.toEditor(path), content }, until(signal));
    },
  };
}

/** A request that is taken back when the signal says so, and not waited for any longer. */
function until(signal: AbortSignal): SendRequestOptions {
  return { cancellationSignal: signal, stopWaitingOnCancel: true };
}
