/** `audit proof` and `audit key`: proofs as files, and the public key that checks them. */
import { writeFile } from 'node:fs/promises';
import type { Proof } from '../../events/tree/proof-documents.js';
import { createAuditProofs } from '../../projections/tree/audit-proofs.js';
import { latestHead } from '../../projections/tree/heads.js';
import { command, UsageError, type Context } from '../command.js';
import { withEngines } from '../engines.js';
import { readPosition } from './moment.js';

export const proveInclusion = command({
  name: 'proof inclusion',
  summary: 'Write a proof that an event stands in the log as it was published, with the event as it is stored.',

  args: ['file'],
  options: {
    stream: { value: '<name>', about: 'Of this stream.' },
    revision: { value: '<number>', about: 'Of the event in its stream.' },
    position: { value: '<position>', about: 'Of the event in the log.' },
    size: { value: '<events>', about: 'Of the head; absent: the latest.' },
  },

  async run({ positionals: [file], values }, context) {
    const size = values.size === undefined ? undefined : readCount('--size', values.size);
    if (values.position === undefined && (values.stream === undefined || values.revision === undefined))
      throw new UsageError('--stream and --revision, or --position, is missing.');
    await withEngines(context, { mustExist: true }, async ({ pool, log }) => {
      const place =
        values.position === undefined
          ? { stream: values.stream!, revision: readCount('--revision', values.revision!) }
          : { position: await readPosition('--position', values.position, log) };
      const found = await createAuditProofs({ pool, log }).inclusion(place, size);
      if (!found) throw new Error('There is no such event, or no head of that size.');
      if (!('proof' in found)) throw new Error('No such head holds the event yet.');
      await write(file!, found.proof, context);
    });
  },
});

export const proveConsistency = command({
  name: 'proof consistency',
  summary: 'Write a proof that one published head is the beginning of another, else of the latest.',

  args: ['file'],
  options: {
    from: { value: '<events>', about: 'Size of the earlier head.' },
    to: { value: '<events>', about: 'Size of the later head; absent: the latest.' },
  },

  async run({ positionals: [file], values }, context) {
    if (values.from === undefined) throw new UsageError('--from is missing.');
    const from = readCount('--from', values.from);
    const to = values.to === undefined ? undefined : readCount('--to', values.to);
    if (to !== undefined && to < from) throw new UsageError('--from is behind --to.');
    await withEngines(context, { mustExist: true }, async ({ pool, log }) => {
      const proof = await createAuditProofs({ pool, log }).consistency(from, to);
      if (!proof) throw new Error('No head of that size was published: see GET /api/v1/audit/heads.');
      await write(file!, proof, context);
    });
  },
});

export const key = command({
  name: 'key',
  summary: 'Print the verifier key of the latest head: give it to who checks proofs, by another way than the proofs.',

  async run(_given, context) {
    await withEngines(context, { mustExist: true }, async ({ pool }) => {
      const head = await latestHead(pool);
      if (!head) throw new Error('No head was published yet.');
      await context.print(head.key);
    });
  },
});

async function write(file: string, proof: Proof, { note }: Context): Promise<void> {
  await writeFile(file, `${JSON.stringify(proof, null, 2)}\n`);
  note(`${file} written`);
}

function readCount(option: string, text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count)) throw new UsageError(`${option} takes a whole number.`);
  return count;
}
