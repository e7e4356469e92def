/** The versions of one record, and the personal data of its current version, read from its stream. */
import { decode, sealedOf, unseal } from '../../events/core/codec.js';
import { RecordPut, recordStream, type Values } from '../../events/datasets/events.js';
import type { Parts } from '../core/parts.js';

export interface RecordVersion {
  readonly version: number;
  readonly removed: boolean;
  readonly group_id: string | null;
  /** Includes personal values if their key exists. Empty for a removal. */
  readonly values: Values;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** Id of the user; null if the change was not made by a user. */
  readonly by: number | null;
}

/** Reads the personal data of the current version directly from the log. Undefined: the record does not exist. */
export type PersonalOf = (uuid: string) => Promise<KnownPersonal | undefined>;
export interface KnownPersonal {
  readonly version: number;
  readonly personalValues: Values | undefined;
  /** The personal data was encrypted with a key that has been destroyed. */
  readonly erased: boolean;
}

/** Newest first. */
export type RecordHistory = (uuid: string) => Promise<readonly RecordVersion[]>;

export type RecordLog = Parts<'log' | 'types' | 'keyRing'>;

interface PutData {
  readonly version: number;
  readonly group_id?: string;
  readonly values?: Values;
  readonly personal_values?: Values;
}

export function createPersonalOf({ log, types, keyRing }: RecordLog): PersonalOf {
  return async (uuid) => {
    const stream = recordStream(uuid);
    const keys = await keyRing.existing([stream]);
    let last: KnownPersonal | undefined;
    for await (const event of log.read(stream)) {
      if (event.type !== RecordPut.type) last = undefined;
      else {
        const { version, personal_values } = unseal(decode(event, types), event.id, keys) as unknown as PutData;
        const erased = sealedOf(event.data) !== undefined && !keys.has(stream);
        last = { version, personalValues: personal_values, erased };
      }
    }
    return last;
  };
}

export function createRecordHistory({ log, types, keyRing }: RecordLog): RecordHistory {
  return async (uuid) => {
    const stream = recordStream(uuid);
    const keys = await keyRing.existing([stream]);
    const versions: RecordVersion[] = [];
    for await (const event of log.read(stream)) {
      const data = unseal(decode(event, types), event.id, keys) as unknown as PutData;
      const { kind, id } = event.metadata['actor'] as { readonly kind: string; readonly id: string };
      versions.push({
        version: data.version,
        removed: event.type !== RecordPut.type,
        group_id: data.group_id ?? null,
        values: { ...data.values, ...data.personal_values },
        at: event.metadata['recorded_at'] as string,
        by: kind === 'user' ? Number(id) : null,
      });
    }
    return versions.reverse();
  };
}
