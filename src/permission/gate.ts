import type { Gate, GateRequest, Judgement } from '../domain/permission.js';
import type { Workspace } from '../domain/workspace.js';
import { findCautions } from './cautions.js';
import { decide } from './decide.js';
import type { Grant } from './grants.js';
import { grantFor, Grants } from './grants.js';

/** What a gate works with. */
export interface GateOptions {
  readonly workspace: Workspace;
  /** Whether file names that differ only in case are the same file here. Protected names never depend on case. */
  readonly caseInsensitive: boolean;
  /** Absolute path of the person's home directory. */
  readonly home: string;
  /** Absolute path of the folder with the full outputs of commands; reading there is like reading in the workspace. */
  readonly outputFolder?: string;
}

/** Makes the gate that all calls of all sessions pass. What it allows by request it forgets at the end of the process. */
export function createGate(options: GateOptions): Gate {
  const grants = new Grants();
  const grantOf = (request: GateRequest): Grant | undefined => grantFor(request.plan, options.caseInsensitive);
  return {
    async judge(request, signal): Promise<Judgement> {
      const cautions = await findCautions(request.plan, options);
      signal.throwIfAborted();
      const grant = grantOf(request);
      const granted = grant !== undefined && grants.covers(request, grant);
      return decide({ mode: request.mode, plan: request.plan, cautions, grant, granted });
    },
    grant(request) {
      const grant = grantOf(request);
      if (grant !== undefined) grants.add(request, grant);
    },
  };
}
