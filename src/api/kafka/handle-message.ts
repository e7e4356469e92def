/** Processes one pushed message with the operation that HTTP uses, so rules and response are the same. */
import type { Received } from '../../events/core/broker.js';
import { headerText } from '../../events/core/broker.js';
import type { Position } from '../../events/core/log.js';
import { derivedId } from '../../events/otep/identity.js';
import type { ProviderCaller } from '../core/callers.js';
import { ApiError, type ErrorCode } from '../core/errors.js';
import { chooseLanguage } from '../core/messages/index.js';
import type { Operation } from '../core/operation.js';
import { MAX_BODY_BYTES, parseBody } from '../core/body.js';
import type { Parts } from '../core/parts.js';
import { problemOf, toApiError } from '../core/problem.js';

export interface MessageResult {
  /** The status of the equivalent HTTP response. */
  readonly status: number;
  readonly document: Record<string, unknown>;
  /** Position from which reads include the push. */
  readonly position: Position | undefined;
  /** The code of the error if the whole message was rejected. */
  readonly refused?: ErrorCode;
  /** The cause of an internal failure. */
  readonly cause?: unknown;
}

export interface HandleMessageOptions extends Parts<'invoke' | 'now' | 'baseUrl'> {
  readonly operation: Operation;
}

/**
 * Never throws: an error becomes the response. A message that is delivered again is the same command, with the same id.
 */
export async function handleMessage(
  message: Received,
  caller: ProviderCaller,
  { operation, invoke, now, baseUrl }: HandleMessageOptions,
): Promise<MessageResult> {
  const requestId = derivedId('kafka', message.topic, message.partition, message.offset);
  const header = (name: string): string | undefined => headerText(message.headers, name);
  try {
    const { result, position } = await invoke(operation, () => ({ document: parse(message) }), {
      caller,
      channel: 'kafka',
      requestId,
      command: { id: requestId, time: now() },
      address: '',
      header,
      fingerprint: () => message.value ?? Buffer.alloc(0),
    });
    return { status: 200, document: result as Record<string, unknown>, position };
  } catch (thrown) {
    const error = toApiError(thrown);
    const document = problemOf(error, {
      language: chooseLanguage(header('accept-language')),
      requestId,
      baseUrl: baseUrl(),
    });
    return { status: error.status, document, position: undefined, refused: error.code, cause: error.cause };
  }
}

/** Applies the limits of an HTTP body; without a content type the value is JSON. */
function parse({ value, headers }: Received): unknown {
  if (value !== null && value.length > MAX_BODY_BYTES)
    throw new ApiError('BODY_TOO_LARGE', {
      params: { max: MAX_BODY_BYTES },
      errors: [{ field: 'body', path: '', code: 'BODY_TOO_LARGE', params: { max: MAX_BODY_BYTES } }],
    });
  return parseBody(value ?? Buffer.alloc(0), headerText(headers, 'content-type') ?? 'application/json', [
    'application/json',
  ]);
}
