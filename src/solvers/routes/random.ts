/** xoshiro128** (Blackman and Vigna, 2018), seeded by splitmix32: the same numbers on every machine. */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private d: number;

  /** Each stream of a seed is a sequence of its own. */
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

  /** 32 bits, as an unsigned integer. */
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

  /** From 0, below 1. */
  unit(): number {
    return this.bits() / 4_294_967_296;
  }

  /** An integer from 0, below `limit`. */
  below(limit: number): number {
    return Math.floor((this.bits() / 4_294_967_296) * limit);
  }

  /** The state of the sequence, to continue from. */
  get state(): readonly number[] {
    return [this.a, this.b, this.c, this.d];
  }

  static at(state: readonly number[]): Random {
    const random = new Random(0);
    [random.a, random.b, random.c, random.d] = state as [number, number, number, number];
    return random;
  }
}
