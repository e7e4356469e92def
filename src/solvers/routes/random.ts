/** xoshiro128** (Blackman and Vigna, 2018), seeded by splitmix32: the same numbers on every machine. */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private d: number;

  /** Each stream of a seed is a separate sequence. */
  constructor(seed: number, stream = 0) {
    let state = (seed ^ Math.imul(stream + 1, 0x9e3779b9)) | 0;
    const next = (): number => {
      state = (state + 0x9e3779b9) | 0;
      let mixed = state ^ (state >>> 16);
      mixed = Math.imul(mixed, 0x21f0aaad);
      mixed ^= mixed >>> 15;
      mixed = Math.imul(mixed, 0x735a2d97);
      return mixed ^ (mixed >>> 15);
    };
    this.a = next();
    this.b = next();
    this.c = next();
    this.d = next() | 1;
  }

  /** Returns 32 bits as an unsigned integer. */
  bits(): number {
    const spread = Math.imul(this.b, 5);
    const result = Math.imul((spread << 7) | (spread >>> 25), 9);
    const shifted = this.b << 9;
    this.c ^= this.a;
    this.d ^= this.b;
    this.b ^= this.c;
    this.a ^= this.d;
    this.c ^= shifted;
    this.d = (this.d << 11) | (this.d >>> 21);
    return result >>> 0;
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  unit(): number {
    return this.bits() / 4_294_967_296;
  }

  /** Returns an integer from 0 (inclusive) to `limit` (exclusive). */
  below(limit: number): number {
    return Math.floor((this.bits() / 4_294_967_296) * limit);
  }

  /** State from which the sequence can be continued. */
  get state(): readonly number[] {
    return [this.a, this.b, this.c, this.d];
  }

  static at(state: readonly number[]): Random {
    const random = new Random(0);
    [random.a, random.b, random.c, random.d] = state as [number, number, number, number];
    return random;
  }
}
