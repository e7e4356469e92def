/** Messages between the service and a reader process. A process reads one file at a time. */
import type { Kind, Kinds } from './kinds/index.js';
import type { RefusalCode, RefusalParams } from './refused.js';

export type ToReader =
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  /** All bytes are sent. The first piece is read. */
  | { [K in Kind]: { readonly type: 'read'; readonly kind: K; readonly options: Kinds[K]['options'] } }[Kind]
  /** Asks for the next piece. */
  | { readonly type: 'next' };

export type FromReader =
  | { readonly type: 'piece'; readonly piece: Kinds[Kind]['piece'] }
  /** The file is read. `rss`: memory of the process in bytes. */
  | { readonly type: 'end'; readonly rss: number }
  | { readonly type: 'refused'; readonly code: RefusalCode; readonly params: RefusalParams }
  /** The parser failed with an error that it does not describe. */
  | { readonly type: 'failed' };
