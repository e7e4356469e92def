/** Converts an operation's response to a tool's result: a clean object, also as JSON text, with files as resources. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { isRepresentation, type OperationResult, type Representation } from '../core/operation.js';
import { problemOf } from '../core/problem.js';
import type { ApiError } from '../core/errors.js';
import type { Language } from '../core/messages/index.js';
import { clean } from './clean.js';
import { META } from './protocol.js';
import { markUserText, type FindUserText } from './user-text.js';

type Content = CallToolResult['content'];
/** A type, not an interface, because result types of the SDK have an index signature. */
type ResultContent = { structuredContent: Record<string, unknown>; content: Content };

/** Results of representations by their bytes, so that each is parsed once. */
const cachedResults = new WeakMap<Buffer, ResultContent>();

/** `findUserText`: absent if the service writes the whole result. */
export function resultOf({ result, position }: OperationResult, findUserText?: FindUserText): CallToolResult {
  const converted = isRepresentation(result) ? ofBytes(result) : ofValue(result);
  const isFile = converted.content.length > 1;
  const marked: CallToolResult =
    findUserText && !isFile ? withMarks(converted, findUserText(converted.structuredContent)) : converted;
  return position === undefined ? marked : { ...marked, _meta: { ...marked._meta, [`${META}position`]: position } };
}

/** Marks the text of a result that contains text by users, and names its members. The structured content is unchanged. */
export function withMarks({ structuredContent, content }: ResultContent, members: readonly string[]): CallToolResult {
  const [json, ...others] = content;
  if (members.length === 0 || json?.type !== 'text') return { structuredContent, content };
  const { text, mark } = markUserText(json.text, members);
  return {
    structuredContent,
    content: [{ type: 'text', text }, ...others],
    _meta: { [`${META}user_text`]: { mark, members: [...members] } },
  };
}

/** Clients before 2026-07-28 accept only objects. */
export function ofValue(value: unknown): ResultContent {
  const structuredContent = clean(
    Array.isArray(value)
      ? { items: value as unknown[] }
      : typeof value === 'object' && value !== null
        ? (value as Record<string, unknown>)
        : { value },
  );
  return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
}

function ofBytes({ body, mediaType }: Representation): ResultContent {
  const cached = cachedResults.get(body);
  if (cached) return cached;
  const converted = /[/+]json\b/.test(mediaType)
    ? ofValue(JSON.parse(body.toString()) as unknown)
    : ofFile(body, mediaType);
  cachedResults.set(body, converted);
  return converted;
}

function ofFile(body: Buffer, mediaType: string): ResultContent {
  const base64 = body.toString('base64');
  const mimeType = mediaType.split(';')[0]!.trim();
  const structuredContent = { mime_type: mimeType, bytes: body.length, base64 };
  return {
    structuredContent,
    // Hosts without support for resources see at least that there is a file.
    content: [
      { type: 'text', text: JSON.stringify({ mime_type: mimeType, bytes: body.length }) },
      { type: 'resource', resource: { uri: 'attachment:answer', mimeType, blob: base64 } },
    ],
  };
}

/** An operation in a text: its name has a capital letter, so that no word of the text is one. */
const OPERATION = /\b[a-z]+(?:[A-Z][a-z]+)+\b/g;

/** Returns an error as a result, because the model reads results. An ApiError contains no text of unexpected errors. */
export function failureOf(
  error: ApiError,
  {
    language,
    requestId,
    baseUrl,
    toolOf,
  }: {
    readonly language: Language;
    readonly requestId: string;
    readonly baseUrl: string;
    /** The name of the tool that calls an operation. */
    readonly toolOf: (operation: string) => string | undefined;
  },
): CallToolResult {
  const {
    type: _type,
    title: _title,
    detail: _detail,
    result: _result,
    ...problem
  } = problemOf(error, { language, requestId, baseUrl });
  // An agent knows the tools, not the operations that they call.
  const message = String(problem['message']).replace(OPERATION, (name) => toolOf(name) ?? name);
  const members = error.errors.length > 0 ? ['error.message', 'error.errors[].message'] : ['error.message'];
  return {
    ...withMarks(ofValue({ error: { ...problem, message } }), repeatsUserText(error) ? members : []),
    isError: true,
  };
}

/** Parameters with sentences of the service. */
const SERVICE_PARAMS: ReadonlySet<string> = new Set(['form', 'reason', 'scopes', 'ask']);

/** Whether a text of the error repeats several words that are not the service's, such as the name of a column. */
const repeatsUserText = ({ params, errors }: ApiError): boolean =>
  [params, ...errors.map((one) => one.params ?? {})].some((one) =>
    Object.entries(one).some(
      ([name, value]) =>
        typeof value === 'string' && !SERVICE_PARAMS.has(name) && value.split(', ').some((item) => /\s/.test(item)),
    ),
  );
