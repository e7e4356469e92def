/** Proofs that an event is in the log, and that one head is the beginning of the next (C6): over HTTP, and in files. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  consistencyProofSchema,
  inclusionProofSchema,
  ProofFailed,
  verifyProof,
} from '../../../src/events/tree/proof-documents.js';
import { createAuditProofs } from '../../../src/projections/tree/audit-proofs.js';
import { runCli } from '../../support/processes/cli.js';
import { openProofWorld, type ProofWorld, type Row } from '../../support/worlds/proofs.js';
import type { UserName } from '../../support/worlds/users.js';

describe('proof of an unchanged log (C6)', () => {
  let world: ProofWorld;
  before(async () => void (world = await openProofWorld()));
  after(() => world?.stop());

  describe('proofs of inclusion', () => {
    it('are valid for every event and every head that includes it, and are hashes of the stored data', async () => {
      const { test, first, latest, events, inclusion, check } = world;
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
      const { json } = await inclusion({ event_position: all[10]!.position });
      expect(json).to.include({ kind: 'inclusion', index: 10 });
      check(json);
      expect(JSON.parse(json.leaf)).to.include({
        stream: all[10]!.stream,
        revision: all[10]!.revision,
        id: all[10]!.id,
      });
    });

    it('contain no personal data', async () => {
      const { events, inclusion } = world;
      const sealed = (await events()).find(
        ({ data }) => data['status_code'] === 'picked_up' && data['$sealed'] !== undefined,
      )!;
      const { json } = await inclusion({ stream: sealed.stream, revision: sealed.revision });
      expect(json.leaf).to.include('$sealed').and.not.include('Jane');
    });

    it('are invalid for another event, place or head, and with another key', async () => {
      const { first, events, inclusion, check } = world;
      const { stream, revision } = (await events())[3]!;
      const { json } = await inclusion({ stream, revision });
      const older = await inclusion({ stream, revision, size: first });
      for (const forged of [
        { ...json, leaf: json.leaf.replace('"revision"', '"revisioN"') },
        { ...json, index: 4 },
        { ...json, checkpoint: older.json.checkpoint },
        { ...json, proof: json.proof.slice(1) },
      ])
        expect(() => check(forged)).to.throw(ProofFailed);
      const stranger = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
      expect(() => verifyProof(inclusionProofSchema.parse(json), [stranger])).to.throw(/No trusted key/);
    });

    it('require permission to see the event', async () => {
      const { test, events, inclusion } = world;
      const all = await events();
      const own = all.findLast(
        ({ stream, data }) =>
          data['status_code'] === 'in_transit' &&
          stream ===
            all.find(
              ({ data: { subject } }) =>
                (subject as { tracking_number?: string } | undefined)?.tracking_number === 'DEMOCOURIER0001',
            )?.stream,
      );
      const carriers = all.find(({ data }) => data['status_code'] === 'picked_up')!;
      const status = async (row: Row, user: UserName) =>
        (await inclusion({ stream: row.stream, revision: row.revision }, user)).status;
      expect(own, 'an event of the business').to.not.equal(undefined);
      for (const user of ['auditor', 'client_admin', 'platform_admin'] as const)
        expect(await status(own!, user), user).to.equal(200);
      for (const user of ['employee', 'broker', 'driver', 'customer'] as const)
        expect(await status(own!, user), user).to.equal(403);
      expect(await status(own!, 'other_client_admin')).to.equal(404);
      expect(await status(carriers, 'auditor')).to.equal(404);
      expect(
        (await inclusion({ stream: own!.stream, revision: own!.revision }, 'auditor', { key: test.demo.provider.key }))
          .status,
      ).to.equal(403);
      expect((await test.api(`/audit/proofs/inclusion?stream=${own!.stream}&revision=0`)).status).to.equal(401);
    });

    it('are rejected for missing objects, with the missing one', async () => {
      const { first, latest, events, inclusion } = world;
      const { stream, position } = (await events())[0]!;
      const cases: [Record<string, string | number>, number, string][] = [
        [{}, 400, 'INVALID_INPUT'],
        [{ stream }, 400, 'INVALID_INPUT'],
        [{ revision: 0 }, 400, 'INVALID_INPUT'],
        [{ event_position: 'x' }, 400, 'INVALID_POSITION'],
        [{ event_position: '' }, 400, 'INVALID_POSITION'],
        [{ stream, revision: 9_999 }, 404, 'NOT_FOUND'],
        [{ stream: 'no-such', revision: 0 }, 404, 'NOT_FOUND'],
        [{ event_position: '0000000000000000000' }, 404, 'NOT_FOUND'],
        [{ event_position: position, size: latest + 1 }, 404, 'NOT_FOUND'],
        [{ event_position: position, size: 0 }, 400, 'INVALID_INPUT'],
      ];
      for (const [place, status, code] of cases) {
        const answer = await inclusion(place);
        expect([answer.status, answer.json.code], JSON.stringify(place)).to.deep.equal([status, code]);
      }
      const behind = (await events())[first]!;
      expect((await inclusion({ event_position: behind.position, size: first })).json.code).to.equal('NOT_FOUND');
    });
  });

  it('proves publicly that one head is the beginning of the next', async () => {
    const { test, verifierKey, first, latest } = world;
    const { json } = await test.api(`/audit/proofs/consistency?from=${first}`);
    expect(verifyProof(consistencyProofSchema.parse(json), [verifierKey])).to.match(
      new RegExp(`its ${latest} leaves begin with the first ${first}`),
    );
    expect(() => verifyProof({ ...json, first: json.second }, [verifierKey])).to.throw(ProofFailed);
    expect(() => verifyProof({ ...json, proof: json.proof.slice(1) }, [verifierKey])).to.throw(ProofFailed);
    for (const [question, status] of [
      ['from=999999', 404],
      [`from=${first}&to=999999`, 404],
      [`from=${latest}&to=${first}`, 400],
      ['', 400],
      ['from=0', 400],
    ] as const)
      expect((await test.api(`/audit/proofs/consistency?${question}`)).status, question).to.equal(status);
  });

  it('writes proofs to files and verifies them without the service', async () => {
    const { dir, verifierKey, first, latest, events, cli, offline } = world;
    const { stream, revision, position } = (await events())[5]!;
    expect((await cli('key')).stdout).to.equal(`${verifierKey}\n`);
    const files = ['one.json', 'two.json', 'three.json'].map((name) => join(dir, name));
    expect(
      (await cli('proof', 'inclusion', '--stream', stream, '--revision', String(revision), files[0]!)).code,
    ).to.equal(0);
    expect(
      (await cli('proof', 'inclusion', '--position', position, '--size', String(latest), files[1]!)).code,
    ).to.equal(0);
    expect((await cli('proof', 'consistency', '--from', String(first), files[2]!)).code).to.equal(0);
    for (const file of files) {
      const ran = await offline(file);
      expect([ran.code, ran.stderr], file).to.deep.equal([0, '']);
    }
    expect((await offline(files[0]!)).stdout).to.match(/this event is leaf 5 of/);
    const forged = JSON.parse(await readFile(files[0]!, 'utf8')) as { index: number };
    await writeFile(files[0]!, JSON.stringify({ ...forged, index: forged.index + 1 }));
    await writeFile(files[1]!, '{}');
    for (const [file, message] of [
      [files[0]!, /is not leaf 6/],
      [files[1]!, /not a proof/],
      [join(dir, 'none.json'), /none\.json does not exist/],
    ] as const) {
      const ran = await offline(file);
      expect([ran.code, ran.stdout]).to.deep.equal([1, '']);
      expect(ran.stderr).to.match(message);
    }
    expect((await runCli('audit', ['verify-proof', files[2]!], {})).code).to.equal(2);
    expect((await runCli('audit', ['verify-proof', '--key', 'nonsense', files[2]!], {})).code).to.equal(2);
  });
});
