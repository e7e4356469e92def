/** Detects changes of a board once for all subscribers with the same view. */
import { JOB_PREFIX, jobStream } from '../../../events/jobs/events.js';
import { orderStream } from '../../../events/orders/events.js';
import { planStream } from '../../../events/plans/events.js';
import { routeStream } from '../../../events/routes/events.js';
import { seenOf, type BoardQueries } from '../../../projections/dispatch/board.js';
import type { BoardView, ItemRow } from '../../../projections/dispatch/sources/source.js';
import { businessOf, userOf, type Caller } from '../../core/callers.js';
import { deskOf, BUSINESS_DESK, type DispatchAccess } from './dispatch-access.js';
import type { DispatchChange, DispatchChanges } from './dispatch-changes.js';

type Items = ReadonlyMap<string, ReadonlyMap<string, ItemRow>>;

/** An item as the feed returns it. */
const toItemSummary = (row: ItemRow) => ({
  id: row.item,
  kind: row.kind,
  severity: row.severity,
  version: seenOf(row),
});

export interface BoardWatchOptions {
  readonly boards: BoardQueries;
  readonly access: Pick<DispatchAccess, 'viewOf'>;
  readonly now: () => number;
}

/** Callers with the same key have the same view. */
export const watchKey = (caller: Caller, date = 'today'): string =>
  [
    businessOf(caller),
    userOf(caller).timezone,
    date,
    deskOf(caller) === BUSINESS_DESK ? '' : userOf(caller).userId,
  ].join(' ');

/** Stores the last reported items, so that changes caused by time can be detected. */
export class BoardWatch {
  /** Last reported items, by the stream of their subject. */
  #itemsByStream = new Map<string, ReadonlyMap<string, ItemRow>>();
  /** Time of the last report per stream. A scan that started earlier ignores the stream, because it may be outdated. */
  readonly #changedAt = new Map<string, number>();
  #loading: Promise<void> | undefined;

  /** `caller`: any of the callers with this view. */
  constructor(
    readonly caller: Caller,
    readonly date: string | undefined,
    readonly options: BoardWatchOptions,
  ) {}

  get business(): number {
    return businessOf(this.caller);
  }

  /** Loads the items when the first subscriber starts. */
  load(): Promise<void> {
    return (this.#loading ??= this.#items().then((items) => void (this.#itemsByStream = items)));
  }

  /** Visible changes with the current items. `isMissed`: they are replayed for a single reconnecting subscriber. */
  async changesFrom({ changes, orders, routes }: DispatchChanges, isMissed: boolean) {
    await this.load();
    const ownDesk = deskOf(this.caller);
    const { boards } = this.options;
    const view = { ...(await this.#view()), orders, routes };
    const [board, touched] = await Promise.all([
      boards.board(view),
      ownDesk === BUSINESS_DESK ? undefined : boards.touching(view),
    ]);
    const visible = touched && new Set(touched);
    const now = byStream(board.items);
    const visibleChanges = changes.filter(({ stream, desk }) =>
      desk === undefined
        ? !visible || visible.has(stream) || this.#itemsByStream.has(stream)
        : ownDesk === BUSINESS_DESK || desk === ownDesk,
    );
    // A replay reaches only one subscriber, so it must not update the items that were reported to all.
    if (!isMissed)
      for (const { stream } of changes.filter(({ desk }) => desk === undefined)) this.#store(stream, now.get(stream));
    return visibleChanges.map((change) => toChangeEvent(change, now));
  }

  /**
   * Scans the whole board. Returns a function that lists items that differ from the reported items although no event
   * changed them. Call it after the changes heard during the scan have been reported.
   */
  async detectChanges() {
    await this.load();
    const since = performance.now();
    const now = await this.#items();
    return () => {
      for (const [stream, at] of this.#changedAt) if (at < since) this.#changedAt.delete(stream);
      const streams = [...new Set([...now.keys(), ...this.#itemsByStream.keys()])].filter(
        (stream) => !this.#changedAt.has(stream) && idsOf(now.get(stream)) !== idsOf(this.#itemsByStream.get(stream)),
      );
      const at = new Date(this.options.now()).toISOString();
      return streams.map((stream) => {
        const items = now.get(stream);
        this.#store(stream, items);
        return {
          type: 'clock',
          at,
          ...subjectFields(stream),
          items: [...(items?.values() ?? [])].map(toItemSummary),
          tick: true,
        };
      });
    };
  }

  #view(): Promise<BoardView> {
    return this.options.access.viewOf(this.caller, this.date);
  }

  async #items(): Promise<Map<string, ReadonlyMap<string, ItemRow>>> {
    return byStream((await this.options.boards.board(await this.#view())).items);
  }

  #store(stream: string, items: ReadonlyMap<string, ItemRow> | undefined): void {
    this.#changedAt.set(stream, performance.now());
    if (items) this.#itemsByStream.set(stream, items);
    else this.#itemsByStream.delete(stream);
  }
}

const idsOf = (items: ReadonlyMap<string, ItemRow> | undefined): string => [...(items?.keys() ?? [])].sort().join(' ');

/** The stream of an item's subject. */
function streamOf({ order_id, route_id, plan_id, job_id }: ItemRow): string {
  if (job_id !== null) return jobStream(job_id);
  if (plan_id !== null) return planStream(plan_id);
  return order_id === null ? routeStream(route_id!) : orderStream(order_id);
}

function subjectFields(stream: string): { order_id?: number; route_id?: number; plan_id?: number; job_id?: string } {
  if (stream.startsWith(JOB_PREFIX)) return { job_id: stream.slice(JOB_PREFIX.length) };
  const [kind, id] = stream.split('-');
  return { [`${kind}_id`]: Number(id) };
}

function byStream(rows: readonly ItemRow[]): Map<string, Map<string, ItemRow>> {
  const found = new Map<string, Map<string, ItemRow>>();
  for (const row of rows) {
    const stream = streamOf(row);
    found.set(stream, (found.get(stream) ?? new Map<string, ItemRow>()).set(row.item, row));
  }
  return found;
}

function toChangeEvent({ stream, desk, route, ...change }: DispatchChange, now: Items) {
  if (desk !== undefined) return change;
  const rows = [stream, ...(route === undefined || routeStream(route) === stream ? [] : [routeStream(route)])].flatMap(
    (one) => [...(now.get(one)?.values() ?? [])],
  );
  return { ...change, ...subjectFields(stream), items: rows.map(toItemSummary) };
}
