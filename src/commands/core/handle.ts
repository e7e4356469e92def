/** The interface through which every command reaches the log, and the cause of a command. */
import type { Fact } from '../../events/core/codec.js';
import type { Position } from '../../events/core/log.js';
import { DomainError, type CodeWithRowInMessages } from './domain-error.js';

/** The version of one stream, or of a part of it, that a request expects. */
export interface Expected {
  readonly stream: string;
  /** Part of the stream by `Decider.partOf`; absent: the whole stream. */
  readonly part?: string;
  /** Revision of the last event of the stream or part; -1: no events. */
  readonly version: number;
  /** Error code if the stream has a different version. */
  readonly code: CodeWithRowInMessages;
  /** A command of the request has changed the stream: the commands that follow it are no longer compared. */
  met?: boolean;
}

/** The cause of a command: actor, channel and reason. Stored with every event. */
export interface Cause {
  readonly correlationId: string;
  /** Id of the event or request that led to this command. */
  readonly causationId?: string;
  readonly actor: {
    readonly kind: 'user' | 'provider' | 'system';
    readonly id: string;
    readonly role?: string;
    readonly token?: string;
  };
  readonly channel: 'rest' | 'graphql' | 'mcp' | 'kafka' | 'page' | 'system';
  readonly business?: string;
  readonly idempotencyKey?: string;
  /** The command is rejected if the stream has a different version. */
  readonly expected?: Expected;
  /** Dry run: the events are added to this list instead of being appended to the log. */
  readonly dryRun?: DryRun;
}

/** The events of a dry run, in order. */
export type DryRun = { readonly stream: string; readonly fact: Fact }[];

export interface Handled<R> {
  readonly reply: R;
  /** Whether the command led to events. */
  readonly changed: boolean;
  /**
   * Reads at this position or later reflect the reply, even if the command changed nothing. Undefined for an empty
   * stream.
   */
  readonly position: Position | undefined;
}

export interface Handle<C, R> {
  (stream: string, command: C, cause: Cause): Promise<Handled<R>>;
}

export interface Handler<C, R> extends Handle<C, R> {
  /**
   * Returns the reply that the command would get, without side effects. `exact`: based on the current state of the log;
   * otherwise on the cached state of this process. `isNew`: the stream does not exist as far as known, so no read is
   * needed.
   */
  dryRun(
    stream: string,
    command: C,
    options: { readonly exact: boolean; readonly isNew: boolean },
  ): Promise<Pick<Handled<R>, 'reply' | 'position'>>;
}

/** The same cause as a dry run, for a command that must be checked before effects outside of the log. */
export const dryRunOf = (cause: Cause): Cause => ({ ...cause, dryRun: [] });

/** The versions of a stream and of its parts: revisions of their last events. */
export interface Versions {
  readonly revision: number;
  readonly parts: ReadonlyMap<string, number>;
}

/**
 * Throws the rejection of a command that would change a stream at a version other than the expected one. A command that
 * changes nothing is allowed, because it may repeat a command that succeeded.
 */
export function mustBeExpected({ expected }: Cause, stream: string, known: Versions, changes: boolean): void {
  if (expected?.stream !== stream || expected.met || !changes) return;
  const version = expected.part === undefined ? known.revision : (known.parts.get(expected.part) ?? -1);
  if (expected.version !== version) throw new DomainError(expected.code, { version });
}
