/** `BatchAppend` in the protocol's own messages, as the library's generated classes have them. */
import {
  AccessDeniedError,
  convertToCommandError,
  InvalidArgumentError,
  StreamDeletedError,
  UnavailableError,
} from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ServiceError } from '@grpc/grpc-js';
import {
  AppendTooLarge,
  LogUnavailable,
  type NewEvent,
  type Revision,
  type StreamAppend,
} from '../../events/core/log.js';
import { encodeMetadata, sizeOf } from './codec.js';
import type { LogPosition } from './position.js';

/** The position is absent where the server no longer knows it. */
export type Answer =
  | { readonly outcome: 'appended'; readonly revision: Revision; readonly position: LogPosition | undefined }
  | { readonly outcome: 'conflict'; readonly actual: number };

/** gRPC's own number. */
const UNAVAILABLE = 14;

/**
 * One append in one message: it holds at most 1 MiB, and the server takes 4. Without a deadline for the server: that is
 * a time of day, and the clocks of two machines differ.
 */
export function requestOf(id: string, { stream, events, expected }: StreamAppend): BatchAppendReq {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream));
  const options = new streams.BatchAppendReq.Options();
  options.setStreamIdentifier(identifier);
  if (expected === 'no-stream') options.setNoStream(new shared.Empty() as never);
  else options.setStreamPosition(String(expected));
  const request = new streams.BatchAppendReq();
  request.setCorrelationId(uuidOf(id));
  request.setOptions(options);
  request.setProposedMessagesList(events.map(proposed));
  request.setIsFinal(true);
  return request;
}

function proposed(event: NewEvent): BatchAppendReq.ProposedMessage {
  const message = new streams.BatchAppendReq.ProposedMessage();
  message.setId(uuidOf(event.id));
  message.getMetadataMap().set('type', event.type).set('content-type', 'application/json');
  message.setData(Buffer.from(event.json));
  message.setCustomMetadata(Buffer.from(JSON.stringify(encodeMetadata(event))));
  return message;
}

/** What became of an append. Throws what the server refuses it for. */
export function answerOf(response: BatchAppendResp, append: StreamAppend): Answer {
  const error = response.getError();
  if (error) return refused(error, append);
  const success = response.getSuccess();
  const position = success?.getPosition();
  return {
    outcome: 'appended',
    revision: Number(success?.getCurrentRevision()),
    position: position && {
      commit: BigInt(position.getCommitPosition()),
      prepare: BigInt(position.getPreparePosition()),
    },
  };
}

function refused(error: Status, { stream, events }: StreamAppend): Answer {
  const details = error.getDetails();
  const name = details?.getTypeName() ?? '';
  switch (name.slice(name.lastIndexOf('.') + 1)) {
    case 'WrongExpectedVersion': {
      const wrong = details?.unpack((bytes) => shared.WrongExpectedVersion.deserializeBinary(bytes), name);
      return {
        outcome: 'conflict',
        actual: wrong?.hasCurrentStreamRevision() ? Number(wrong.getCurrentStreamRevision()) : -1,
      };
    }
    case 'MaximumAppendSizeExceeded': {
      const limit = details?.unpack((bytes) => shared.MaximumAppendSizeExceeded.deserializeBinary(bytes), name);
      const size = events.reduce((sum, event) => sum + sizeOf(event), 0);
      throw new AppendTooLarge(stream, size, limit?.getMaxappendsize() ?? 0);
    }
    case 'AccessDenied':
      throw new AccessDeniedError(undefined, `The user may not append to ${stream}.`);
    case 'StreamDeleted':
      throw StreamDeletedError.fromStreamName(stream);
    case 'BadRequest':
      throw new InvalidArgumentError(`EventStoreDB does not take the append to ${stream}.`);
    default:
      throw new LogUnavailable(`EventStoreDB did not append: ${error.getMessage()}`);
  }
}

/**
 * Why the node takes no appends now: no leader, or it is none and knows none. It says so call by call, and the library
 * would ask it for ever.
 */
export function leaderlessness(response: BatchAppendResp): string | undefined {
  const message = response.getError()?.getMessage() ?? '';
  return /^(Server Is Not Ready|No leader info available)/.test(message) ? message : undefined;
}

/** What makes the library look for the node anew. */
export const unavailable = (message: string): Error =>
  new UnavailableError({ code: UNAVAILABLE, message } as ServiceError);

export const idOf = (response: BatchAppendResp): string => response.getCorrelationId()?.getString() ?? '';

/** An error of a stream as the library names it. */
export const named = (error: Error): Error => convertToCommandError(error);

function uuidOf(text: string): InstanceType<typeof shared.UUID> {
  const uuid = new shared.UUID();
  uuid.setString(text);
  return uuid;
}
