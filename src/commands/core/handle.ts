/** The port of the one way from a command to the log, and who gives a command. */
import type { Fact } from '../../events/core/codec.js';
import type { Position } from '../../events/core/log.js';
import { DomainError, type CodeWithRowInMessages } from './domain-error.js';

/** The version of one stream, or of a part of it, that a request is meant for. */
export interface Expected {
  readonly stream: string;
  /** By `Decider.partOf`; absent: the whole stream. */
  readonly part?: string;
  /** Revision of its last event; -1: it has none. */
  readonly version: number;
  /** Of the refusal where the stream has another version. */
  readonly code: CodeWithRowInMessages;
  /** A command of the request has changed the stream: the commands that follow it are no longer compared. */
  met?: boolean;
}

/** Who did it, through what, and why: stored with every event. */
export interface Cause {
  readonly correlationId: string;
  /** Id of the event or request that led to this. */
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
  /** Refused where the stream has another version. */
  readonly expected?: Expected;
  /** A dry run: what would be appended is put here, and nothing is appended. */
  readonly rehearsal?: Rehearsal;
}

/** What a dry run would have led to, in order. */
export type Rehearsal = { readonly stream: string; readonly fact: Fact }[];

export interface Handled<R> {
  readonly reply: R;
  /** Whether the command led to events. */
  readonly changed: boolean;
  /**
   * Position from which on reads show what the reply speaks of, also when the command changed nothing; undefined for an
   * empty stream.
   */
  readonly position: Position | undefined;
}

export interface Handle<C, R> {
  (stream: string, command: C, cause: Cause): Promise<Handled<R>>;
}

export interface Handler<C, R> extends Handle<C, R> {
  /**
   * What the command would be answered, without a trace. `exact`: as of now; else as far as this process knows.
   * `isNew`: nobody knows the stream.
   */
  rehearse(
    stream: string,
    command: C,
    options: { readonly exact: boolean; readonly isNew: boolean },
  ): Promise<Pick<Handled<R>, 'reply' | 'position'>>;
}

/** For a command whose refusal must come before effects outside of the log: the same, without being stored. */
export const dryRunOf = (cause: Cause): Cause => ({ ...cause, rehearsal: [] });

/** The versions of a stream and of its parts: revisions of their last events. */
export interface Versions {
  readonly revision: number;
  readonly parts: ReadonlyMap<string, number>;
}

/**
 * Throws the refusal of a command that changes a stream which has another version than the one it is meant for. What
 * changes nothing is allowed: it may be the repetition of a command that is done.
 */
export function mustBeExpected({ expected }: Cause, stream: string, known: Versions, changes: boolean): void {
  if (expected?.stream !== stream || expected.met || !changes) return;
  const version = expected.part === undefined ? known.revision : (known.parts.get(expected.part) ?? -1);
  if (expected.version !== version) throw new DomainError(expected.code, { version });
}
