/** The job that imports entries into an address book. */
import type { AddressEntry } from '../../../events/addresses/events.js';
import type { AddressOwner } from '../../../events/addresses/normal-form.js';
import { derivedId } from '../../../events/otep/identity.js';
import { toApiError } from '../../core/problem.js';
import { MAX_REPORTED_ERRORS } from '../files/check-lines.js';
import { jobKind, type JobHandle } from '../jobs/kind.js';
import type { Saved, Saving } from './saving.js';

export const ADDRESS_IMPORT = 'address_import';
/** Number of entries that are saved in parallel. */
const CHUNK_SIZE = 20;
/** Imports of more entries run longer than some seconds. */
const MAX_SHORT_ENTRIES = 500;

interface Line {
  /** Reserved id of the entry. */
  readonly id: number;
  readonly line: number;
  readonly entry: AddressEntry;
}

export interface AddressImportWork {
  readonly owner: AddressOwner;
  readonly lines: readonly Line[];
}

export interface AddressImportResult {
  readonly total: number;
  readonly created: number;
  /** Lines whose address the book already had. */
  readonly existing: number;
  readonly failed: number;
  readonly errors: readonly { readonly line: number; readonly code: string }[];
  readonly stopped?: true;
}

/** A retry finds entries that were saved already. The entries are readable when the job ends. */
export function addressImportJob(saving: Pick<Saving, 'save' | 'keyTextOf'>, awaitReadModels: () => Promise<void>) {
  async function saveLine(
    { id, line, entry }: Line,
    owner: AddressOwner,
    job: JobHandle,
  ): Promise<Saved | { readonly line: number; readonly code: string }> {
    try {
      return await saving.save({ id, owner, entry, commandId: derivedId('imported', job.id, id) }, job.cause);
    } catch (error) {
      const failed = toApiError(error);
      if (failed.status >= 500) throw error;
      return { line, code: failed.errors[0]?.code ?? failed.code };
    }
  }

  /** The lines of one address are saved one after the other, so that the first line creates the entry. */
  function saveChunk(chunk: readonly Line[], owner: AddressOwner, job: JobHandle) {
    const last = new Map<string, Promise<unknown>>();
    return Promise.all(
      chunk.map((line) => {
        const key = saving.keyTextOf(owner, line.entry);
        const saved = Promise.resolve(last.get(key)).then(() => saveLine(line, owner, job));
        last.set(key, saved);
        return saved;
      }),
    );
  }

  return jobKind<AddressImportWork, AddressImportResult>({
    name: ADDRESS_IMPORT,
    scopes: { read: 'address:read', write: 'orders:write' },
    stoppable: true,
    isLong: ({ lines }) => lines.length > MAX_SHORT_ENTRIES,
    async run({ owner, lines }, job) {
      const errors: { line: number; code: string }[] = [];
      let [created, existing, attempted] = [0, 0, 0];
      const partialResult = () => {
        const failed = attempted - created - existing;
        return { total: lines.length, created, existing, failed, errors: errors.slice(0, MAX_REPORTED_ERRORS) };
      };
      while (attempted < lines.length && !job.stopped.aborted) {
        job.cancelled.throwIfAborted();
        const chunk = lines.slice(attempted, attempted + CHUNK_SIZE);
        const outcomes = await saveChunk(chunk, owner, job);
        for (const outcome of outcomes) {
          if ('code' in outcome) errors.push(outcome);
          else if (outcome.existing) existing += 1;
          else created += 1;
        }
        attempted += chunk.length;
        job.done(partialResult());
        job.progress(attempted / lines.length, 'saving');
      }
      await awaitReadModels();
      // Lines that were not attempted do not count as failed.
      return { ...partialResult(), ...(attempted < lines.length && { stopped: true }) };
    },
    summarize: ({ total, created, existing, failed }) => ({
      rejected: failed,
      counts: { total, succeeded: created + existing, failed: 0, rejected: failed },
    }),
  });
}
