/**
 * The minimum rate of a request body, as `mod_reqtimeout` of Apache httpd requires it. A body that stops arriving would
 * otherwise occupy memory and a connection for minutes.
 */

/** Seconds without a minimum at the beginning of a body, and the period in which the rate is measured. */
export const PERIOD_SECONDS = 5;
/** Bytes per second on the connection: compressed bytes of a compressed body. */
export const MIN_BYTES_PER_SECOND = 1_000;

/**
 * Measures the rate over the last five seconds. Bytes of an earlier burst do not count, or one burst would allow a body
 * to stop.
 */
export class ArrivalRate {
  #received = 0;
  /** Bytes that had arrived at the end of each of the last seconds. */
  readonly #marks: number[] = [];

  received(bytes: number): void {
    this.#received += bytes;
  }

  /** Call it each second. Returns whether fewer bytes than the minimum arrived in the period that just ended. */
  isTooSlow(): boolean {
    const before = this.#marks.length === PERIOD_SECONDS ? this.#marks.shift() : undefined;
    this.#marks.push(this.#received);
    return before !== undefined && this.#received - before < PERIOD_SECONDS * MIN_BYTES_PER_SECOND;
  }
}
