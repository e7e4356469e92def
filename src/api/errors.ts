/** All errors of the API in one table: a stable code and its HTTP status. Texts stand in messages/, per language. */

export const ERRORS = {
  INVALID_INPUT: 400,
  MALFORMED_JSON: 400,
  INVALID_ENCODING: 400,
  TOO_DEEP: 400,
  UNKNOWN_FORMAT: 400,
  INVALID_POSITION: 400,
  POSITION_AHEAD: 400,
  INVALID_IDEMPOTENCY_KEY: 400,
  INVALID_EPCIS: 400,
  REQUEST_ABORTED: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  TRACKING_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  STANDARD_VERSION: 406,
  CONFLICT: 409,
  IDEMPOTENCY_IN_FLIGHT: 409,
  BODY_TOO_LARGE: 413,
  TOO_MANY_EVENTS: 413,
  TOO_MANY_PARCELS: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  NOTHING_ACCEPTED: 422,
  ROLLED_BACK: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  NOT_CAUGHT_UP: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERRORS;
export type Params = Readonly<Record<string, string | number>>;

/** One thing that is wrong with the input. `path` is a JSON Pointer into it; `field` its last name, or `body`, `content-type`, a header. */
export interface FieldError {
  readonly field: string;
  readonly path: string;
  readonly code: string;
  readonly params?: Params;
  /** Only where no catalogue has the code. */
  readonly message?: string;
}

export interface ApiErrorOptions {
  readonly params?: Params;
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  /** More members of the problem document. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** What a caller is told. Everything else that is thrown becomes INTERNAL, and stays in the log. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly params: Params;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    readonly code: ErrorCode,
    { params = {}, errors = [], headers = {}, members = {}, cause }: ApiErrorOptions = {},
  ) {
    super(code, { cause });
    this.status = ERRORS[code];
    this.params = params;
    this.errors = errors;
    this.headers = headers;
    this.members = members;
  }
}

/** An error that one field is at fault for. */
export const fieldError = (code: ErrorCode, field: string, params: Params = {}, path = `/${field}`): ApiError =>
  new ApiError(code, { params, errors: [{ field, path, code, params }] });

/** Last member of a JSON Pointer; `body` for the whole. */
export const fieldOf = (pointer: string): string => pointer.split('/').at(-1)?.replaceAll('~1', '/').replaceAll('~0', '~') || 'body';
