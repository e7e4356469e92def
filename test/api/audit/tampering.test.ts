/** An attacker with full access to the database who changes the log is detected (C6). */
import { join } from 'node:path';
import { expect } from 'chai';
import { leafHash } from '../../../src/events/tree/merkle.js';
import { ProofFailed } from '../../../src/events/tree/proof-documents.js';
import { createSigner } from '../../../src/events/tree/signed-note.js';
import { runCli } from '../../support/processes/cli.js';
import { openProofWorld, type ProofWorld, type Row } from '../../support/worlds/proofs.js';

describe('proof of an unchanged log (C6)', () => {
  let world: ProofWorld;
  before(async () => void (world = await openProofWorld()));
  after(() => world?.stop());

  describe('when one byte of a stored event is flipped', () => {
    let victim: Row & { readonly index: number };
    const flip = (from: string, to: string) =>
      world.asIntruder(
        `update log.events set data = replace(data::text, '${from}', '${to}')::json where id = '${victim.id}'`,
      );

    before(async () => {
      const all = await world.events();
      const index = all.findIndex(({ data }) => data['status_code'] === 'in_transit');
      victim = { ...all[index]!, index };
    });

    it('audit verify finds nothing before', async () => {
      const { verifierKey, latest, cli } = world;
      const { code, stdout } = await cli('verify', '--key', verifierKey);
      expect(code, stdout).to.equal(0);
      expect(stdout).to.match(
        new RegExp(`log_tree: ${latest} events, ${latest} leaves, \\d+ published heads, [\\d.]+ s, equal`),
      );
    });

    it('audit verify names the event and the first head that differs, and a proof is invalid', async () => {
      const { dir, cli, offline, inclusion, check } = world;
      await flip('in_transit', 'in_transiu');
      try {
        const { code, stdout } = await cli('verify');
        expect(code, stdout).to.equal(3);
        expect(stdout).to.match(
          new RegExp(
            `log_tree: ${victim.stream} ${victim.revision} \\(event ${victim.id}, position ${victim.position}\\) has changed since it became leaf ${victim.index}\n`,
          ),
        );
        expect(stdout).to.match(/the head of \d+ events, published .* differs from the log/);
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

    it('audit verify also finds the change if the tree was changed', async () => {
      const { cli, inclusion, asIntruder } = world;
      const place = `from ${victim.index * 32 + 1} for 32`;
      const leaf = (await inclusion({ event_position: victim.position })).json.leaf as string;
      const put = (hash: Buffer) =>
        asIntruder(
          `update log_tree.tiles set hashes = overlay(hashes placing decode('${hash.toString('hex')}', 'hex') ${place}) where level = 0 and index = 0`,
        );
      await flip('in_transit', 'in_transiu');
      await put(leafHash(leaf.replace('in_transit', 'in_transiu')));
      try {
        const { code, stdout } = await cli('verify');
        expect(code, stdout).to.equal(3);
        expect(stdout).to.match(
          /the head of \d+ events, published .* differs from the log: .*one of its events \d+ to \d+/,
        );
        expect(stdout).to.match(/tile 1\/0 does not match/);
      } finally {
        await flip('in_transiu', 'in_transit');
        await put(leafHash(leaf));
      }
    });

    it('audit verify finds a removed event, and a head with a foreign signature', async () => {
      const { latest, cli, environment, asIntruder } = world;
      await asIntruder(
        `create table public.kept as select * from log.events where id = '${victim.id}'; delete from log.events where id = '${victim.id}'`,
      );
      const removed = await cli('verify');
      await asIntruder(
        'insert into log.events overriding system value select * from public.kept; drop table public.kept',
      );
      expect(removed.code).to.equal(3);
      expect(removed.stdout)
        .to.match(new RegExp(`has changed since it became leaf ${victim.index}\n`))
        .and.match(new RegExp(`a head of ${latest} events was published, but the log has ${latest - 1}`));

      const other = createSigner('somebody.example/log', Buffer.alloc(32, 0x18)).verifierKey;
      const stranger = await cli('verify', '--key', other);
      expect(stranger.code).to.equal(3);
      expect(stranger.stdout).to.match(/No trusted key signed the note/);
      // With another signing key the command does not access the database at all.
      const refused = await runCli('audit', ['verify'], { ...environment(), SIGNING_KEY: '18'.repeat(32) });
      expect(refused.code).to.equal(1);
      expect(refused.stderr).to.match(/SIGNING_KEY is not the key of this database/);
      expect((await cli('verify')).code).to.equal(0);
    });
  });
});
