/** The events of a dry run, without the ids and tracking numbers that the dry run invented. */
import type { DryRun } from '../../../commands/core/handle.js';
import { isOurNumber } from '../../../events/orders/numbers.js';
import { MAX_ID } from '../../core/ids.js';

/** Shown instead of an id or number that only the execution assigns. */
const ASSIGNED_LATER = 'new';
/** A dry run takes its ids from the end of the range: MAX_ID, MAX_ID - 1 and so on. No sequence gets that far. */
const MAX_INVENTED = 10_000;

export interface PreviewedEvent {
  readonly stream: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
}

export function previewOf(newEvents: DryRun): PreviewedEvent[] {
  const numbers = new Set<string>();
  for (const { stream, fact } of newEvents) collectNumbers(fact.data, isInvented(idIn(stream)), numbers);
  const shown = (value: unknown): unknown => {
    if (typeof value === 'number') return isInvented(value) ? ASSIGNED_LATER : value;
    if (typeof value === 'string') return numbers.has(value) ? ASSIGNED_LATER : value;
    if (Array.isArray(value)) return value.map(shown);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [numbers.has(name) ? ASSIGNED_LATER : name, shown(member)]),
    );
  };
  return newEvents.map(({ stream, fact }) => ({
    stream: stream.replace(/(?<=-)\d+$/, (id) => String(shown(Number(id)))),
    type: fact.type.type,
    data: shown(fact.data) as Record<string, unknown>,
  }));
}

const isInvented = (id: number): boolean => Number.isInteger(id) && id > MAX_ID - MAX_INVENTED && id <= MAX_ID;

const idIn = (stream: string): number => Number(stream.slice(stream.lastIndexOf('-') + 1));

/** Tracking numbers of this service in events of new orders, and in objects that refer to a new order. */
function collectNumbers(value: unknown, isNew: boolean, numbers: Set<string>, name?: string): void {
  if (typeof value === 'string') {
    if (isNew && name !== 'external_tracking_number' && isOurNumber(value)) numbers.add(value);
  } else if (Array.isArray(value)) for (const item of value) collectNumbers(item, isNew, numbers, name);
  else if (typeof value === 'object' && value !== null) {
    const refersToNew = Object.values(value).some((member) => typeof member === 'number' && isInvented(member));
    for (const [key, member] of Object.entries(value)) collectNumbers(member, isNew || refersToNew, numbers, key);
  }
}
