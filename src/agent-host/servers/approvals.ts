import { canBeApproved, mayWork, type WorkspaceTrust } from '../../domain/host/folders.js';
import { t } from '../../domain/l10n.js';
import { NOTHING_BOUND, type BoundPlaces, joinedPlaces } from '../../domain/workspace/binding.js';
import type { McpEntry, McpInput } from '../../domain/mcp/config.js';
import { McpError } from '../../domain/mcp/connection.js';
import type { McpToolInfo } from '../../domain/mcp/feature.js';
import { folderOf, resolveConfig, type VariableValues, withEnvFile } from '../../mcp/config/resolve-config.js';
import { serverId } from '../../domain/mcp/tool-name.js';
import type { ApprovalStore } from '../../domain/host/approvals.js';
import { acceptTools, consentTo, type ConsentVerdict, isEarlier, isSameKey, judgeConsent, type McpConsent } from '../../mcp/consent/consent.js';
import { consentFor, withConsent } from '../../mcp/consent/consent-store.js';
import { type ExaminedEntry, examineEntry } from '../../mcp/consent/examine-entry.js';
import { type SeenTool, seenTool } from '../../mcp/consent/tool-fingerprint.js';
import type { McpVerdict } from '../../mcp/servers/ports.js';
import { readEnvFile } from '../../node/mcp/env-file.js';
import { boundContent } from '../../node/files/bound-content.js';
import type { ApprovedScripts, ChangedScript } from '../../node/mcp/approved-scripts.js';
import type { Inputs } from './inputs.js';

/** Services that decide whether a server may start: stored approvals, Workspace Trust, and the values of inputs and variables. */
export interface ApprovalsDeps {
  readonly store: ApprovalStore<McpConsent>;
  readonly inputs: Pick<Inputs, 'values'>;
  /** Inputs that the user fills in before a server starts. */
  readonly inputsOf: (entry: McpEntry) => readonly McpInput[];
  readonly trust: Pick<WorkspaceTrust, 'trusted' | 'worksUntrusted' | 'needsNoApproval'>;
  /** Whether an agent that defines an entry works in a chat; always for a server that all chats have. */
  readonly inUse: (entry: McpEntry) => boolean;
  /** Keeps what was approved of scripts, to show later what has changed. */
  readonly scripts: ApprovedScripts;
  /** Notifies the user that the approval of an entry covers more files than before. Default: no notice. */
  readonly tellMore?: (entry: McpEntry) => void;
  /** Current values of variables. */
  readonly values: () => Omit<VariableValues, 'inputs'>;
}

/** An entry as it is now, and what the user said about it. */
export interface Judged extends ExaminedEntry {
  readonly verdict: ConsentVerdict;
  /** Whether it is approved as an earlier version asked, and there is more to approve by now. */
  readonly hasMore: boolean;
}

/** Approvals of servers, each bound to the content of the entry. Whether a server may start is decided anew before each start. */
export class Approvals {
  private readonly judged = new Map<string, { readonly places: BoundPlaces; readonly hasMore: boolean }>();

  constructor(private readonly deps: ApprovalsDeps) {}

  /** Looks at an entry and everything that it starts. Replaces no variable for anyone but itself. */
  async judge(entry: McpEntry): Promise<Judged> {
    const values = { ...this.deps.values(), inputs: new Map<string, string>() };
    const examined = await examineEntry(entry, values, { boundContent, readEnvFile }, new AbortController().signal);
    const { effective, adds, places } = examined;
    const stored = consentTo(effective, (key) => consentFor(this.deps.store.list(), key));
    const { scope } = entry.source;
    const needsNone = scope === 'program' || (scope === 'workspace' && this.deps.trust.needsNoApproval === true);
    const verdict = needsNone ? 'approved' : judgeConsent(effective, stored);
    const earlier = verdict === 'approved' && stored !== undefined && isEarlier(stored) ? stored : undefined;
    // Migrates an approval of an earlier version that covers everything: changes are detected from now on.
    if (earlier !== undefined && !adds)
      await this.deps.store.change((all) => (consentFor(all, earlier.key) === undefined ? all : withConsent(all, effective, earlier.approvedAt)));
    const hasMore = earlier !== undefined && adds;
    if (hasMore) this.deps.tellMore?.(entry);
    this.judged.set(keyOf(entry), { places: verdict === 'approved' ? places : NOTHING_BOUND.places, hasMore });
    return { ...examined, verdict, hasMore };
  }

  /** Whether more is bound of an approved entry than when it was approved, as of when it was judged last. */
  hasMore(entry: McpEntry): boolean {
    return this.judged.get(keyOf(entry))?.hasMore === true;
  }

  /** Where what approved entries are bound to is, as of when they were judged last. */
  get boundPlaces(): BoundPlaces {
    return joinedPlaces([...this.judged.values()].map(({ places }) => places));
  }

  /** Whether a server may start, with all variables replaced if so. @throws McpError when it cannot start as it is configured */
  async verdict(entry: McpEntry): Promise<McpVerdict> {
    const { trust } = this.deps;
    if (!mayWork(trust)) return { may: false, waitsFor: 'trust' };
    const { verdict, variables, problem } = await this.judge(entry);
    if (verdict !== 'approved' && !canBeApproved(trust, entry.source.scope === 'workspace')) return { may: false, waitsFor: 'trust' };
    if (verdict === 'new') return { may: false, waitsFor: 'approval' };
    if (verdict !== 'approved') return { may: false, waitsFor: 'changed' };
    if (problem !== undefined) throw new McpError('refused', problem);
    if (!this.deps.inUse(entry)) return { may: false, waitsFor: 'agent' };
    const inputs = this.deps.inputsOf(entry);
    const values = { ...this.deps.values(), inputs: await this.deps.inputs.values(entry.source.file, inputs) };
    const resolved = resolveConfig(entry, inputs, values);
    if ('problems' in resolved) {
      if (resolved.problems.length === 0) return { may: false, waitsFor: 'input' };
      throw new McpError('refused', resolved.problems.map(({ message }) => message).join(' '));
    }
    // The variables are those of the same reading as what was approved.
    const { config, secrets } = withEnvFile(resolved, variables);
    return { may: true, target: { name: serverId(entry.name), config, cwd: folderOf(entry, values)?.path ?? values.home }, secrets };
  }

  /** Approves an entry. @param hash of what the user has seen @throws Error when it is something else by now, or the workspace is not trusted */
  async approve(entry: McpEntry, hash: string): Promise<void> {
    if (!canBeApproved(this.deps.trust, entry.source.scope === 'workspace')) throw new Error(t('Servers cannot be approved before the workspace is trusted.'));
    const { effective } = await this.judge(entry);
    if (effective.hash !== hash) throw new Error(t('The server has just changed. Look at it again before you approve it.'));
    const needed = new Set(this.deps.store.list().flatMap(({ files }) => files.map(({ sha256 }) => sha256)));
    await this.deps.scripts.keep(effective.files, this.folders, needed);
    await this.deps.store.change((all) => withConsent(all, effective, Date.now()));
  }

  /** Changes in the scripts that were approved with an entry, if they are text files. */
  async changedScripts({ verdict }: Judged): Promise<readonly ChangedScript[]> {
    if (typeof verdict === 'string') return [];
    return this.deps.scripts.changes(verdict.files, this.folders);
  }

  private get folders(): readonly string[] {
    return this.deps.values().folders.map(({ path }) => path);
  }

  /** Takes an approval back, with everything that was accepted. */
  async revoke(entry: McpEntry): Promise<void> {
    const given = this.ofEntry(entry);
    if (given !== undefined) await this.deps.store.change((all) => all.filter(({ key }) => !isSameKey(key, given.key)));
  }

  /** The approval of an entry, also of what it was before. */
  ofEntry({ name, source }: McpEntry): McpConsent | undefined {
    return this.deps.store
      .list()
      .find(
        ({ key }) => key.name === name && key.file === source.file && (key.folder === undefined || source.folder === undefined || key.folder === source.folder),
      );
  }

  /** Tools of a server that the user has accepted, by name. */
  acceptedTools(entry: McpEntry): ReadonlyMap<string, SeenTool> {
    return new Map(this.ofEntry(entry)?.tools.map((tool) => [tool.name, tool]));
  }

  /** Remembers that the user has accepted tools as they are now. */
  async accept(entry: McpEntry, tools: readonly McpToolInfo[]): Promise<void> {
    const given = this.ofEntry(entry);
    if (given === undefined || tools.every((tool) => given.tools.some(({ fingerprint }) => fingerprint === seenTool(tool).fingerprint))) return;
    // Another window may have revoked the approval meanwhile: there is nothing to accept tools of then.
    await this.deps.store.change((all) => all.map((each) => (isSameKey(each.key, given.key) ? acceptTools(each, tools) : each)));
  }
}

function keyOf({ name, source: { file, folder } }: McpEntry): string {
  return JSON.stringify([file, name, folder ?? null]);
}
