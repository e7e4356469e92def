/** The read model of erasures: the keys that must not exist, and the erasures that are not complete. */
import { ERASURE_PREFIX, KeysDestroyed, SubjectErased, type SubjectKind } from '../../events/privacy/events.js';
import { code, integer, optional, text, texts, type RowOf } from '../core/columns.js';
import { table } from '../core/table.js';

const columns = {
  subject: code(),
  kind: text<SubjectKind>(),
  business: optional(integer()),
  keys: texts(),
  erased_at: text(),
  /** Null while keys are left. */
  finished_at: optional(text()),
};
export type ErasureRow = RowOf<typeof columns>;

export const erasures = table({
  name: 'erasures',
  version: 2,
  prefixes: [ERASURE_PREFIX],
  columns,
  key: 'subject',
  indexes: [
    '(erased_at) where finished_at is null',
    '(erased_at, subject) where finished_at is not null',
    'using gin (keys)',
  ],
  fold(row, event): ErasureRow {
    const recorded_at = event.metadata['recorded_at'] as string;
    const data = event.data as unknown as {
      readonly kind: SubjectKind;
      readonly business?: number;
      readonly keys: readonly string[];
    };
    const before = row ?? {
      subject: event.stream.slice(ERASURE_PREFIX.length),
      kind: data.kind,
      business: data.business ?? null,
      keys: [],
      erased_at: recorded_at,
      finished_at: null,
    };
    const next = { ...before, keys: [...new Set([...before.keys, ...data.keys])] };
    if (event.type === SubjectErased.type) return { ...next, erased_at: recorded_at, finished_at: null };
    return event.type === KeysDestroyed.type ? { ...next, finished_at: recorded_at } : next;
  },
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'erasures', true> {}
}
