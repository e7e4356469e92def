/** Commands that record the steps of an effect in its stream. */
import type { EffectProgress } from './progress.js';

/** A decision of staff about an effect whose result is unknown. */
export interface Settlement {
  /** User id. */
  readonly by: number;
  readonly evidence: string;
}

export type EffectRecord =
  | { readonly step: 'reserved'; readonly remoteId: string }
  | { readonly step: 'done'; readonly result: Readonly<Record<string, unknown>>; readonly settled?: Settlement }
  | {
      readonly step: 'refused';
      readonly code: string;
      readonly text?: string | undefined;
      readonly final: boolean;
      readonly settled?: Settlement;
    }
  | { readonly step: 'left_open'; readonly cause: string };

export interface EffectCommand {
  readonly do: 'effect';
  readonly kind: string;
  readonly effectId: string;
  /** Absent: the command only reads the progress. */
  readonly record?: EffectRecord;
}

export interface EffectReply {
  /** The progress after the command; undefined: the stream has no such effect. */
  readonly effect: EffectProgress | undefined;
}
