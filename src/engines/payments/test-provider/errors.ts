/** Responses of the test provider. */

export interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** The request was not valid, so nothing is stored for its idempotency key. */
  readonly isInvalid?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export const ok = (body: Readonly<Record<string, unknown>>): Reply => ({ status: 200, body });

export interface ErrorMembers {
  readonly type?: string;
  readonly code?: string;
  readonly message: string;
  readonly param?: string;
  readonly decline_code?: string;
  readonly payment_intent?: unknown;
}

/** An error in the form of the protocol. */
export const failed = (status: number, { type = 'invalid_request_error', ...members }: ErrorMembers): Reply => ({
  status,
  body: { error: { type, ...members } },
  isInvalid: status === 400 || status === 401 || status === 404,
});

export const missing = (what: string, id: string): Reply =>
  failed(404, { code: 'resource_missing', message: `No such ${what}: '${id}'`, param: 'id' });

export const invalidAmount = (): Reply =>
  failed(400, { code: 'parameter_invalid_integer', message: 'Invalid integer: amount', param: 'amount' });

export const amountTooSmall = (): Reply =>
  failed(400, { code: 'amount_too_small', message: 'Amount must be at least 30 units.', param: 'amount' });

export const SERVER_ERROR: Reply = {
  status: 500,
  body: { error: { type: 'api_error', message: 'An error occurred within the test provider.' } },
};
