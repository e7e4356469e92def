/** The read model of drivers' documents. Personal data is encrypted. */
import { DRIVER_PREFIX } from '../../events/drivers/events.js';
import {
  DriverDocumentExpiring,
  DriverDocumentRejected,
  DriverDocumentSubmitted,
  DriverDocumentVerified,
} from '../../events/drivers/profile-and-documents.js';
import { code, integer, json, optional, text, texts, type RowOf } from '../core/columns.js';
import { sealedMembersOf, type SealedMembers } from '../core/sealed-members.js';
import { recordedAt, startsWith, table } from '../core/table.js';

export const DOCUMENT_STATES = ['submitted', 'verified', 'rejected'] as const;

const columns = {
  id: code(),
  business: integer(),
  driver_id: integer(),
  kind: code(),
  valid_from: optional(code()),
  valid_until: optional(code()),
  file_ids: texts(),
  state: text<(typeof DOCUMENT_STATES)[number]>(),
  submitted_by: optional(integer()),
  submitted_at: code(),
  decided_by: optional(integer()),
  decided_at: optional(code()),
  /** Days before expiry of the last reminder. */
  reminded: optional(integer()),
  sealed: json<SealedMembers[]>(),
  revision: integer(),
};
export type DocumentRow = RowOf<typeof columns>;

export const driverDocuments = table({
  name: 'driver_documents',
  version: 1,
  prefixes: [DRIVER_PREFIX],
  columns,
  rows: { member: 'document_id', made: DriverDocumentSubmitted },
  indexes: ['(driver_id, kind)', 'using gin (file_ids)'],
  fold: startsWith(
    DriverDocumentSubmitted,
    (
      { document_id, business, driver_id, kind, valid_from = null, valid_until = null, file_ids, by = null },
      event,
    ): DocumentRow => ({
      id: document_id,
      business,
      driver_id,
      kind,
      valid_from,
      valid_until,
      file_ids,
      state: 'submitted',
      submitted_by: by,
      submitted_at: recordedAt(event),
      decided_by: null,
      decided_at: null,
      reminded: null,
      sealed: [sealedMembersOf(event)],
      revision: event.revision,
    }),
  )
    .on(DriverDocumentVerified, ({ by = null }, _row, event) => ({
      state: 'verified',
      decided_by: by,
      decided_at: recordedAt(event),
    }))
    .on(DriverDocumentRejected, ({ by = null }, { sealed }, event) => ({
      state: 'rejected',
      decided_by: by,
      decided_at: recordedAt(event),
      sealed: [...sealed, sealedMembersOf(event)],
    }))
    .on(DriverDocumentExpiring, ({ days }) => ({ reminded: days })),
});

declare module '../core/projection.js' {
  interface ReadModels extends Record<'driver_documents', { 'driver_documents.driver_documents': DocumentRow }> {}
}
