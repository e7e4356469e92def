/**
 * Errors of the API. Codes and texts are in src/messages; HTTP statuses are in messages/statuses.ts and in each area.
 */
import { statusOf, type ErrorCode } from './messages/messages.js';
import './messages/statuses.js';

export type { ErrorCode };
export type Params = Readonly<Record<string, string | number>>;

/**
 * One fault of the input. `path` is a JSON Pointer into the input. `field` is the last name of the path, `body`,
 * `content-type`, or the name of another header.
 */
export interface FieldError {
  readonly field: string;
  readonly path: string;
  readonly code: string;
  readonly params?: Params;
  /** Code of the message text, if it differs from `code`. */
  readonly says?: string;
  /** Message text; only for a code that no catalogue contains. */
  readonly message?: string;
}

export interface ApiErrorOptions {
  readonly params?: Params;
  /** Code of the message text, if another text explains the case better than the text of `code`. */
  readonly says?: string;
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Additional members of the problem document. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
  /** The service refuses to protect itself: not logged as an error, although the status is 5xx. */
  readonly isByDesign?: boolean;
}

/** An error that the caller sees. Every other error becomes INTERNAL, and its details appear only in the log. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly params: Params;
  readonly says: string | undefined;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;
  readonly isByDesign: boolean;

  constructor(
    readonly code: ErrorCode,
    { params = {}, says, errors = [], headers = {}, members = {}, cause, isByDesign = false }: ApiErrorOptions = {},
  ) {
    super(code, { cause });
    this.status = statusOf(code);
    this.params = params;
    this.says = says;
    this.errors = errors;
    this.headers = headers;
    this.members = members;
    this.isByDesign = isByDesign;
  }
}

/** An error about one field. */
export const fieldError = (code: ErrorCode, field: string, params: Params = {}, path = `/${field}`): ApiError =>
  new ApiError(code, { params, errors: [{ field, path, code, params }] });

/** The same error, with the text of another code that explains the case. */
export const explainedError = (
  code: ErrorCode,
  says: string,
  field: string,
  { params = {}, path = `/${field}` }: { readonly params?: Params; readonly path?: string } = {},
): ApiError => new ApiError(code, { says, params, errors: [{ field, path, code, params, says }] });

/** The error of a field with a wrong value; `form`: the values that the service accepts. */
export const formatError = (field: string, form: string, path = `/${field}`): FieldError => ({
  field,
  path,
  code: 'INVALID_FORM',
  says: 'FORM_ASKED',
  params: { form },
});

/** INVALID_INPUT (400) for a field with a wrong value. */
export const invalidForm = (field: string, form: string, path = `/${field}`): ApiError =>
  new ApiError('INVALID_INPUT', { errors: [formatError(field, form, path)] });

/** INVALID_INPUT (400) about one field; `code`: the error of the field. */
export const invalidField = (code: string, field: string, path = `/${field}`): ApiError =>
  new ApiError('INVALID_INPUT', { errors: [{ field, path, code }] });

/** The same error for a value that is a member of the input: its paths begin with `path`. */
export const withPathPrefix = (
  { code, params, says, errors, headers, members, cause, isByDesign }: ApiError,
  path: string,
): ApiError =>
  new ApiError(code, {
    params,
    ...(says !== undefined && { says }),
    errors: errors.map((one) => ({ ...one, path: path + one.path })),
    headers,
    members,
    cause,
    isByDesign,
  });

/** A name for display; `inside` replaces a name that is empty or blank. */
export const shownName = (name: string, inside: 'body' | 'query'): string => (/\S/.test(name) ? name : inside);

/** Last name of a JSON Pointer; `body` for the whole document. */
export const fieldOf = (pointer: string): string =>
  shownName(
    pointer
      .slice(pointer.lastIndexOf('/') + 1)
      .replaceAll('~1', '/')
      .replaceAll('~0', '~'),
    'body',
  );
