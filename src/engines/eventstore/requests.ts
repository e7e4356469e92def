/** Builds `Read` requests of the protocol: for streams, for the log, and for subscriptions to the log. */
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { Revision } from '../../events/core/log.js';
import { ALL_STREAMS, type StreamFilter } from './filter.js';
import type { LogPosition } from './position.js';

const { Options } = streams.ReadReq;
const EMPTY = new shared.Empty();
const FORWARDS = 0;
const BACKWARDS = 1;

/** Number of events that the server examines between two checkpoints of a subscription. */
export const CHECKPOINT_INTERVAL = 128;

export interface ReadAll {
  readonly from: LogPosition | 'start' | 'end';
  readonly direction: 'forwards' | 'backwards';
  readonly count: number;
}

export function streamRequest(stream: string, from: Revision, count: number): ReadReq {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream));
  const source = new Options.StreamOptions();
  source.setStreamIdentifier(identifier);
  source.setRevision(String(from));
  const options = commonOptions();
  options.setStream(source);
  options.setCount(String(count));
  options.setNoFilter(EMPTY);
  return requestWith(options);
}

export function allRequest({ from, direction, count }: ReadAll): ReadReq {
  const options = commonOptions();
  options.setAll(allFrom(from));
  options.setReadDirection(direction === 'forwards' ? FORWARDS : BACKWARDS);
  options.setCount(String(count));
  options.setNoFilter(EMPTY);
  return requestWith(options);
}

/** `from` is exclusive. */
export function subscriptionRequest(from: LogPosition | undefined, { prefixes }: StreamFilter): ReadReq {
  const names = new Options.FilterOptions.Expression();
  if (prefixes) names.setPrefixList([...prefixes]);
  else names.setRegex(ALL_STREAMS);
  const filter = new Options.FilterOptions();
  filter.setStreamIdentifier(names);
  filter.setMax(CHECKPOINT_INTERVAL);
  filter.setCheckpointintervalmultiplier(1);
  const options = commonOptions();
  options.setAll(allFrom(from ?? 'start'));
  options.setSubscription(new Options.SubscriptionOptions());
  options.setFilter(filter);
  return requestWith(options);
}

function commonOptions(): ReadReq.Options {
  const ids = new Options.UUIDOption();
  ids.setString(EMPTY);
  const options = new Options();
  options.setUuidOption(ids);
  options.setReadDirection(FORWARDS);
  return options;
}

function allFrom(from: ReadAll['from']): ReadReq.Options.AllOptions {
  const all = new Options.AllOptions();
  if (from === 'start') all.setStart(EMPTY);
  else if (from === 'end') all.setEnd(EMPTY);
  else {
    const position = new Options.Position();
    position.setCommitPosition(String(from.commit));
    position.setPreparePosition(String(from.prepare));
    all.setPosition(position);
  }
  return all;
}

function requestWith(options: ReadReq.Options): ReadReq {
  const request = new streams.ReadReq();
  request.setOptions(options);
  return request;
}
