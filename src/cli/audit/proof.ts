/** `audit proof` and `audit key`: writes proofs as files, and prints the public key that verifies them. */
import { writeFile } from 'node:fs/promises';
import type { Proof } from '../../events/tree/proof-documents.js';
import type { Engines } from '../../engines/open.js';
import { evidenceOf } from '../../events/tree/evidence.js';
import { trackingStream } from '../../events/trackings/events.js';
import { createAuditProofs, type EventPlace } from '../../projections/tree/audit-proofs.js';
import { latestHead } from '../../projections/tree/heads.js';
import { openIdentifiers } from '../../projections/trackings/naming.js';
import { createTrackingQueries } from '../../projections/trackings/queries.js';
import { command, UsageError, type Context } from '../command.js';
import { withEngines } from '../engines.js';
import { publicAddress } from '../public-address.js';
import { readCount } from './read-count.js';
import { readPosition } from './moment.js';

const options = {
  stream: { value: '<name>', about: 'Stream of the event, or the number of a parcel for its tracking.' },
  revision: { value: '<number>', about: 'Revision of the event in its stream.' },
  position: { value: '<position>', about: 'Position of the event in the log.' },
  size: { value: '<events>', about: 'Size of the head; default: the latest head.' },
} as const;
type Place = { readonly [Name in keyof typeof options]: string | undefined };

export const proveInclusion = command({
  name: 'proof inclusion',
  summary: 'Write a proof that the published log contains an event, with the event as stored.',
  args: ['file'],
  options,
  run: ({ positionals: [file], values }, context) =>
    withProof(values, context, ({ proof }) => write(file!, proof, context)),
});

export const evidence = command({
  name: 'evidence',
  summary: 'Write an event as evidence that can be verified with Node.js alone: proof, head, key, explanation.',
  args: ['file'],
  options,
  run: ({ positionals: [file], values }, context) =>
    withProof(values, context, ({ proof, verifierKey }) =>
      write(file!, evidenceOf(proof, verifierKey, publicAddress(context.config)), context),
    ),
});

type Proven = Extract<
  Awaited<ReturnType<ReturnType<typeof createAuditProofs>['inclusion']>>,
  { readonly proof: unknown }
>;

async function withProof(values: Place, context: Context, act: (proven: Proven) => Promise<void>): Promise<void> {
  const size = values.size === undefined ? undefined : readCount('--size', values.size);
  if (values.position === undefined && (values.stream === undefined || values.revision === undefined))
    throw new UsageError('Pass --stream and --revision, or --position.');
  await withEngines(context, { mustExist: true }, async (engines) => {
    const found = await createAuditProofs(engines).inclusion(await placeOf(values, engines), size);
    if (!found) throw new Error('No such event or no head of that size exists.');
    if (!('proof' in found)) throw new Error('No published head of that size includes the event yet.');
    await act(found);
  });
}

async function placeOf({ stream, revision, position }: Place, { log, pool }: Engines): Promise<EventPlace> {
  if (position !== undefined) return { position: await readPosition('--position', position, log) };
  const place = { stream: stream!, revision: readCount('--revision', revision!) };
  for await (const _event of log.read(place.stream)) return place;
  const [found] = await createTrackingQueries(pool).byAnyIdentifier(openIdentifiers(place.stream));
  const parcel = found?.trackings.at(-1);
  return parcel ? { ...place, stream: trackingStream(parcel.id) } : place;
}

export const proveConsistency = command({
  name: 'proof consistency',
  summary: 'Write a proof that a published head is the beginning of a later head, by default of the latest.',

  args: ['file'],
  options: {
    from: { value: '<events>', about: 'Size of the earlier head.' },
    to: { value: '<events>', about: 'Size of the later head; default: the latest.' },
  },

  async run({ positionals: [file], values }, context) {
    if (values.from === undefined) throw new UsageError('--from is missing.');
    const from = readCount('--from', values.from);
    const to = values.to === undefined ? undefined : readCount('--to', values.to);
    if (to !== undefined && to < from) throw new UsageError('--from must not be greater than --to.');
    await withEngines(context, { mustExist: true }, async ({ pool, log }) => {
      const proof = await createAuditProofs({ pool, log }).consistency(from, to);
      if (!proof) throw new Error('No head of that size was published: see GET /api/v1/audit/heads.');
      await write(file!, proof, context);
    });
  },
});

export const key = command({
  name: 'key',
  summary: 'Print the verifier key of the latest head. Send it to verifiers through another channel than the proofs.',

  async run(_given, context) {
    await withEngines(context, { mustExist: true }, async ({ pool }) => {
      const head = await latestHead(pool);
      if (!head) throw new Error('No head has been published yet.');
      await context.print(head.key);
    });
  },
});

async function write(file: string, proof: Proof, { note }: Context): Promise<void> {
  await writeFile(file, `${JSON.stringify(proof, null, 2)}\n`);
  note(`${file} written`);
}
