/** Builds and parses `BatchAppend` messages with the generated classes of the library. */
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
  type EncodedEvent,
  type Revision,
  type StreamAppend,
} from '../../events/core/log.js';
import { encodeMetadata, sizeOf } from './codec.js';
import type { LogPosition } from './position.js';

/** The position is absent if the server no longer knows it. */
export type Answer =
  | { readonly outcome: 'appended'; readonly revision: Revision; readonly position: LogPosition | undefined }
  | { readonly outcome: 'conflict'; readonly actual: number };

/** gRPC status code. */
const UNAVAILABLE = 14;

/**
 * One append in one message: an append has at most 1 MiB, and the server accepts 4 MiB. No deadline is sent, because it
 * is a time of day and the clocks of two machines differ.
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

function proposed(event: EncodedEvent): BatchAppendReq.ProposedMessage {
  const message = new streams.BatchAppendReq.ProposedMessage();
  message.setId(uuidOf(event.id));
  message.getMetadataMap().set('type', event.type).set('content-type', 'application/json');
  message.setData(Buffer.from(event.json));
  message.setCustomMetadata(Buffer.from(JSON.stringify(encodeMetadata(event))));
  return message;
}

/** The outcome of an append. Throws the error for which the server rejected it. */
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
      throw new AccessDeniedError(undefined, `The user has no permission to append to ${stream}.`);
    case 'StreamDeleted':
      throw StreamDeletedError.fromStreamName(stream);
    case 'BadRequest':
      throw new InvalidArgumentError(`EventStoreDB rejects the append to ${stream}.`);
    default:
      throw new LogUnavailable(`EventStoreDB did not append: ${error.getMessage()}`);
  }
}

/**
 * Returns the reason why the node accepts no appends: it has no leader, or it is not the leader and knows none. The
 * node reports it on each call, and the library would retry forever.
 */
export function leaderlessness(response: BatchAppendResp): string | undefined {
  const message = response.getError()?.getMessage() ?? '';
  return /^(Server Is Not Ready|No leader info available)/.test(message) ? message : undefined;
}

/** An error that makes the library look for the node again. */
export const unavailable = (message: string): Error =>
  new UnavailableError({ code: UNAVAILABLE, message } as ServiceError);

export const idOf = (response: BatchAppendResp): string => response.getCorrelationId()?.getString() ?? '';

/** Converts an error of a stream to the library's error class. */
export const named = (error: Error): Error => convertToCommandError(error);

function uuidOf(text: string): InstanceType<typeof shared.UUID> {
  const uuid = new shared.UUID();
  uuid.setString(text);
  return uuid;
}
