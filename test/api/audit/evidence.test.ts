/** One event with its complete proof, checked by a single file that needs only Node (issue 24, point 9). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { evidenceSchema, type Evidence } from '../../../src/events/tree/evidence.js';
import { createSigner } from '../../../src/events/tree/signed-note.js';
import { openHead, signHead } from '../../../src/events/tree/tree-head.js';
import { leafHashOf } from '../../../src/events/tree/leaf.js';
import { openProofWorld, type ProofWorld } from '../../support/worlds/proofs.js';

describe('evidence', () => {
  let world: ProofWorld;
  let verifier: string;
  let folder: string;
  let genuine: Evidence;

  before(async () => {
    world = await openProofWorld();
    folder = await mkdtemp(join(tmpdir(), 'evidence-'));
    // As an outside auditor gets it, in a folder from which no module of the project is reachable.
    verifier = join(folder, 'verify-evidence.mjs');
    const served = await fetch(`${world.test.url}/verify-evidence.mjs`);
    expect(served.headers.get('content-type')).to.equal('text/javascript; charset=utf-8');
    await writeFile(verifier, await served.text());
    const { json } = await world.evidence({ stream: 'PROOF1', revision: 1 });
    genuine = evidenceSchema.parse(json);
  });
  after(async () => {
    await world?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  async function verify(document: unknown, keys: readonly string[] = [world.verifierKey]) {
    const file = join(folder, 'evidence.json');
    await writeFile(file, typeof document === 'string' ? document : JSON.stringify(document));
    const child = spawn(process.execPath, [verifier, ...keys.flatMap((key) => ['--key', key]), file], {
      cwd: folder,
      env: {},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    const [code] = (await once(child, 'close')) as [number];
    return { code, said };
  }

  it('is one document: event, proof, signed head, key and explanations', () => {
    expect(genuine.event).to.include({ stream: genuine.event.stream, revision: 1, type: 'TrackingEventRecorded' });
    expect(genuine.verifier_key).to.equal(world.verifierKey);
    expect(genuine.explanation.join(' ')).to.include('leaf').and.include(genuine.verifier);
    expect(genuine.verifier).to.equal(`${world.test.url}/verify-evidence.mjs`);
    expect(JSON.stringify(genuine)).to.include('$sealed').and.not.include('Jane');
  });

  it('is valid for every event, with the included key and with an independent one', async () => {
    expect(await verify(genuine)).to.deep.include({ code: 0 });
    const { code, said } = await verify(genuine, []);
    expect(code).to.equal(0);
    expect(said).to.include('The evidence is valid').and.include('Compare it with a key from another source');
    const all = await world.events();
    for (const index of [0, 1, 2, 7, 64, all.length - 2, all.length - 1]) {
      const { stream, revision } = all[index]!;
      const { json } = await world.evidence({ stream, revision });
      expect(await verify(json), `${index}`).to.deep.include({ code: 0 });
    }
    // With the members in another order, the evidence is the same.
    const turned = Object.fromEntries(Object.entries(genuine).toReversed());
    expect(await verify(JSON.stringify(turned, null, 7))).to.deep.include({ code: 0 });
  });

  it('is invalid after any change, with a reason', async () => {
    const { event, proof, checkpoint } = genuine;
    const other = (await world.evidence({ stream: 'PROOF1', revision: 2 })).json as Evidence;
    const zero = Buffer.alloc(32).toString('base64');
    const stranger = createSigner(genuine.verifier_key.split('+')[0]!, Buffer.alloc(32, 9));
    const head = openHead(checkpoint, [world.verifierKey]);
    const forgeries: [string, unknown, RegExp][] = [
      [
        'data of the event',
        { ...genuine, event: { ...event, data: { ...event.data, status_code: 'lost' } } },
        /the event, its place, or a hash/,
      ],
      [
        'time of the event',
        { ...genuine, event: { ...event, recorded_at: '2020-01-01T00:00:00.000Z' } },
        /the event, its place, or a hash/,
      ],
      ['a member added', { ...genuine, event: { ...event, note: 'x' } }, /the event, its place, or a hash/],
      ['another event', { ...genuine, event: other.event }, /the event, its place, or a hash/],
      ['place', { ...genuine, index: genuine.index + 1 }, /the event, its place, or a hash/],
      ['place beyond the log', { ...genuine, index: 1e9 }, /there is no leaf/],
      ['a hash', { ...genuine, proof: [zero, ...proof.slice(1)] }, /the event, its place, or a hash/],
      ['a hash left out', { ...genuine, proof: proof.slice(1) }, /the event, its place, or a hash/],
      ['a hash too many', { ...genuine, proof: [...proof, zero] }, /the event, its place, or a hash/],
      [
        'size of the head',
        { ...genuine, checkpoint: checkpoint.replace(`\n${head.size}\n`, `\n${head.size + 1}\n`) },
        /signature of the head does not belong to/,
      ],
      [
        'root of the head',
        { ...genuine, checkpoint: checkpoint.replace(head.root.toString('base64'), zero) },
        /signature of the head does not belong to/,
      ],
      [
        'no signature',
        { ...genuine, checkpoint: checkpoint.slice(0, checkpoint.indexOf('\u2014')) },
        /no signature|no trusted key/,
      ],
      [
        'signature',
        { ...genuine, checkpoint: checkpoint.replace(/.{6}\n$/, 'AAAA==\n') },
        /damaged|does not belong to/,
      ],
      ['key', { ...genuine, verifier_key: genuine.verifier_key.replace(/.{4}$/, 'AAA=') }, /key/],
      ['a part left out', { ...genuine, checkpoint: undefined }, /a part of it is missing/],
      ['no document', '[]', /not an evidence document/],
      ['no JSON', '{', /is not valid/],
    ];
    for (const [what, forged, message] of forgeries)
      for (const keys of [[world.verifierKey], []]) {
        const { code, said } = await verify(forged, keys);
        expect(code, `${what}: ${said}`).to.equal(1);
        // An untrusted key is reported before anything else.
        expect(said, what).to.match(what === 'key' ? /key/ : message);
      }
    // A complete forged history, signed with a foreign key under the log's name.
    const leaf = leafHashOf(event as unknown as Parameters<typeof leafHashOf>[0]);
    const made = {
      ...genuine,
      index: 0,
      proof: [],
      checkpoint: signHead({ origin: head.origin, size: 1, root: leaf }, stranger),
      verifier_key: stranger.verifierKey,
    };
    expect(await verify(made)).to.deep.include({ code: 1 });
    expect((await verify(made)).said).to.match(/not a trusted key/);
    expect(await verify({ ...made, verifier_key: world.verifierKey })).to.deep.include({ code: 1 });
    expect((await verify(made, [])).said, 'that is why it asks for the key').to.include('Compare it with a key');
  });

  it('needs only Node', async () => {
    const text = await readFile(verifier, 'utf8');
    const imported = [...text.matchAll(/(?:from|import\(?)\s*'([^']+)'/g)].map(([, name]) => name);
    expect(imported).to.deep.equal(['node:crypto', 'node:fs']);
    expect(text).to.not.match(/\brequire\(|\bfetch\(/);
  });

  it('is available over GraphQL and at the command line, which also verifies it', async () => {
    const { revision } = genuine.event;
    const graphqlResponse = await fetch(`${world.test.url}/api/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await world.tokenOf('auditor')}` },
      body: JSON.stringify({
        query: 'query ($s: String) { auditEvidence(stream: $s, revision: 0) }',
        variables: { s: 'DEMOCOURIER0001' },
      }),
    });
    const { data, errors } = (await graphqlResponse.json()) as {
      data: { auditEvidence: Evidence } | null;
      errors?: unknown;
    };
    expect(errors).to.equal(undefined);
    expect(await verify(data!.auditEvidence)).to.deep.include({ code: 0 });

    const file = join(folder, 'written.json');
    expect(await world.cli('evidence', '--stream', 'PROOF1', '--revision', String(revision), file)).to.deep.include({
      code: 0,
    });
    const written = evidenceSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    expect(written.event).to.deep.equal(genuine.event);
    expect(await verify(written)).to.deep.include({ code: 0 });
    expect((await world.offline(file)).stdout).to.include(`this event is leaf ${genuine.index} of`);
    await writeFile(file, JSON.stringify({ ...genuine, index: genuine.index + 1 }));
    expect((await world.offline(file)).code).to.equal(1);
    expect((await world.cli('evidence', '--stream', 'NOBODYS', '--revision', '0', file)).code).to.equal(1);
    expect((await world.cli('evidence', '--stream', 'PROOF1', file)).code).to.equal(2);
  });

  it('requires permission to see the event', async () => {
    const of = async (place: Record<string, string | number>, user: Parameters<ProofWorld['evidence']>[1]) =>
      (await world.evidence(place, user)).status;
    const business = { stream: 'DEMO-COURIER-0001', revision: 0 };
    for (const user of ['auditor', 'client_admin'] as const) expect(await of(business, user), user).to.equal(200);
    for (const user of ['employee', 'driver'] as const) expect(await of(business, user), user).to.equal(403);
    for (const place of [business, { stream: 'PROOF1', revision: 1 }, genuine.event])
      expect(
        await of({ stream: place.stream, revision: place.revision }, 'other_client_admin'),
        JSON.stringify(place),
      ).to.equal(404);
    expect(await of({ stream: 'PROOF1', revision: 1 }, 'auditor'), "a carrier's own parcel").to.equal(404);
  });
});
