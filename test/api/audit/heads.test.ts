/** Published heads of the log and its tiles (C6): their addresses, a backup, and the case without a signing key. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { MerkleTree } from '../../../src/events/tree/merkle.js';
import { openHead } from '../../../src/events/tree/tree-head.js';
import { WAIT_LIMIT_MS } from '../../support/eventually.js';
import { runCli } from '../../support/processes/cli.js';
import { freshDatabase, query } from '../../support/worlds/database.js';
import { openProofWorld, SIGNING_KEY, type ProofWorld } from '../../support/worlds/proofs.js';
import { startTestService } from '../../support/worlds/service.js';

describe('proof of an unchanged log (C6)', () => {
  let world: ProofWorld;
  before(async () => void (world = await openProofWorld()));
  after(() => world?.stop());

  const tile = async (path: string) => {
    const response = await fetch(`${world.test.url}/api/v1/audit/log/tile/${path}`);
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  describe('heads and tiles', () => {
    it('are public, the newest first, page by page', async () => {
      const { test, verifierKey, first, latest } = world;
      const { json, headers } = await test.api('/audit/heads?limit=1');
      expect(headers.get('content-type')).to.match(/^application\/json/);
      expect(json.heads).to.have.length(1);
      expect(json).to.include({ next_cursor: String(latest), has_more: true });
      const sizes: number[] = [];
      for (let cursor: string | null = String(latest + 1); cursor !== null;) {
        const page = (await test.api(`/audit/heads?limit=1&cursor=${cursor}`)).json as {
          heads: { size: number; root: string; checkpoint: string; verifier_key: string }[];
          next_cursor: string | null;
        };
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

    it('have the addresses that tools for tiled logs use', async () => {
      const { test, verifierKey } = world;
      const checkpoint = await test.api('/audit/log/checkpoint');
      expect(checkpoint.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
      expect(checkpoint.headers.get('cache-control')).to.equal('no-cache');
      expect(checkpoint.text).to.equal((await test.api('/audit/heads/latest')).text);
      const { size, root } = openHead(checkpoint.text, [verifierKey]);
      const full = await tile('0/000');
      const partial = await tile(`0/001.p/${size - 256}`);
      const upper = await tile('1/000.p/1');
      for (const { status, headers } of [full, partial, upper]) {
        expect([status, headers.get('content-type'), headers.get('cache-control')]).to.deep.equal([
          200,
          'application/octet-stream',
          'public, max-age=31536000, immutable',
        ]);
      }
      const tree = new MerkleTree();
      const leaves = Buffer.concat([full.bytes, partial.bytes]);
      for (let at = 0; at < leaves.length; at += 32) tree.append(leaves.subarray(at, at + 32));
      expect(tree.size).to.equal(size);
      expect(tree.root()).to.deep.equal(root);
      expect((await tile('0/000.p/1')).bytes).to.deep.equal(full.bytes.subarray(0, 32));
    });

    it('have one address each, and end at the published head', async () => {
      const { latest, asIntruder } = world;
      for (const path of [
        '0/001',
        `0/001.p/${latest - 256 + 1}`,
        '0/002',
        '0/0',
        '0/x000/000',
        '0/000.p/0',
        '0/000.p/01',
        '0/000.p/256',
        '0/000.p/300',
        '1/000',
        '1/000.p/2',
        '2/000.p/1',
        '63/000',
        '0/x001/x000/000',
        'entries/000',
        '64/000',
        '00/000',
        '0/000/000',
        '0/-01',
        '0/%30%30%30.p%2F0',
      ]) {
        const { status } = await tile(path);
        expect(status, path).to.be.oneOf([400, 404]);
      }
      // Leaves of the tree beyond the head are not shown either.
      await asIntruder(
        `update log_tree.tiles set hashes = hashes || decode(repeat('00', 32), 'hex') where level = 0 and index = 1`,
      );
      expect((await tile(`0/001.p/${latest - 256 + 1}`)).status).to.equal(404);
      await asIntruder(
        `update log_tree.tiles set hashes = substring(hashes from 1 for length(hashes) - 32) where level = 0 and index = 1`,
      );
    });
  });

  it('keeps published heads through a backup', async () => {
    const { test, dir, verifierKey, environment } = world;
    const target = await freshDatabase();
    try {
      const backup = join(dir, 'backup');
      for (const [command, url] of [
        ['create', test.databaseUrl],
        ['restore', target.url],
      ] as const) {
        const ran = await runCli('backup', [command, backup], { ...environment(), DATABASE_URL: url });
        expect(ran.code, ran.stderr).to.equal(0);
      }
      const heads = (url: string) => query(url, 'select * from notary.heads order by size');
      expect(await heads(target.url)).to.deep.equal(await heads(test.databaseUrl)).and.not.empty;
      const restored = await startTestService({ databaseUrl: target.url, seed: false, env: { SIGNING_KEY } });
      expect(
        await restored.service.progress.waitFor('log_tree', await restored.service.engines.log.head(), WAIT_LIMIT_MS),
      ).to.equal(true);
      await restored.stop();
      const { code, stdout } = await runCli('audit', ['verify', '--key', verifierKey], {
        ...environment(),
        DATABASE_URL: target.url,
      });
      expect(code, stdout).to.equal(0);
    } finally {
      await target.drop();
    }
  });
});

describe('without a signing key', () => {
  it('the tree is built, and nothing is signed', async () => {
    const test = await startTestService();
    try {
      expect(
        await test.service.progress.waitFor('log_tree', await test.service.engines.log.head(), WAIT_LIMIT_MS),
      ).to.equal(true);
      await sleep(2_500);
      expect((await test.api('/audit/heads')).json).to.deep.equal({
        result: true,
        has_more: false,
        next_cursor: null,
        heads: [],
      });
      for (const path of ['/audit/heads/latest', '/audit/log/checkpoint', '/audit/log/tile/0/000.p/1'])
        expect((await test.api(path)).status, path).to.equal(404);
      expect((await fetch(`${test.url}/health/ready`)).status).to.equal(200);
    } finally {
      await test.stop();
    }
  });
});
