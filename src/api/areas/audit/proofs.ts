/** Evidence that the log was not changed: signed tree heads, the tree in tiles (C2SP), and proofs. */
import { z } from 'zod';
import type { EventLog } from '../../../events/core/log.js';
import { consistencyProofSchema, inclusionProofSchema } from '../../../events/tree/proof-documents.js';
import type { AuditProofs } from '../../../projections/tree/audit-proofs.js';
import { headsBefore, latestHead } from '../../../projections/tree/heads.js';
import { readTile } from '../../../projections/tree/tree-proofs.js';
import { evidenceOf, evidenceSchema } from '../../../events/tree/evidence.js';
import { streamOrNumber } from './filters.js';
import { mayProve } from './may-prove.js';
import type { ParcelStreams } from './parcel-streams.js';
import { formatTilePath, parseTilePath } from './tile-path.js';
import { EVERYBODY, userOf, type Caller } from '../../core/callers.js';
import { ApiError, fieldError, invalidForm } from '../../core/errors.js';
import { operation, type Operation } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { logOutput, logPageOf } from '../../core/pages.js';

export interface AuditProofsOptions extends Parts<'pool' | 'log' | 'baseUrl'> {
  readonly proofs: AuditProofs;
  readonly parcels: ParcelStreams;
}

const size = z.int().min(1);
const IMMUTABLE_HEADERS = { 'Cache-Control': 'public, max-age=31536000, immutable' };
const NO_CACHE_HEADERS = { 'Cache-Control': 'no-cache' };

export function auditProofs({ pool, log, proofs, parcels, baseUrl }: AuditProofsOptions): Operation[] {
  const checkpoint = async () => {
    const head = await latestHead(pool);
    // A separate error instead of NOT_FOUND: the first head is not published yet, or signing is not configured.
    if (!head) throw new ApiError('NO_HEAD');
    return { body: Buffer.from(head.note), mediaType: 'text/plain; charset=utf-8', headers: NO_CACHE_HEADERS };
  };
  /** Common members of the operations on one event. */
  const eventProofOptions = {
    area: 'Audit',
    callers: ['platform_admin', 'client_admin', 'auditor'],
    scopes: ['audit:read'],
    reads: ['log_tree', 'timeline'],
    input: z.object({
      stream: streamOrNumber.optional(),
      revision: z
        .int()
        .min(0)
        .max(2_147_483_647)
        .optional()
        .describe('Revision of the event in its stream, starting at 0.'),
      event_position: z
        .string()
        .max(64)
        .optional()
        .describe('Position of the event in the log, as an alternative to stream and revision.'),
      size: size.optional().meta({ description: 'Size of the signed head for the proof. Default: the latest head.' }),
    }),
  } as const satisfies Partial<Operation>;

  async function findProof({ size, ...eventRef }: z.infer<typeof eventProofOptions.input>, caller: Caller) {
    const found = await proofs.inclusion(await resolveEvent(eventRef, caller, parcels, log), size);
    const event = found && ('proof' in found ? found.event : found.unpublished);
    // An event of another business gives the same error as a missing one.
    if (!event || !(await mayProve(event, userOf(caller), log))) throw new ApiError('NOT_FOUND');
    if (!('proof' in found)) throw new ApiError('NOT_CAUGHT_UP', { headers: { 'Retry-After': '5' } });
    return found;
  }

  /** Public operations: they return only hashes, which reveal nothing about the events. */
  const publicOptions = { area: 'Audit', callers: EVERYBODY, output: z.string() } as const;

  return [
    operation({
      ...publicOptions,
      name: 'auditHeads',
      summary: 'List published heads of the audit log',
      description:
        'Returns signed tree heads, newest first. Store a head outside this service to detect any later change to the events before it. Verify the signature of a head with `verifier_key`.',
      rest: { method: 'get', path: '/v1/audit/heads' },
      input: z.object({
        cursor: z
          .string()
          .regex(/^\d{1,15}$/)
          .optional()
          .describe('`next_cursor` of the previous page.'),
        limit: z.int().min(1).max(200).default(50),
      }),
      output: z.object({
        ...logOutput,
        heads: z.array(
          z
            .object({
              size,
              root: z.string().meta({ description: 'Root hash of the tree, in base64.' }),
              published_at: z.string().meta({ format: 'date-time' }),
              verifier_key: z.string(),
              checkpoint: z.string(),
            })
            .meta({ id: 'AuditHead' }),
        ),
      }),
      async run({ cursor, limit }) {
        const found = await headsBefore(pool, Number(cursor ?? Number.MAX_SAFE_INTEGER), limit + 1);
        const heads = found
          .slice(0, limit)
          .map(({ size, root, publishedAt, key, note }) => ({
            size,
            root: root.toString('base64'),
            published_at: publishedAt.toISOString(),
            verifier_key: key,
            checkpoint: note,
          }));
        return { ...logPageOf(found.length > limit ? String(heads.at(-1)!.size) : undefined), heads };
      },
    }),
    operation({
      ...publicOptions,
      name: 'auditLatestHead',
      summary: 'Get the latest log head as a C2SP checkpoint',
      description: 'Returns the newest signed head as text. Fails with `NO_HEAD` if no head is published yet.',
      rest: { method: 'get', path: '/v1/audit/heads/latest' },
      input: z.object({}),
      run: checkpoint,
    }),
    operation({
      ...publicOptions,
      name: 'auditLogCheckpoint',
      summary: 'Get the latest log head at the tlog-tiles path',
      description:
        'Returns the same checkpoint as `auditLatestHead`, at the path that tools for https://c2sp.org/tlog-tiles expect.',
      rest: { method: 'get', path: '/v1/audit/log/checkpoint' },
      input: z.object({}),
      run: checkpoint,
    }),
    operation({
      ...publicOptions,
      name: 'auditLogTile',
      summary: 'Get a hash tile of the log tree',
      description:
        'Returns a tile as defined by https://c2sp.org/tlog-tiles: up to 256 SHA-256 hashes of 32 bytes each. `index` consists of groups of three digits (`x001/067`), with `.p/<width>` for a partial tile. A tile never changes.',
      rest: { method: 'get', path: '/v1/audit/log/tile/:level/*index' },
      input: z.object({ level: z.string().regex(/^(\d|[1-5]\d|6[0-3])$/), index: z.string().max(64) }),
      async run({ level: digits, index: path }) {
        const level = Number(digits);
        const tile = parseTilePath(path);
        if (!tile || formatTilePath(tile) !== path) throw new ApiError('NOT_FOUND');
        const head = await latestHead(pool);
        const published = Math.floor((head?.size ?? 0) / 256 ** level);
        const body =
          tile.index * 256 + tile.width <= published ? await readTile(pool, level, tile.index, tile.width) : undefined;
        if (!body) throw new ApiError('NOT_FOUND');
        return { body, mediaType: 'application/octet-stream', headers: IMMUTABLE_HEADERS };
      },
    }),
    operation({
      ...publicOptions,
      name: 'auditConsistencyProof',
      summary: 'Get a consistency proof between two published heads',
      description:
        'Proves that the older head is a prefix of the newer one. Verify it with `npm run audit -- verify-proof` or any implementation of RFC 9162, 2.1.4.2.',
      rest: { method: 'get', path: '/v1/audit/proofs/consistency' },
      input: z.object({
        from: size.meta({ description: 'Size of the older head.' }),
        to: size.optional().meta({ description: 'Size of the newer head. Default: the latest head.' }),
      }),
      output: consistencyProofSchema,
      async run({ from, to }) {
        if (to !== undefined && from > to) throw invalidForm('from', 'not larger than `to`');
        const proof = await proofs.consistency(from, to);
        if (!proof) throw new ApiError('NOT_FOUND');
        return proof;
      },
    }),
    operation({
      ...eventProofOptions,
      name: 'auditInclusionProof',
      summary: 'Get a proof that the published log contains an event',
      description:
        'Select the event by stream and revision, or by `event_position`. The response contains the stored event (personal data encrypted), its inclusion path in the tree and a signed head. Verify it with `npm run audit -- verify-proof` or any implementation of RFC 9162, 2.1.3.2. Returns 503 (`NOT_CAUGHT_UP`) until a head includes the event.',
      rest: { method: 'get', path: '/v1/audit/proofs/inclusion' },
      output: inclusionProofSchema,
      run: async (input, { caller }) => (await findProof(input, caller)).proof,
    }),
    operation({
      ...eventProofOptions,
      name: 'auditEvidence',
      summary: 'Export an event with its proof as evidence',
      description:
        'Returns one document for readers without access to this service: the stored event (personal data encrypted), its inclusion proof, the signed head, the public key, and an explanation. The program at `verifier` checks it and needs only Node.js. Returns 503 (`NOT_CAUGHT_UP`) until a head includes the event.',
      rest: { method: 'get', path: '/v1/audit/evidence' },
      output: evidenceSchema,
      async run(input, { caller }) {
        const { proof, verifierKey } = await findProof(input, caller);
        return evidenceOf(proof, verifierKey, baseUrl());
      },
    }),
  ];
}

async function resolveEvent(
  {
    stream,
    revision,
    event_position: position,
  }: { stream?: string | undefined; revision?: number | undefined; event_position?: string | undefined },
  caller: Caller,
  parcels: ParcelStreams,
  log: EventLog,
) {
  if (position !== undefined) {
    if (position === '' || !log.isPosition(position)) throw fieldError('INVALID_POSITION', 'event_position');
    return { position };
  }
  const missing = Object.entries({ stream, revision })
    .filter(([, value]) => value === undefined)
    .map(([field]) => ({ field, path: `/${field}`, code: 'REQUIRED' }));
  if (missing.length > 0) throw new ApiError('INVALID_INPUT', { errors: missing });
  const streamName = await parcels.streamOf(stream!, caller);
  if (streamName === undefined) throw new ApiError('NOT_FOUND');
  return { stream: streamName, revision: revision! };
}
