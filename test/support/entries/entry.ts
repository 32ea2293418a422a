import type { PermissionMode } from '../../../src/domain/tool/permission.js';

/** Where work is done, and what a user says to it. */
export interface Place {
  /** Absolute path of the folder to work in. */
  readonly folder: string;
  /** The environment of the program, in which this process is, too. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly mode?: PermissionMode;
  /** The session to go on with. */
  readonly resumes?: string;
  /** What the user answers to a question for permission. Default: allow. */
  readonly answer?: 'allow' | 'deny';
}

/** A session, by whichever way it was begun. */
export interface Work {
  /** Its id, once something was said. */
  readonly id: string;
  /** How often the user was asked for permission. */
  readonly asked: number;
  /** Says something. Resolves when the turn is over, however it ends. */
  say(words: string): Promise<void>;
  /** Stops the turn, as a user does. */
  stop(): void;
  /** Ends the session. Resolves when everything is stored. */
  close(): Promise<void>;
}

/** A way in which Gnomon gets work. */
export interface Entry {
  /** Begins a session. */
  begin(place: Place): Promise<Work>;
  /** Ends what all its sessions share. */
  close(): Promise<void>;
}

/** The model that all use. */
export const MODEL = 'anthropic/claude-sonnet-5-5';
