/** Errors of the API. Their codes and texts: src/messages; their statuses: messages/statuses.ts and each area. */
import { statusOf, type ErrorCode } from './messages/messages.js';
import './messages/statuses.js';

export type { ErrorCode };
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
  /** Code of its text, where that is not its own. */
  readonly says?: string;
  /** Only where no catalogue has the code. */
  readonly message?: string;
}

export interface ApiErrorOptions {
  readonly params?: Params;
  /** Code of its text, where a text explains the case better than that of its own code. */
  readonly says?: string;
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  /** More members of the problem document. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** What a caller sees. Everything else that is thrown becomes INTERNAL, and stays in the log. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly params: Params;
  readonly says: string | undefined;
  readonly errors: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
  readonly members: Readonly<Record<string, unknown>>;

  constructor(
    readonly code: ErrorCode,
    { params = {}, says, errors = [], headers = {}, members = {}, cause }: ApiErrorOptions = {},
  ) {
    super(code, { cause });
    this.status = statusOf(code);
    this.params = params;
    this.says = says;
    this.errors = errors;
    this.headers = headers;
    this.members = members;
  }
}

/** An error that one field is at fault for. */
export const fieldError = (code: ErrorCode, field: string, params: Params = {}, path = `/${field}`): ApiError =>
  new ApiError(code, { params, errors: [{ field, path, code, params }] });

/** The same, with the text of another code that explains the case. */
export const explainedError = (
  code: ErrorCode,
  says: string,
  field: string,
  { params = {}, path = `/${field}` }: { readonly params?: Params; readonly path?: string } = {},
): ApiError => new ApiError(code, { says, params, errors: [{ field, path, code, params, says }] });

/** A field whose value does not fit; `form`: the values that would. */
export const misfit = (field: string, form: string, path = `/${field}`): FieldError => ({
  field,
  path,
  code: 'INVALID_FORM',
  says: 'FORM_ASKED',
  params: { form },
});

/** INVALID_INPUT (400) for a field whose value does not fit. */
export const invalidForm = (field: string, form: string, path = `/${field}`): ApiError =>
  new ApiError('INVALID_INPUT', { errors: [misfit(field, form, path)] });

/** INVALID_INPUT (400) that one field is at fault for; `code`: what is wrong with it. */
export const invalidField = (code: string, field: string, path = `/${field}`): ApiError =>
  new ApiError('INVALID_INPUT', { errors: [{ field, path, code }] });

/** The error of a value that is itself a member of the input, at `path`. */
export const insideOf = ({ code, params, says, errors, headers, members, cause }: ApiError, path: string): ApiError =>
  new ApiError(code, {
    params,
    ...(says !== undefined && { says }),
    errors: errors.map((one) => ({ ...one, path: path + one.path })),
    headers,
    members,
    cause,
  });

/** A name to show to a person; `inside` where the name would be invisible: it may be empty or blank. */
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
