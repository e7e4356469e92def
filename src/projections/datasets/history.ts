/** The versions of one record, from its stream. */
import { decode, unseal, type EventTypes, type KeyRing } from '../../events/core/codec.js';
import type { EventLog } from '../../events/core/log.js';
import { RecordPut, recordStream, type Values } from '../../events/datasets/events.js';

export interface RecordVersion {
  readonly version: number;
  readonly removed: boolean;
  readonly group_id: string | null;
  /** Personal ones as far as their key is there; none of a removal. */
  readonly values: Values;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** The user who did it. */
  readonly by: number | null;
}

/** Newest first, at most `limit`. */
export type RecordHistory = (uuid: string, limit: number) => Promise<readonly RecordVersion[]>;

export function createRecordHistory({
  log,
  types,
  keyRing,
}: {
  readonly log: EventLog;
  readonly types: EventTypes;
  readonly keyRing: KeyRing;
}): RecordHistory {
  return async (uuid, limit) => {
    const stream = recordStream(uuid);
    const keys = await keyRing.existing([stream]);
    const versions: RecordVersion[] = [];
    for await (const event of log.read(stream)) {
      const data = unseal(decode(event, types), event.id, keys) as {
        readonly version: number;
        readonly group_id?: string;
        readonly values?: Values;
        readonly personal_values?: Values;
      };
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
    return versions.reverse().slice(0, limit);
  };
}
