import { expect } from 'chai';
import fc from 'fast-check';
import { leafHash, MerkleTree } from '../../../src/events/tree/merkle.js';
import {
  consistencySpans,
  inclusionSpans,
  subtreesOf,
  verifyConsistency,
  verifyInclusion,
  type Span,
} from '../../../src/events/tree/merkle-proofs.js';
import { TileEdge } from '../../../src/projections/tree/tile-edge.js';
import { runs } from '../../support/depth.js';

const MAX_SIZE = 600;
const leaves = Array.from({ length: MAX_SIZE }, (_, index) => leafHash(`leaf ${index}`));

/** The Merkle tree hash of a range of leaves, computed from the leaves. */
function hashOf({ start, end }: Span, of: readonly Buffer[] = leaves): Buffer {
  const tree = new MerkleTree();
  for (const leaf of of.slice(start, end)) tree.append(leaf);
  return tree.root();
}
const rootOf = (size: number): Buffer => hashOf({ start: 0, end: size });
const flipped = (hash: Buffer, bit: number): Buffer => {
  const copy = Buffer.from(hash);
  copy[bit >> 3]! ^= 1 << (bit & 7);
  return copy;
};

/** A tree size from 1 on, and a number from `least` to less than `least` + size. */
const sizeAnd = (minimum: number) =>
  fc
    .integer({ min: 1, max: MAX_SIZE })
    .chain((size) => fc.tuple(fc.constant(size), fc.integer({ min: minimum, max: size - 1 + minimum })));
const bit = fc.nat(255);

describe('proofs of the Merkle tree', () => {
  // RFC 6962, 2.1.3: the tree of seven leaves and its proofs.
  const known = { a: 0, b: 1, c: 2, d: 3, e: 4, f: 5, j: 6 };
  const span = (start: number, end: number): Span => ({ start, end });
  const [g, h, i, k, l] = [span(0, 2), span(2, 4), span(4, 6), span(0, 4), span(4, 7)];
  const one = (leaf: keyof typeof known): Span => span(known[leaf], known[leaf] + 1);

  it('equal the example of RFC 6962', () => {
    expect(inclusionSpans(0, 7)).to.deep.equal([one('b'), h, l]);
    expect(inclusionSpans(3, 7)).to.deep.equal([one('c'), g, l]);
    expect(inclusionSpans(4, 7)).to.deep.equal([one('f'), one('j'), k]);
    expect(inclusionSpans(6, 7)).to.deep.equal([i, k]);
    expect(consistencySpans(3, 7)).to.deep.equal([one('c'), one('d'), g, l]);
    expect(consistencySpans(4, 7)).to.deep.equal([l]);
    expect(consistencySpans(6, 7)).to.deep.equal([i, one('j'), k]);
  });

  // The tree of eight leaves in the test vectors of Certificate Transparency implementations.
  it('have the known hashes', () => {
    const eight = [
      '',
      '00',
      '10',
      '2021',
      '3031',
      '40414243',
      '5051525354555657',
      '606162636465666768696a6b6c6d6e6f',
    ].map((hex) => leafHash(Buffer.from(hex, 'hex')));
    const hex = (spans: readonly Span[]) => spans.map((each) => hashOf(each, eight).toString('hex'));
    expect(hex(inclusionSpans(5, 8))).to.deep.equal([
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
    expect(hex(consistencySpans(6, 8))).to.deep.equal([
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
  });

  it('of inclusion are valid for every leaf of every size, and for no other leaf, place, size or root', () => {
    fc.assert(
      fc.property(sizeAnd(0), bit, fc.nat(), ([size, index], flip, which) => {
        const proof = inclusionSpans(index, size).map((each) => hashOf(each));
        const sound = { leaf: leaves[index]!, index, size, proof, root: rootOf(size) };
        expect(verifyInclusion(sound)).to.equal(true);
        expect(verifyInclusion({ ...sound, leaf: flipped(sound.leaf, flip) })).to.equal(false);
        expect(verifyInclusion({ ...sound, root: flipped(sound.root, flip) })).to.equal(false);
        expect(verifyInclusion({ ...sound, proof: [...proof, sound.root] })).to.equal(false);
        if (size > 1) expect(verifyInclusion({ ...sound, index: (index + 1) % size })).to.equal(false);
        if (proof.length > 0) {
          const at = which % proof.length;
          expect(verifyInclusion({ ...sound, proof: proof.with(at, flipped(proof[at]!, flip)) })).to.equal(false);
          expect(verifyInclusion({ ...sound, proof: proof.slice(0, -1) })).to.equal(false);
        }
        for (const wrong of [-1, size, size + 1, Number.NaN])
          expect(verifyInclusion({ ...sound, index: wrong })).to.equal(false);
      }),
      { numRuns: runs(300) },
    );
  });

  it('of consistency are valid for every two sizes, and for no other roots or sizes', () => {
    fc.assert(
      fc.property(sizeAnd(1), bit, fc.nat(), ([second, first], flip, which) => {
        const proof = consistencySpans(first, second).map((each) => hashOf(each));
        const sound = { first, second, firstRoot: rootOf(first), secondRoot: rootOf(second), proof };
        expect(verifyConsistency(sound)).to.equal(true);
        expect(verifyConsistency({ ...sound, firstRoot: flipped(sound.firstRoot, flip) })).to.equal(false);
        expect(verifyConsistency({ ...sound, secondRoot: flipped(sound.secondRoot, flip) })).to.equal(false);
        expect(verifyConsistency({ ...sound, proof: [...proof, sound.firstRoot] })).to.equal(false);
        expect(verifyConsistency({ ...sound, first: 0 })).to.equal(false);
        expect(verifyConsistency({ ...sound, first: second + 1 })).to.equal(false);
        if (proof.length > 0) {
          const at = which % proof.length;
          expect(verifyConsistency({ ...sound, proof: proof.with(at, flipped(proof[at]!, flip)) })).to.equal(false);
          expect(verifyConsistency({ ...sound, proof: proof.slice(0, -1) })).to.equal(false);
          expect(verifyConsistency({ ...sound, proof: [] })).to.equal(false);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it('are valid for every pair of small sizes', () => {
    for (let size = 1; size <= 40; size++) {
      for (let index = 0; index < size; index++) {
        expect(
          verifyInclusion({
            leaf: leaves[index]!,
            index,
            size,
            proof: inclusionSpans(index, size).map((each) => hashOf(each)),
            root: rootOf(size),
          }),
          `${index} of ${size}`,
        ).to.equal(true);
        const first = index + 1;
        expect(
          verifyConsistency({
            first,
            second: size,
            firstRoot: rootOf(first),
            secondRoot: rootOf(size),
            proof: consistencySpans(first, size).map((each) => hashOf(each)),
          }),
          `${first} to ${size}`,
        ).to.equal(true);
      }
    }
  });

  it('are rejected outside the tree', () => {
    expect(() => inclusionSpans(0, 0)).to.throw(RangeError);
    expect(() => inclusionSpans(3, 3)).to.throw(RangeError);
    expect(() => consistencySpans(0, 3)).to.throw(RangeError);
    expect(() => consistencySpans(4, 3)).to.throw(RangeError);
  });

  it('count beyond 32 bits', () => {
    const size = 2 ** 40 + 3;
    expect(inclusionSpans(size - 1, size)).to.deep.equal([span(2 ** 40, 2 ** 40 + 2), span(0, 2 ** 40)]);
    expect(subtreesOf({ start: 0, end: size })).to.deep.equal([
      { height: 40, index: 0 },
      { height: 1, index: 2 ** 39 },
      { height: 0, index: 2 ** 40 + 2 },
    ]);
  });
});

describe('tiles', () => {
  it('equal those of the tree, however it grows, and give its root', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MAX_SIZE }), fc.integer({ min: 0, max: MAX_SIZE }), (one, other) => {
        const [stop, size] = [Math.min(one, other), Math.max(one, other)];
        const first = new TileEdge();
        leaves.slice(0, stop).forEach((leaf, index) => first.append(leaf, String(index)));
        const last = new Map(first.changed.map((tile) => [tile.level, tile] as const));
        const edge = new TileEdge([...last.values()].map((tile) => ({ ...tile, hashes: [...tile.hashes] })));
        leaves.slice(stop, size).forEach((leaf, index) => edge.append(leaf, String(stop + index)));
        expect(edge.size).to.equal(size);
        expect(edge.tree().root()).to.deep.equal(rootOf(size));
        const tiles = new Map(
          [...first.changed, ...edge.changed].map((tile) => [`${tile.level}/${tile.index}`, tile] as const),
        );
        expect(tiles.size).to.equal(Math.ceil(size / 256) + (size >= 256 ? 1 : 0));
        for (const { level, index, hashes } of tiles.values()) {
          hashes.forEach((hash, at) => {
            const start = (index * 256 + at) * 256 ** level;
            expect(hash).to.deep.equal(hashOf({ start, end: start + 256 ** level }));
          });
        }
        for (const tile of edge.changed)
          expect(tile.lastPosition).to.equal(tile.level > 0 ? '' : String(Math.min(size, (tile.index + 1) * 256) - 1));
      }),
      { numRuns: runs(40) },
    );
  });
});
