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
  GRAPHQL_INVALID: 400,
  QUERY_TOO_COMPLEX: 400,
  REQUEST_ABORTED: 400,
  NO_SUCH_PROFILE: 400,
  INVALID_SCOPES: 400,
  UNKNOWN_TOOL: 400,
  NOT_A_WRITE: 400,
  SECRET_PROPOSED: 400,
  WEBHOOK_URL_REFUSED: 400,
  RELEASE_ON_ROUTE: 400,
  NOT_ASSIGNED_TO_YOU: 400,
  UNAUTHENTICATED: 401,
  WRONG_CREDENTIALS: 401,
  API_TOKEN_RETIRED: 401,
  FORBIDDEN: 403,
  INSUFFICIENT_SCOPE: 403,
  MODULE_OFF: 403,
  APPROVAL_ELSEWHERE: 403,
  NOT_FOUND: 404,
  NO_HEAD: 404,
  TRACKING_NOT_FOUND: 404,
  ORDER_NOT_FOUND: 404,
  ROUTE_NOT_FOUND: 404,
  DRIVER_NOT_FOUND: 404,
  CONTRACTOR_NOT_FOUND: 404,
  UNKNOWN_PACKAGE: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  STANDARD_VERSION: 406,
  CONFLICT: 409,
  EMAIL_TAKEN: 409,
  TOO_MANY_KEYS: 409,
  WEBHOOK_NOT_SET: 409,
  WEBHOOK_PENDING: 409,
  IDEMPOTENCY_IN_FLIGHT: 409,
  PROPOSAL_DECIDED: 409,
  QUEUED_FOR_APPROVAL: 409,
  PROPOSAL_OUTDATED: 409,
  ORDER_EXISTS: 409,
  ORDER_ON_ROUTE: 409,
  ORDER_NOT_ON_ROUTE: 409,
  NOT_SELF_DELIVERY: 409,
  NOT_DISPATCHABLE: 409,
  HELD_BY_THIRD_PARTY: 409,
  NOT_WITH_THIRD_PARTY: 409,
  ALREADY_ASSIGNED: 409,
  ASSIGNED_TO_CONTRACTOR: 409,
  NOT_ASSIGNED: 409,
  ORDER_HELD: 409,
  ORDER_NOT_HELD: 409,
  ALREADY_PICKED_UP: 409,
  ALREADY_DELIVERED: 409,
  ORDER_CLOSED: 409,
  NOTHING_TO_REROUTE: 409,
  ROUTE_CLOSED: 409,
  BODY_TOO_LARGE: 413,
  TOO_MANY_EVENTS: 413,
  TOO_MANY_PARCELS: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  MISSING_ORDERS: 422,
  MISSING_CONTRACTOR: 422,
  UNKNOWN_CONTRACTOR: 422,
  UNKNOWN_DRIVER: 422,
  UNKNOWN_PROVIDER: 422,
  NOTHING_ACCEPTED: 422,
  ROLLED_BACK: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  CONFIRM_REQUIRED: 422,
  RATE_LIMITED: 429,
  LOCKED_OUT: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  MODULE_UNAVAILABLE: 503,
  NOT_CAUGHT_UP: 503,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERRORS;
export type Params = Readonly<Record<string, string | number>>;

/**
 * One thing that is wrong with the input. `path` is a JSON Pointer into it; `field` its last name, or `body`,
 * `content-type`, a header.
 */
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

/** A name, to tell a person; what it stands in where nobody can see it: it may be empty or blank. */
export const shownName = (name: string, inside: 'body' | 'query'): string => (/\S/.test(name) ? name : inside);

/** Last member of a JSON Pointer; `body` for the whole. */
export const fieldOf = (pointer: string): string =>
  shownName(
    pointer
      .slice(pointer.lastIndexOf('/') + 1)
      .replaceAll('~1', '/')
      .replaceAll('~0', '~'),
    'body',
  );
