import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { leafHash, MerkleTree } from '../../src/events/merkle.js';
import { consistencyProofSchema, inclusionProofSchema, ProofFailed, verifyProof } from '../../src/events/proof-documents.js';
import { openHead } from '../../src/events/tree-head.js';
import { createAuditProofs } from '../../src/projections/audit-proofs.js';
import { openSigning } from '../../src/projections/notary.js';
import { runCli, type Ran } from '../support/cli.js';
import { freshDatabase, query } from '../support/database.js';
import type { Answer, CallOptions } from '../support/http.js';
import { event, timelineOf } from '../support/pushes.js';
import { MASTER_KEY, startTestService, type TestService } from '../support/service.js';
import { signIns, type UserName } from '../support/users.js';

const SIGNING_KEY = '17'.repeat(32);

interface Row {
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly position: string;
  readonly data: Record<string, unknown>;
}

describe('proof that nothing was changed (C6)', function () {
  this.timeout(120_000);
  let test: TestService;
  let dir: string;
  let signIn: (user: UserName) => Promise<string>;
  let verifierKey: string;
  /** Sizes of heads. */
  let first: number;
  let latest: number;

  const events = () => query<Row>(test.databaseUrl, "select stream, revision, id, lpad(position::text, 19, '0') as position, data from log.events order by log.events.position");
  const environment = () => ({ DATABASE_URL: test.databaseUrl, MASTER_KEY, SIGNING_KEY, DATA_DIR: dir });
  const cli = (...args: string[]): Promise<Ran> => runCli('audit', args, environment());
  /** Knows nothing of the service: no database, no secret. */
  const offline = (...args: string[]): Promise<Ran> => runCli('audit', ['verify-proof', '--key', verifierKey, ...args], {});
  const inclusion = async (place: Readonly<Record<string, string | number>>, user: UserName = 'platform_admin', options: CallOptions = {}): Promise<Answer> =>
    test.api(`/audit/proofs/inclusion?${new URLSearchParams(Object.entries(place).map(([name, value]): [string, string] => [name, String(value)]))}`, { key: await signIn(user), ...options });
  const check = (document: unknown) => verifyProof(inclusionProofSchema.parse(document), [verifierKey]);
  const tile = async (path: string) => {
    const response = await fetch(`${test.url}/api/v1/audit/log/tile/${path}`);
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  /** Past the guard of the table, as somebody with the database in his hands. */
  const asIntruder = (sql: string) => query(test.databaseUrl, `alter table log.events disable trigger append_only; ${sql}; alter table log.events enable trigger append_only`);

  /** Until a head holds everything that is in the log now; its size. */
  async function published(): Promise<number> {
    const { length } = await events();
    for (;;) {
      const { heads } = (await test.api('/audit/heads?limit=1')).json;
      if (heads[0]?.size >= length) return heads[0].size;
      await sleep(100);
    }
  }

  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'transport-proofs-'));
    test = await startTestService({ env: { SIGNING_KEY } });
    signIn = signIns(test);
    verifierKey = (await openSigning(test.service.engines.pool, { key: Buffer.from(SIGNING_KEY, 'hex'), baseUrl: undefined })).signer.verifierKey;
    await test.push(timelineOf('PROOF1', [event('picked_up', 0, { description: 'left with Jane' }), event('in_transit', 1)]));
    first = await published();
    await test.push(timelineOf('DEMO-COURIER-0001', [event('in_transit', 1)]), { key: test.demo.strict_provider.key });
    await test.push(timelineOf('PROOF2', Array.from({ length: 300 }, (_, hour) => event('in_transit', hour))));
    latest = await published();
  });
  after(async () => {
    await test?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  describe('heads and tiles', () => {
    it('are there for everybody, the newest first, page by page', async () => {
      const { json, headers } = await test.api('/audit/heads?limit=1');
      expect(headers.get('content-type')).to.match(/^application\/json/);
      expect(json.heads).to.have.length(1);
      expect(json.next_cursor).to.equal(latest);
      const sizes: number[] = [];
      for (let cursor: number | undefined = latest + 1; cursor !== undefined;) {
        const page = (await test.api(`/audit/heads?limit=1&cursor=${cursor}`)).json as { heads: { size: number; root: string; checkpoint: string; verifier_key: string }[]; next_cursor?: number };
        for (const { size, root, checkpoint, verifier_key } of page.heads) {
          sizes.push(size);
          expect(verifier_key).to.equal(verifierKey);
          const head = openHead(checkpoint, [verifierKey]);
          expect([head.size, head.root.toString('base64')]).to.deep.equal([size, root]);
        }
        cursor = page.next_cursor;
      }
      expect(sizes).to.include(first).and.include(latest);
      expect(sizes).to.deep.equal([...new Set(sizes)].sort((a, b) => b - a));
    });

    it('stand where tools for tiled logs look for them', async () => {
      const checkpoint = await test.api('/audit/log/checkpoint');
      expect(checkpoint.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
      expect(checkpoint.headers.get('cache-control')).to.equal('no-cache');
      expect(checkpoint.text).to.equal((await test.api('/audit/heads/latest')).text);
      const { size, root } = openHead(checkpoint.text, [verifierKey]);
      const full = await tile('0/000');
      const partial = await tile(`0/001.p/${size - 256}`);
      const upper = await tile('1/000.p/1');
      for (const { status, headers } of [full, partial, upper]) {
        expect([status, headers.get('content-type'), headers.get('cache-control')]).to.deep.equal([200, 'application/octet-stream', 'public, max-age=31536000, immutable']);
      }
      const tree = new MerkleTree();
      const leaves = Buffer.concat([full.bytes, partial.bytes]);
      for (let at = 0; at < leaves.length; at += 32) tree.append(leaves.subarray(at, at + 32));
      expect(tree.size).to.equal(size);
      expect(tree.root()).to.deep.equal(root);
      expect((await tile('0/000.p/1')).bytes).to.deep.equal(full.bytes.subarray(0, 32));
    });

    it('are told in one spelling, and no further than what was published', async () => {
      for (const path of ['0/001', `0/001.p/${latest - 256 + 1}`, '0/002', '0/0', '0/x000/000', '0/000.p/0', '0/000.p/01', '0/000.p/256', '0/000.p/300', '1/000', '1/000.p/2', '2/000.p/1', '63/000', '0/x001/x000/000', 'entries/000', '64/000', '00/000', '0/000/000', '0/-01', '0/%30%30%30.p%2F0']) {
        const { status } = await tile(path);
        expect(status, path).to.be.oneOf([400, 404]);
      }
      // Nor what the tree holds beyond the head.
      await asIntruder(`update log_tree.tiles set hashes = hashes || decode(repeat('00', 32), 'hex') where level = 0 and index = 1`);
      expect((await tile(`0/001.p/${latest - 256 + 1}`)).status).to.equal(404);
      await asIntruder(`update log_tree.tiles set hashes = substring(hashes from 1 for length(hashes) - 32) where level = 0 and index = 1`);
    });
  });

  describe('proofs of inclusion', () => {
    it('hold for every event, against every head that it is in, and are hashes of what is stored', async () => {
      const all = await events();
      const proofs = createAuditProofs({ pool: test.service.engines.pool, log: test.service.engines.log });
      for (const [index, { stream, revision }] of all.entries()) {
        for (const size of index < first ? [first, latest] : [latest]) {
          const found = await proofs.inclusion({ stream, revision }, size);
          if (!found || !('proof' in found)) throw new Error(`${stream} ${revision} has no proof`);
          expect(found.proof.index).to.equal(index);
          expect(check(found.proof)).to.match(new RegExp(`leaf ${index} of ${size}`));
        }
      }
      const { json } = await inclusion({ position: all[10]!.position });
      expect(json).to.include({ kind: 'inclusion', index: 10 });
      check(json);
      expect(JSON.parse(json.leaf)).to.include({ stream: all[10]!.stream, revision: all[10]!.revision, id: all[10]!.id });
    });

    it('hold nothing personal', async () => {
      const sealed = (await events()).find(({ data }) => data['status_code'] === 'picked_up' && data['$sealed'] !== undefined)!;
      const { json } = await inclusion({ stream: sealed.stream, revision: sealed.revision });
      expect(json.leaf).to.include('$sealed').and.not.include('Jane');
    });

    it('do not hold for another event, place or head, nor with another key', async () => {
      const { stream, revision } = (await events())[3]!;
      const { json } = await inclusion({ stream, revision });
      const older = await inclusion({ stream, revision, size: first });
      for (const forged of [{ ...json, leaf: json.leaf.replace('"revision"', '"revisioN"') }, { ...json, index: 4 }, { ...json, checkpoint: older.json.checkpoint }, { ...json, proof: json.proof.slice(1) }]) expect(() => check(forged)).to.throw(ProofFailed);
      const stranger = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
      expect(() => verifyProof(inclusionProofSchema.parse(json), [stranger])).to.throw(/No key that is trusted/);
    });

    it('are for those who may see the event', async () => {
      const all = await events();
      const own = all.findLast(({ stream, data }) => data['status_code'] === 'in_transit' && stream === all.find(({ data: { subject } }) => (subject as { tracking_number?: string } | undefined)?.tracking_number === 'DEMOCOURIER0001')?.stream);
      const carriers = all.find(({ data }) => data['status_code'] === 'picked_up')!;
      const status = async (row: Row, user: UserName) => (await inclusion({ stream: row.stream, revision: row.revision }, user)).status;
      expect(own, 'an event of the business').to.not.equal(undefined);
      for (const user of ['auditor', 'client_admin', 'platform_admin'] as const) expect(await status(own!, user), user).to.equal(200);
      for (const user of ['employee', 'broker', 'driver', 'customer'] as const) expect(await status(own!, user), user).to.equal(403);
      expect(await status(own!, 'other_client_admin')).to.equal(404);
      expect(await status(carriers, 'auditor')).to.equal(404);
      expect((await inclusion({ stream: own!.stream, revision: own!.revision }, 'auditor', { key: test.demo.provider.key })).status).to.equal(403);
      expect((await test.api(`/audit/proofs/inclusion?stream=${own!.stream}&revision=0`)).status).to.equal(401);
    });

    it('are refused for what there is not, with what is missing', async () => {
      const { stream, position } = (await events())[0]!;
      const cases: [Record<string, string | number>, number, string][] = [
        [{}, 400, 'INVALID_INPUT'], [{ stream }, 400, 'INVALID_INPUT'], [{ revision: 0 }, 400, 'INVALID_INPUT'], [{ position: 'x' }, 400, 'INVALID_POSITION'], [{ position: '' }, 400, 'INVALID_POSITION'],
        [{ stream, revision: 9_999 }, 404, 'NOT_FOUND'], [{ stream: 'no-such', revision: 0 }, 404, 'NOT_FOUND'], [{ position: '0000000000000000000' }, 404, 'NOT_FOUND'], [{ position, size: latest + 1 }, 404, 'NOT_FOUND'], [{ position, size: 0 }, 400, 'INVALID_INPUT'],
      ];
      for (const [place, status, code] of cases) {
        const answer = await inclusion(place);
        expect([answer.status, answer.json.code], JSON.stringify(place)).to.deep.equal([status, code]);
      }
      const behind = (await events())[first]!;
      expect((await inclusion({ position: behind.position, size: first })).json.code).to.equal('NOT_CAUGHT_UP');
    });
  });

  it('proves that one head is the beginning of the next, to everybody', async () => {
    const { json } = await test.api(`/audit/proofs/consistency?from=${first}`);
    expect(verifyProof(consistencyProofSchema.parse(json), [verifierKey])).to.match(new RegExp(`its ${latest} leaves begin with the first ${first}`));
    expect(() => verifyProof({ ...json, first: json.second }, [verifierKey])).to.throw(ProofFailed);
    expect(() => verifyProof({ ...json, proof: json.proof.slice(1) }, [verifierKey])).to.throw(ProofFailed);
    for (const [question, status] of [['from=999999', 404], [`from=${first}&to=999999`, 404], [`from=${latest}&to=${first}`, 400], ['', 400], ['from=0', 400]] as const) expect((await test.api(`/audit/proofs/consistency?${question}`)).status, question).to.equal(status);
  });

  it('writes proofs to files and checks them without the service', async () => {
    const { stream, revision, position } = (await events())[5]!;
    expect((await cli('key')).stdout).to.equal(`${verifierKey}\n`);
    const files = ['one.json', 'two.json', 'three.json'].map((name) => join(dir, name));
    expect((await cli('proof', 'inclusion', '--stream', stream, '--revision', String(revision), files[0]!)).code).to.equal(0);
    expect((await cli('proof', 'inclusion', '--position', position, '--size', String(latest), files[1]!)).code).to.equal(0);
    expect((await cli('proof', 'consistency', '--from', String(first), files[2]!)).code).to.equal(0);
    for (const file of files) {
      const ran = await offline(file);
      expect([ran.code, ran.stderr], file).to.deep.equal([0, '']);
    }
    expect((await offline(files[0]!)).stdout).to.match(/this event is leaf 5 of/);
    const forged = JSON.parse(await readFile(files[0]!, 'utf8')) as { index: number };
    await writeFile(files[0]!, JSON.stringify({ ...forged, index: forged.index + 1 }));
    await writeFile(files[1]!, '{}');
    for (const [file, says] of [[files[0]!, /is not leaf 6/], [files[1]!, /no proof/], [join(dir, 'none.json'), /ENOENT/]] as const) {
      const ran = await offline(file);
      expect([ran.code, ran.stdout]).to.deep.equal([1, '']);
      expect(ran.stderr).to.match(says);
    }
    expect((await runCli('audit', ['verify-proof', files[2]!], {})).code).to.equal(2);
    expect((await runCli('audit', ['verify-proof', '--key', 'nonsense', files[2]!], {})).code).to.equal(2);
  });

  it('keeps what was published through a backup', async () => {
    const target = await freshDatabase();
    try {
      const backup = join(dir, 'backup');
      for (const [command, url] of [['create', test.databaseUrl], ['restore', target.url]] as const) {
        const ran = await runCli('backup', [command, backup], { ...environment(), DATABASE_URL: url });
        expect(ran.code, ran.stderr).to.equal(0);
      }
      const heads = (url: string) => query(url, 'select * from notary.heads order by size');
      expect(await heads(target.url)).to.deep.equal(await heads(test.databaseUrl)).and.not.empty;
      const restored = await startTestService({ databaseUrl: target.url, seed: false, env: { SIGNING_KEY } });
      expect(await restored.service.progress.waitFor('log_tree', await restored.service.engines.log.head(), 20_000)).to.equal(true);
      await restored.stop();
      const { code, stdout } = await runCli('audit', ['verify', '--key', verifierKey], { ...environment(), DATABASE_URL: target.url });
      expect(code, stdout).to.equal(0);
    } finally {
      await target.drop();
    }
  });

  describe('when one byte of a stored event is flipped', () => {
    let victim: Row & { readonly index: number };
    const flip = (from: string, to: string) => asIntruder(`update log.events set data = replace(data::text, '${from}', '${to}')::json where id = '${victim.id}'`);

    before(async () => {
      const all = await events();
      const index = all.findIndex(({ data }) => data['status_code'] === 'in_transit');
      victim = { ...all[index]!, index };
    });

    it('audit verify finds nothing before', async () => {
      const { code, stdout } = await cli('verify', '--key', verifierKey);
      expect(code, stdout).to.equal(0);
      expect(stdout).to.match(new RegExp(`log_tree: ${latest} events, ${latest} leaves, \\d+ published heads, [\\d.]+ s, equal`));
    });

    it('audit verify names the event, the first head that is not that of the log, and a proof no longer holds', async () => {
      await flip('in_transit', 'in_transiu');
      try {
        const { code, stdout } = await cli('verify');
        expect(code, stdout).to.equal(3);
        expect(stdout).to.match(new RegExp(`log_tree: ${victim.stream} ${victim.revision} \\(event ${victim.id}, position ${victim.position}\\) is not what it was when it became leaf ${victim.index}\n`));
        expect(stdout).to.match(/the head of \d+ events, published .* is not that of the log/);
        expect(stdout).to.match(/log_tree: .*, 2 differences/);
        const { json } = await inclusion({ stream: victim.stream, revision: victim.revision });
        expect(() => check(json)).to.throw(ProofFailed);
        const file = join(dir, 'flipped.json');
        expect((await cli('proof', 'inclusion', '--position', victim.position, file)).code).to.equal(0);
        expect((await offline(file)).code).to.equal(1);
      } finally {
        await flip('in_transiu', 'in_transit');
      }
      check((await inclusion({ stream: victim.stream, revision: victim.revision })).json);
    });

    it('audit verify finds it when the tree was changed with it', async () => {
      const place = `from ${victim.index * 32 + 1} for 32`;
      const leaf = (await inclusion({ position: victim.position })).json.leaf as string;
      const put = (hash: Buffer) => asIntruder(`update log_tree.tiles set hashes = overlay(hashes placing decode('${hash.toString('hex')}', 'hex') ${place}) where level = 0 and index = 0`);
      await flip('in_transit', 'in_transiu');
      await put(leafHash(leaf.replace('in_transit', 'in_transiu')));
      try {
        const { code, stdout } = await cli('verify');
        expect(code, stdout).to.equal(3);
        expect(stdout).to.match(/the head of \d+ events, published .* is not that of the log: .*something among its events \d+ to \d+/);
        expect(stdout).to.match(/tile 1\/0 does not follow/);
      } finally {
        await flip('in_transiu', 'in_transit');
        await put(leafHash(leaf));
      }
    });

    it('audit verify finds an event that was removed, and a head that was signed by somebody else', async () => {
      await asIntruder(`create table public.kept as select * from log.events where id = '${victim.id}'; delete from log.events where id = '${victim.id}'`);
      const removed = await cli('verify');
      await asIntruder('insert into log.events overriding system value select * from public.kept; drop table public.kept');
      expect(removed.code).to.equal(3);
      expect(removed.stdout).to.match(new RegExp(`is not what it was when it became leaf ${victim.index}\n`)).and.match(new RegExp(`a head of ${latest} events was published, and the log has ${latest - 1}`));

      const stranger = await runCli('audit', ['verify'], { ...environment(), SIGNING_KEY: '18'.repeat(32) });
      expect(stranger.code).to.equal(3);
      expect(stranger.stdout).to.match(/No key that is trusted signed it/);
      expect((await cli('verify')).code).to.equal(0);
    });
  });
});

describe('without a signing key', function () {
  this.timeout(30_000);
  it('the tree is kept, and nothing is signed', async () => {
    const test = await startTestService();
    try {
      expect(await test.service.progress.waitFor('log_tree', await test.service.engines.log.head(), 10_000)).to.equal(true);
      await sleep(2_500);
      expect((await test.api('/audit/heads')).json).to.deep.equal({ result: true, heads: [] });
      for (const path of ['/audit/heads/latest', '/audit/log/checkpoint', '/audit/log/tile/0/000.p/1']) expect((await test.api(path)).status, path).to.equal(404);
      expect((await fetch(`${test.url}/health/ready`)).status).to.equal(200);
    } finally {
      await test.stop();
    }
  });
});
