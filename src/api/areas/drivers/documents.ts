/** Documents of drivers: submitted with files, then verified or rejected by another user. */
import { z } from 'zod';
import type { Commands } from '../../../commands/commands.js';
import type { DriverCommand } from '../../../commands/drivers/decider.js';
import type { Files } from '../../../engines/files/files.js';
import { accountSubject } from '../../../events/accounts/events.js';
import { driverStream } from '../../../events/drivers/events.js';
import { derivedId } from '../../../events/otep/identity.js';
import type { AccountQueries } from '../../../projections/accounts/queries.js';
import { DOCUMENT_STATES } from '../../../projections/drivers/documents.js';
import type { Document, DocumentQueries } from '../../../projections/drivers/document-queries.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { ApiError, fieldError, invalidForm } from '../../core/errors.js';
import { idSchema } from '../../core/ids.js';
import { localDate } from '../../../events/core/local-time.js';
import { operation, type Context, type Operation } from '../../core/operation.js';
import type { FileReader } from '../files/operations.js';
import { hasDriver } from './workers.js';

export interface DocumentsOptions {
  readonly commands: Pick<Commands, 'drivers'>;
  readonly documents: DocumentQueries;
  readonly accounts: Pick<AccountQueries, 'holder'>;
  readonly files: Pick<Files, 'find' | 'use' | 'usedBytes'>;
  /** Maximum total size of the files of a driver's documents. They are kept until the driver's account is erased. */
  readonly maxBytes: number;
}

const STAFF_CALLERS = ['client_admin', 'employee'] as const;
const READ = {
  area: 'DriverInfo',
  callers: [...STAFF_CALLERS, 'driver'],
  scopes: ['drivers:read'],
  reads: ['driver_documents', 'accounts'],
} as const;
const kind = z
  .string()
  .regex(/^[a-z0-9_]{1,40}$/)
  .describe('Kind of document, as used by skills and settings: `driving_licence`, `adr_card`.');
const dateInput = z.iso.date().optional();
const documentSchema = z
  .object({
    id: z.string(),
    kind: z.string(),
    number: z.string().nullable(),
    valid_from: z.string().nullable(),
    valid_until: z.string().nullable(),
    file_ids: z.array(z.string()),
    status: z
      .enum([...DOCUMENT_STATES, 'expired'])
      .describe('`expired`: the document was verified, and `valid_until` has passed.'),
    reason: z.string().nullable().describe('Reason of a rejection.'),
    created_at: z.string().describe('Time of submission.'),
    decided_at: z.string().nullable(),
  })
  .meta({ id: 'DriverDocument' });
const writeOutput = z.object({ result: z.boolean() });
const NOT_FOUND = { 404: 'There is no such driver or document.' };

function toDocument(
  { id, state, number, reason, kind, valid_from, valid_until, file_ids, ...times }: Document,
  today: string,
): z.infer<typeof documentSchema> {
  const isExpired = state === 'verified' && valid_until !== null && valid_until < today;
  return {
    id,
    kind,
    number: number ?? null,
    valid_from,
    valid_until,
    file_ids,
    status: isExpired ? 'expired' : state,
    reason: reason ?? null,
    created_at: times.submitted_at,
    decided_at: times.decided_at,
  };
}

/** Staff and the driver may read the files of a document. */
export const documentReader = ({ driversOf }: DocumentQueries): FileReader => ({
  scope: 'drivers:read',
  canRead: async ({ id }, { role, userId, businessId }) =>
    (await driversOf(id)).some(
      ({ driver_id, business }) =>
        business === businessId && (driver_id === userId || (STAFF_CALLERS as readonly string[]).includes(role)),
    ),
});

export function documentOperations({ commands, documents, accounts, files, maxBytes }: DocumentsOptions): Operation[] {
  async function expectDriver(caller: Caller, driverId: number): Promise<void> {
    const { role, userId } = userOf(caller);
    if ((role === 'driver' && userId !== driverId) || !(await hasDriver(accounts, businessOf(caller), driverId)))
      throw new ApiError('DRIVER_NOT_FOUND');
  }
  /**
   * Returns the total size of the files. Allows only files that the caller uploaded, so that callers cannot access other
   * files by their ids.
   */
  async function expectOwnFiles(caller: Caller, fileIds: readonly string[]): Promise<number> {
    let bytes = 0;
    for (const [index, id] of fileIds.entries()) {
      const file = await files.find(id);
      const isAllowedPurpose = file?.purpose === 'document' || file?.purpose === 'photo';
      if (!isAllowedPurpose || file.owner !== userOf(caller).userId || file.business !== businessOf(caller))
        throw fieldError('FILE_NOT_FOUND', 'file_ids', {}, `/file_ids/${index}`);
      bytes += file.size;
    }
    return bytes;
  }
  async function sendToDriver(
    driverId: number,
    command: object,
    { caller, commandId, cause, wrote }: Context,
  ): Promise<void> {
    const commandFields = { commandId, userId: driverId, business: businessOf(caller), by: userOf(caller).userId };
    wrote(
      (await commands.drivers(driverStream(driverId), { ...commandFields, ...command } as DriverCommand, cause))
        .position,
    );
  }

  return [
    operation({
      ...READ,
      name: 'driverDocuments',
      summary: 'List the documents of a driver, newest first',
      description: 'Drivers see only their own documents.',
      rest: { method: 'get', path: '/v1/drivers/:driver_id/documents' },
      answers: { 404: 'There is no such driver.' },
      input: z.object({ driver_id: idSchema }),
      output: z.object({ result: z.boolean(), documents: z.array(documentSchema) }),
      async run({ driver_id }, { caller, time }) {
        await expectDriver(caller, driver_id);
        const today = localDate(time, userOf(caller).timezone);
        const responses = (await documents.documents(driver_id)).map((one) => toDocument(one, today));
        return { result: true, documents: responses };
      },
    }),
    operation({
      ...READ,
      name: 'driverDocument',
      summary: 'Get a document of a driver',
      rest: { method: 'get', path: '/v1/drivers/:driver_id/documents/:document_id' },
      answers: NOT_FOUND,
      input: z.object({ driver_id: idSchema, document_id: z.uuid() }),
      output: z.object({ result: z.boolean(), document: documentSchema }),
      async run({ driver_id, document_id }, { caller, time }) {
        await expectDriver(caller, driver_id);
        const found = (await documents.documents(driver_id)).find(({ id }) => id === document_id);
        if (!found) throw new ApiError('DOCUMENT_NOT_FOUND');
        return { result: true, document: toDocument(found, localDate(time, userOf(caller).timezone)) };
      },
    }),
    operation({
      name: 'driverDocumentSubmit',
      returns: { read: 'driverDocument' },
      area: 'DriverInfo',
      summary: 'Submit a document of a driver',
      description:
        'Upload the files first (`POST /v1/files?purpose=document`). After submission they belong to the account of the driver. The document becomes valid when another user verifies it.',
      rest: { method: 'post', path: '/v1/drivers/:driver_id/documents', status: 201 },
      callers: [...STAFF_CALLERS, 'driver'],
      scopes: ['drivers:write'],
      awaits: ['driver_documents'],
      writes: true,
      risk: 'medium',
      answers: {
        404: 'There is no such driver, or the caller has no such file.',
        422: 'The driver has too many documents (`TOO_MANY_DOCUMENTS`), or the total size of their files is too large (`DOCUMENTS_TOO_LARGE`).',
      },
      input: z.object({
        driver_id: idSchema,
        kind,
        number: z.string().trim().min(1).max(60).optional(),
        valid_from: dateInput,
        valid_until: dateInput.describe('Last day of validity. Default: no end.'),
        file_ids: z.array(z.uuid()).max(10).default([]),
      }),
      output: writeOutput,
      async run({ driver_id, file_ids, ...document }, context) {
        await expectDriver(context.caller, driver_id);
        const { valid_from, valid_until } = document;
        if (valid_from !== undefined && valid_until !== undefined && valid_until < valid_from)
          throw invalidForm('valid_until', 'not before `valid_from`');
        const fileIds = [...new Set(file_ids)];
        const bytes = await expectOwnFiles(context.caller, fileIds);
        // Without the new files, because a retry finds them in use already.
        if (bytes > 0 && (await files.usedBytes(accountSubject(driver_id), fileIds)) + bytes > maxBytes)
          throw new ApiError('DOCUMENTS_TOO_LARGE', { params: { max: maxBytes } });
        const document_id = derivedId('driver document', driver_id, context.commandId);
        const fullDocument = { ...document, document_id, file_ids: fileIds };
        await sendToDriver(driver_id, { do: 'submitDocument', document: fullDocument }, context);
        for (const id of fileIds) await files.use(id, accountSubject(driver_id));
        return { result: true, driver_id, document_id };
      },
    }),
    operation({
      name: 'driverDocumentDecide',
      returns: { read: 'driverDocument' },
      area: 'DriverInfo',
      summary: 'Verify or reject a document of a driver',
      description:
        'The caller must not be the user who submitted the document. Reminders follow 30 days and 7 days before the document expires.',
      rest: { method: 'post', path: '/v1/drivers/:driver_id/documents/:document_id/decision' },
      callers: STAFF_CALLERS,
      scopes: ['drivers:write'],
      awaits: ['driver_documents'],
      writes: true,
      risk: 'medium',
      answers: {
        403: 'The caller submitted the document (`OWN_DOCUMENT`).',
        404: 'There is no such document.',
        409: 'The opposite decision was already made (`DOCUMENT_DECIDED`).',
      },
      input: z.object({
        driver_id: idSchema,
        document_id: z.uuid(),
        decision: z.enum(['verify', 'reject']),
        reason: z.string().trim().min(1).max(500).optional().describe('Reason of a rejection.'),
      }),
      output: writeOutput,
      async run({ driver_id, document_id, decision, reason }, context) {
        await expectDriver(context.caller, driver_id);
        const command =
          decision === 'verify'
            ? { do: 'verifyDocument', documentId: document_id }
            : { do: 'rejectDocument', documentId: document_id, reason };
        await sendToDriver(driver_id, command, context);
        return { result: true };
      },
    }),
  ];
}
