/** Converts between the protocol messages and the memory log, with the message classes of the client package. */
import streams from '@eventstore/db-client/generated/streams_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import type { AppendResp, BatchAppendResp, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb.js';
import type { Proposed, Recorded, Written } from './memory-log.js';

const TICKS_PER_MILLISECOND = 10_000n;

interface ProposedMessage {
  getId(): UUID | undefined;
  getMetadataMap(): { get(key: string): string | undefined };
  getData_asU8(): Uint8Array;
  getCustomMetadata_asU8(): Uint8Array;
}

export function proposedOf(message: ProposedMessage): Proposed {
  return {
    id: message.getId()?.getString().toLowerCase() ?? '',
    type: message.getMetadataMap().get('type') ?? '',
    contentType: message.getMetadataMap().get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

export function streamNameOf(identifier: StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');
}

export function identifierOf(stream: string): StreamIdentifier {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream, 'utf8').toString('base64'));
  return identifier;
}

export function appendResponse(written: Written, at?: bigint): AppendResp {
  const response = new streams.AppendResp();
  if ('last' in written) {
    const position = new streams.AppendResp.Position();
    position.setCommitPosition((at ?? written.last.position).toString());
    position.setPreparePosition((at ?? written.last.position).toString());
    const success = new streams.AppendResp.Success();
    success.setCurrentRevision(String(written.last.revision));
    success.setPosition(position);
    response.setSuccess(success);
  } else {
    const wrong = new streams.AppendResp.WrongExpectedVersion();
    if (written.current < 0) wrong.setCurrentNoStream(new shared.Empty());
    else wrong.setCurrentRevision(String(written.current));
    response.setWrongExpectedVersion(wrong);
  }
  return response;
}

export function batchAppendResponse(
  correlationId: UUID | undefined,
  stream: string,
  written: Written,
  isKnown = true,
): BatchAppendResp {
  if (!('last' in written)) {
    const wrong = new shared.WrongExpectedVersion();
    if (written.current < 0) wrong.setCurrentNoStream(new empty.Empty());
    else wrong.setCurrentStreamRevision(String(written.current));
    return batchRefused(correlationId, stream, 'WrongExpectedVersion', wrong);
  }
  const success = new streams.BatchAppendResp.Success();
  success.setCurrentRevision(String(written.last.revision));
  if (isKnown) {
    const position = new shared.AllStreamPosition();
    position.setCommitPosition(written.last.position.toString());
    position.setPreparePosition(written.last.position.toString());
    success.setPosition(position);
  } else success.setNoPosition(new empty.Empty());
  const response = new streams.BatchAppendResp();
  response.setCorrelationId(correlationId);
  response.setStreamIdentifier(identifierOf(stream));
  response.setSuccess(success);
  return response;
}

/** `details`: details of the type that `message` names; absent if the server gave none. */
export function batchRefused(
  correlationId: UUID | undefined,
  stream: string,
  message: string,
  details?: { serializeBinary(): Uint8Array },
): BatchAppendResp {
  const packed = new any.Any();
  packed.pack(
    (details ?? new empty.Empty()).serializeBinary(),
    details ? `event_store.client.${message}` : 'google.protobuf.Empty',
  );
  const error = new status.Status();
  error.setMessage(message);
  error.setDetails(packed);
  const response = new streams.BatchAppendResp();
  response.setCorrelationId(correlationId);
  response.setStreamIdentifier(identifierOf(stream));
  response.setError(error);
  return response;
}

export function eventResponse(recorded: Recorded): ReadResp {
  const id = new shared.UUID();
  id.setString(recorded.id);
  const event = new streams.ReadResp.ReadEvent.RecordedEvent();
  event.setId(id);
  event.setStreamIdentifier(identifierOf(recorded.stream));
  event.setStreamRevision(String(recorded.revision));
  event.setCommitPosition(recorded.position.toString());
  event.setPreparePosition(recorded.position.toString());
  event.getMetadataMap().set('type', recorded.type);
  event.getMetadataMap().set('content-type', recorded.contentType);
  event.getMetadataMap().set('created', (BigInt(recorded.created) * TICKS_PER_MILLISECOND).toString());
  event.setData(recorded.data);
  event.setCustomMetadata(recorded.metadata);
  const read = new streams.ReadResp.ReadEvent();
  read.setEvent(event);
  read.setCommitPosition(recorded.position.toString());
  const response = new streams.ReadResp();
  response.setEvent(read);
  return response;
}

export function checkpointResponse(position: bigint): ReadResp {
  const checkpoint = new streams.ReadResp.Checkpoint();
  checkpoint.setCommitPosition(position.toString());
  checkpoint.setPreparePosition(position.toString());
  const response = new streams.ReadResp();
  response.setCheckpoint(checkpoint);
  return response;
}

export function confirmationResponse(): ReadResp {
  const confirmation = new streams.ReadResp.SubscriptionConfirmation();
  confirmation.setSubscriptionId(crypto.randomUUID());
  const response = new streams.ReadResp();
  response.setConfirmation(confirmation);
  return response;
}

export function caughtUpResponse(): ReadResp {
  const response = new streams.ReadResp();
  response.setCaughtUp(new streams.ReadResp.CaughtUp());
  return response;
}

export function notFoundResponse(stream: string): ReadResp {
  const notFound = new streams.ReadResp.StreamNotFound();
  notFound.setStreamIdentifier(identifierOf(stream));
  const response = new streams.ReadResp();
  response.setStreamNotFound(notFound);
  return response;
}
