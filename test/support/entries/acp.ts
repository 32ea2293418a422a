import { methods, type NewSessionRequest, RequestError } from '@agentclientprotocol/sdk';
import { selected, TestEditor } from '../acp-editor.js';
import { type Entry, MODEL, type Place, type Work } from './entry.js';
import { ProgramHere } from './program-here.js';

/** An editor by the Agent Client Protocol: one agent for all its sessions. */
export class AcpEntry implements Entry {
  private editor: TestEditor<ProgramHere> | undefined;
  /** What users answer in the sessions. */
  private readonly answers = new Map<string, () => string>();

  async begin(place: Place): Promise<Work> {
    const { folder, mode, resumes, answer = 'allow' } = place;
    const editor = (this.editor ??= await this.start(place));
    const { session } = methods.agent;
    const at: NewSessionRequest = { cwd: folder, mcpServers: [] };
    const id = resumes ?? (await editor.agent.request(session.new, at)).sessionId;
    if (resumes !== undefined) await editor.agent.request(session.load, { sessionId: id, ...at });
    if (mode !== undefined) await editor.agent.request(session.setMode, { sessionId: id, modeId: mode });
    let asked = 0;
    this.answers.set(id, () => {
      asked += 1;
      return answer === 'allow' ? 'allow_once' : 'reject_once';
    });
    return {
      id,
      get asked() {
        return asked;
      },
      say: async (words) => {
        await editor.prompt(id, words).catch((error: unknown) => {
          // A turn that failed is over.
          if (!(error instanceof RequestError)) throw error;
        });
      },
      stop: () => void editor.agent.notify(session.cancel, { sessionId: id }),
      close: async () => void (await editor.agent.request(session.close, { sessionId: id })),
    };
  }

  async close(): Promise<void> {
    this.editor?.program.process.stdin.end();
    await this.editor?.program.end;
  }

  private async start({ folder, environment }: Place): Promise<TestEditor<ProgramHere>> {
    const editor = new TestEditor(new ProgramHere({ args: ['acp', '--model', MODEL], folder, environment }));
    editor.choose = ({ sessionId }) => selected(this.answers.get(sessionId)?.() ?? 'reject_once');
    await editor.initialize();
    return editor;
  }
}
