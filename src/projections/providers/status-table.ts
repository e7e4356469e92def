/**
 * The status mapping of a provider by its raw codes. A code that no row has exactly is compared without case and without
 * blanks around it, because feeds pad their codes.
 */
import type { StatusMapping } from '../../events/providers/events.js';

type Row = StatusMapping[number];

export class StatusTable extends Map<string, Row> {
  readonly #byKey: ReadonlyMap<string, Row>;

  constructor(rows: StatusMapping) {
    super(rows.map((row) => [row.raw, row]));
    // The first of several rows counts; only tables of earlier versions have such rows.
    this.#byKey = new Map(rows.toReversed().map((row) => [rawKey(row.raw), row]));
  }

  override get(raw: string): Row | undefined {
    return super.get(raw) ?? this.#byKey.get(rawKey(raw));
  }

  override has(raw: string): boolean {
    return this.get(raw) !== undefined;
  }
}

/** Equal for raw codes that count as one code. */
export const rawKey = (raw: string): string => raw.trim().toLowerCase();
