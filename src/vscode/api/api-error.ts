import type { GnomonApiError } from './gnomon-api.js';

/** Refuses a call of another extension. The message is for its developers, so it stays English. */
export class ApiError extends Error implements GnomonApiError {
  override readonly name = 'GnomonApiError';
  readonly code: GnomonApiError['code'];

  constructor(code: GnomonApiError['code'], message: string) {
    super(message);
    this.code = code;
  }
}
