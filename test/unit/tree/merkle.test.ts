import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { leafHashOf, leafOf } from '../../../src/events/tree/leaf.js';
import { leafHash, MerkleTree, nodeHash } from '../../../src/events/tree/merkle.js';
import { runs } from '../../support/depth.js';

const sha256 = (...parts: Uint8Array[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();

/** The literal definition of RFC 9162, 2.1.1: split at the largest power of two below the size. */
function definedRoot(leaves: readonly Uint8Array[]): Buffer {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return sha256(Buffer.of(0), leaves[0]!);
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return sha256(Buffer.of(1), definedRoot(leaves.slice(0, half)), definedRoot(leaves.slice(half)));
}

const treeOf = (leaves: readonly Uint8Array[]): MerkleTree => {
  const tree = new MerkleTree();
  for (const leaf of leaves) tree.append(leafHash(leaf));
  return tree;
};

describe('Merkle tree', () => {
  // The leaves and roots in the test vectors of Certificate Transparency implementations.
  const leaves = [
    '',
    '00',
    '10',
    '2021',
    '3031',
    '40414243',
    '5051525354555657',
    '606162636465666768696a6b6c6d6e6f',
  ].map((hex) => Buffer.from(hex, 'hex'));
  const roots = [
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ];

  roots.forEach((root, size) => {
    it(`has the known root of ${size} leaves`, () =>
      expect(treeOf(leaves.slice(0, size)).root().toString('hex')).to.equal(root));
  });

  it('has the root of the definition at every size', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 4 }), { maxLength: 70 }), (leaves) => {
        expect(treeOf(leaves).root()).to.deep.equal(definedRoot(leaves));
      }),
      { numRuns: runs(50) },
    );
  });

  it('continues from its peaks', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 4 }), { maxLength: 40 }), fc.nat(40), (leaves, at) => {
        const before = treeOf(leaves.slice(0, at));
        const tree = new MerkleTree(before.size, before.peaks);
        for (const leaf of leaves.slice(at)) tree.append(leafHash(leaf));
        expect(tree.root()).to.deep.equal(definedRoot(leaves));
        expect(tree.size).to.equal(leaves.length);
      }),
      { numRuns: runs(50) },
    );
  });

  it('rejects peaks that do not match the size', () => {
    expect(() => new MerkleTree(3, [leafHash('')])).to.throw(RangeError);
    expect(() => new MerkleTree(-1)).to.throw(RangeError);
  });

  it('distinguishes leaves from nodes', () => {
    const [left, right] = [leafHash('a'), leafHash('b')];
    expect(nodeHash(left, right)).to.not.deep.equal(leafHash(Buffer.concat([left, right])));
  });
});

describe('leaf of an event', () => {
  const event = {
    stream: 'tracking-1',
    revision: 2,
    id: '6f1c1c0e-5f0a-4a55-9d4e-3f6a4b8a1c11',
    type: 'TrackingEventRecorded',
    version: 1,
    position: '0000000000000000007',
    data: { z: 1, a: 'ü€😀\u2028"', $sealed: { subject: '1', box: 'AAAA' }, number: 1e21 },
    metadata: { recorded_at: '2026-01-05T08:00:00.000Z', $correlationId: 'c' },
  };

  it('is the canonical JSON of the stored event', () => {
    expect(leafOf(event)).to.equal(
      '{"data":{"$sealed":{"box":"AAAA","subject":"1"},"a":"ü€😀\u2028\\"","number":1e+21,"z":1},"id":"6f1c1c0e-5f0a-4a55-9d4e-3f6a4b8a1c11","metadata":{"$correlationId":"c","recorded_at":"2026-01-05T08:00:00.000Z"}' +
        ',"recorded_at":"2026-01-05T08:00:00.000Z","revision":2,"stream":"tracking-1","type":"TrackingEventRecorded","version":1}',
    );
  });

  it('hashes text as UTF-8', () =>
    expect(leafHashOf(event)).to.deep.equal(sha256(Buffer.of(0), Buffer.from(leafOf(event), 'utf8'))));

  it('depends neither on the position nor on the order of members', () => {
    const other = {
      ...event,
      position: 'elsewhere',
      data: Object.fromEntries(Object.entries(event.data).reverse()) as typeof event.data,
    };
    expect(leafHashOf(other)).to.deep.equal(leafHashOf(event));
  });

  for (const [member, value] of [
    ['stream', 'tracking-2'],
    ['revision', 3],
    ['id', '6f1c1c0e-5f0a-4a55-9d4e-3f6a4b8a1c12'],
    ['type', 'Other'],
    ['version', 2],
    ['data', {}],
    ['metadata', {}],
  ] as const) {
    it(`changes with ${member}`, () =>
      expect(leafHashOf({ ...event, [member]: value })).to.not.deep.equal(leafHashOf(event)));
  }
});
