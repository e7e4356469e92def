import { naturalLog } from '../exact-math.js';
import type { Random } from '../random.js';

/** Share of positions that an insertion skips, so that the greedy choice varies. */
const SHARE = 0.01;
const SCALE = -1 / naturalLog(1 - SHARE);

/** Decides which positions are skipped. It draws one random number per skipped position instead of one per position. */
export class Blink {
  private left = 0;

  constructor(private readonly random: Random) {
    this.draw();
  }

  now(): boolean {
    this.left -= 1;
    if (this.left > 0) return false;
    this.draw();
    return true;
  }

  private draw(): void {
    this.left = 1 + Math.floor(-naturalLog(1 - this.random.unit()) * SCALE);
  }
}
