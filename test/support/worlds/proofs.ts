/**
 * A service that signs the heads of its log and has published two of them. Also its auditors, who request proofs, and
 * an intruder with access to its database (C6).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inclusionProofSchema, verifyProof } from '../../../src/events/tree/proof-documents.js';
import { openSigning } from '../../../src/projections/tree/head-publisher.js';
import { runCli, type CommandResult } from '../processes/cli.js';
import { query } from './database.js';
import type { Answer, CallOptions } from '../clients/http.js';
import { event, timelineOf } from '../inputs/pushes.js';
import { MASTER_KEY, startTestService } from './service.js';
import { signIns, type UserName } from './users.js';

export const SIGNING_KEY = '17'.repeat(32);

export interface Row {
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly position: string;
  readonly data: Record<string, unknown>;
}

export type ProofWorld = Awaited<ReturnType<typeof openProofWorld>>;

export async function openProofWorld() {
  const dir = await mkdtemp(join(tmpdir(), 'transport-proofs-'));
  const test = await startTestService({ env: { SIGNING_KEY } });
  const signIn = signIns(test);
  const { verifierKey } = (
    await openSigning(test.service.engines.pool, { key: Buffer.from(SIGNING_KEY, 'hex'), baseUrl: undefined })
  ).signer;
  const events = () =>
    query<Row>(
      test.databaseUrl,
      "select stream, revision, id, lpad(position::text, 19, '0') as position, data from log.events order by log.events.position",
    );
  const environment = () => ({ DATABASE_URL: test.databaseUrl, MASTER_KEY, SIGNING_KEY, DATA_DIR: dir });

  type Place = Readonly<Record<string, string | number>>;
  const ask =
    (path: string) =>
    async (place: Place, user: UserName = 'platform_admin', options: CallOptions = {}): Promise<Answer> =>
      test.api(
        `${path}?${new URLSearchParams(Object.entries(place).map(([name, value]): [string, string] => [name, String(value)]))}`,
        { key: await signIn(user), ...options },
      );

  /** Waits until a published head covers all current events of the log, and returns its size. */
  async function published(): Promise<number> {
    const { length } = await events();
    for (;;) {
      const { heads } = (await test.api('/audit/heads?limit=1')).json;
      if (heads[0]?.size >= length) return heads[0].size;
      await sleep(100);
    }
  }

  await test.push(
    timelineOf('PROOF1', [event('picked_up', 0, { description: 'left with Jane' }), event('in_transit', 1)]),
  );
  const first = await published();
  await test.push(timelineOf('DEMO-COURIER-0001', [event('in_transit', 1)]), { key: test.demo.strict_provider.key });
  await test.push(
    timelineOf(
      'PROOF2',
      Array.from({ length: 300 }, (_, hour) => event('in_transit', hour)),
    ),
  );
  const latest = await published();

  return {
    test,
    dir,
    verifierKey,
    events,
    environment,
    tokenOf: signIn,
    /** Sizes of heads. */
    first,
    latest,
    inclusion: ask('/audit/proofs/inclusion'),
    evidence: ask('/audit/evidence'),
    check: (document: unknown) => verifyProof(inclusionProofSchema.parse(document), [verifierKey]),
    cli: (...args: string[]): Promise<CommandResult> => runCli('audit', args, environment()),
    /** Has no access to the service: no database, no secret. */
    offline: (...args: string[]): Promise<CommandResult> =>
      runCli('audit', ['verify-proof', '--key', verifierKey, ...args], {}),
    /** Disables the append-only trigger of the table. */
    asIntruder: (sql: string) =>
      query(
        test.databaseUrl,
        `alter table log.events disable trigger append_only; ${sql}; alter table log.events enable trigger append_only`,
      ),
    async stop() {
      await test.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
