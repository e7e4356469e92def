/** The port for signed calls from external systems (docs/effects.md). */

/** The account of a token in the address of the call. */
export interface InboundAccount {
  readonly account: string;
  readonly business: number;
}

export interface SignedCall extends InboundAccount {
  /** The body as it arrived. */
  readonly bytes: Buffer;
  /** Header of the call, by lower-case name. */
  readonly header: (name: string) => string | undefined;
}

export interface InboundMessage extends InboundAccount {
  /** UUID: the same for each attempt to process the message. */
  readonly id: string;
  readonly messageId: string;
  readonly bytes: Buffer;
}

/**
 * A message only signals that something changed: `process` reads money and label statuses from the external system.
 * Messages arrive several times and in any order. Only texts and their delivery statuses are evidence themselves.
 */
export interface InboundAdapter {
  /** As in the address of the call. */
  readonly adapter: string;
  /** Undefined: no account has this token. */
  readonly accountOf: (token: string) => Promise<InboundAccount | undefined>;
  /** The id of the message, by which repetitions are recognized; undefined: the signature is not valid. */
  readonly verify: (call: SignedCall) => Promise<string | undefined>;
  /** Processing a message twice has the same result as once. Throws if it must be processed again. */
  readonly process: (message: InboundMessage) => Promise<void>;
}
