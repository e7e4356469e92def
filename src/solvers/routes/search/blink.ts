import { naturalLog } from '../exact-math.js';
import type { Random } from '../random.js';

/** One position in a hundred is not looked at: the greedy choice must not always be the same. */
const SHARE = 0.01;
const SCALE = -1 / naturalLog(1 - SHARE);

/** Says which positions are left out, by one draw for each of those instead of one for each position. */
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
