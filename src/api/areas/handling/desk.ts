/**
 * Processes scans of scanners: each scan takes effect once, in the order of its device, and refused scans are stored.
 */
import { DomainError } from '../../../commands/core/domain-error.js';
import type { Device, WmsOpStore } from '../../../engines/postgres/wms-ops.js';
import { derivedId } from '../../../events/otep/identity.js';
import { instantOf, millisOf } from '../../../events/otep/time.js';
import type { Warehouse } from '../../../projections/warehouses/queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import type { MessageCode } from '../../core/messages/index.js';
import type { Context } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { toApiError } from '../../core/problem.js';
import { chainsOf } from './chains.js';
import { isSecond, NEAR, type ScanBeside } from './double-scans.js';
import { waitForGaps } from './gaps.js';
import { about, meaningsOf, onlyOne, type Meaning, type MeaningOptions } from './meaning.js';
import type { Line, Op, OpResult } from './op.js';
import type { Scan, Things } from './things.js';

/** Scans may be this far in the future, because clocks of scanners are not exact. */
const AHEAD_MS = 60_000;
const OLD_HOURS = 72;

/** Refusals based on recorded data that may be wrong, so staff may still apply the scan. Others are `rejected`. */
const CONFLICTS: ReadonlySet<string> = new Set([
  'TOO_OLD',
  'BELONGS_ELSEWHERE',
  'LOCATION_BLOCKED',
  'NEGATIVE_STOCK',
  'STOCK_RESERVED',
  'NOT_AT_WAREHOUSE',
  'IN_TRANSFER',
  'LOADED',
  'NOT_LOADED',
]);
/** Actions of drivers, for parcels on their own routes. */
const OF_DRIVERS: ReadonlySet<Op['do']> = new Set(['receive', 'load', 'return']);
/** Actions that put something at `location`. */
const INTO: ReadonlySet<Op['do']> = new Set(['receive', 'put_away', 'move', 'quarantine']);

export type OpStore = WmsOpStore<Op, OpResult>;

export interface Answered {
  readonly op_id: string;
  readonly result: OpResult;
  readonly isDuplicate: boolean;
}

export type Desk = ReturnType<typeof createDesk>;

/** A scan, with the later scans of the same thing by the same device. */
interface Turn {
  readonly op: Op;
  readonly later: readonly Op[];
  /** Nearby scans of the same device, with their results so far. */
  readonly beside: readonly ScanBeside[];
}

type Judged = Pick<Context, 'caller' | 'cause' | 'time' | 'wrote'>;

export function createDesk({
  store,
  things,
  meaning,
  warehouses,
}: Parts<'warehouses'> & { store: OpStore; things: Things; meaning: MeaningOptions }) {
  const eyesOf = ({ caller }: Judged) => ({
    business: businessOf(caller),
    ...(caller.role === 'driver' && { driverId: userOf(caller).userId }),
  });

  async function lookUp(ops: readonly Op[], context: Judged) {
    const eyes = eyesOf(context);
    const ids = [...new Set(ops.map(({ warehouse_id }) => warehouse_id))];
    const [meanings, sites] = await Promise.all([
      meaningsOf(
        ops.map(({ code }) => code),
        eyes,
        meaning,
      ),
      Promise.all(ids.map(async (id) => [id, await warehouses.byId(id, eyes.business)] as const)),
    ]);
    return { meanings, sites: new Map(sites) };
  }
  type Found = Awaited<ReturnType<typeof lookUp>>;

  /** Stored scans of the device near the stock scans among these. */
  async function besideOf(device: Device, ops: readonly Op[], { meanings }: Found): Promise<ScanBeside[]> {
    const seqs = ops.filter(({ code }) => meanings.get(code)?.[0]?.kind === 'sku').map(({ seq }) => seq);
    if (seqs.length === 0) return [];
    const kept = await store.between(device, Math.min(...seqs) - NEAR, Math.max(...seqs) + NEAR);
    return kept.map(({ body, result }) => ({ op: body, result }));
  }

  /** Applies the scan. Throws the reason of a refusal. */
  async function apply(device_id: string, turn: Turn, found: Found, context: Judged): Promise<OpResult> {
    const { op, beside } = turn;
    const meanings = found.meanings.get(op.code) ?? [];
    const scan = scanOf(device_id, turn, found.sites.get(op.warehouse_id), context);
    const meant = onlyOne(meanings);
    // For parcels, the stream of the order detects duplicates.
    if (meant.kind === 'sku' && isSecond(op, beside)) return again(meant.sku.sku);
    const { position, ...done } =
      meant.kind === 'package' ? await things.parcel(scan, meant.parcel) : await things.sku(scan, meant.sku);
    context.wrote(position);
    return { outcome: 'applied', ...done };
  }

  async function judge(device_id: string, turn: Turn, found: Found, context: Judged): Promise<OpResult> {
    const { op } = turn;
    try {
      return await apply(device_id, turn, found, context);
    } catch (error) {
      const { code, params, status } = toApiError(error);
      if (status >= 500) throw error;
      const [meant] = found.meanings.get(op.code) ?? [];
      return {
        outcome: CONFLICTS.has(code) ? 'conflict' : 'rejected',
        code,
        ...about(meant),
        color: 'red',
        lines: [{ code, params }, ...(await whereItBelongs(code, device_id, turn, meant, found, context))],
      };
    }
  }

  async function whereItBelongs(
    code: MessageCode,
    device_id: string,
    turn: Turn,
    meant: Meaning | undefined,
    { sites }: Found,
    context: Judged,
  ): Promise<Line[]> {
    if (code !== 'ORDER_NOT_ON_ROUTE' || meant?.kind !== 'package') return [];
    const bay = await things.rightBay(scanOf(device_id, turn, sites.get(turn.op.warehouse_id), context), meant.parcel);
    return bay === undefined ? [] : [{ code: 'SAY_BAY', params: { bay } }];
  }

  function scanOf(device_id: string, { op, later }: Turn, warehouse: Warehouse | undefined, judged: Judged): Scan {
    const { caller, cause, time } = judged;
    const instant = instantOf(op.at);
    if (instant === null || millisOf(instant) > time + AHEAD_MS) throw new DomainError('TIME_IMPOSSIBLE');
    const { role, userId } = userOf(caller);
    const driverId = role === 'driver' ? userId : undefined;
    const force = op.force && driverId === undefined;
    if (driverId !== undefined && !OF_DRIVERS.has(op.do)) throw new DomainError('FORBIDDEN');
    if (!warehouse || warehouse.closed) throw new DomainError('WAREHOUSE_NOT_FOUND');
    if (!force && millisOf(instant) < time - OLD_HOURS * 3_600_000)
      throw new DomainError('TOO_OLD', { hours: OLD_HOURS });
    for (const code of [op.location, op.from_location])
      if (code !== undefined && !Object.hasOwn(warehouse.locations, code)) throw new DomainError('LOCATION_NOT_FOUND');
    const isBlocked = op.location !== undefined && warehouse.locations[op.location]!.blocked !== undefined;
    if (isBlocked && !force && INTO.has(op.do)) throw new DomainError('LOCATION_BLOCKED');
    const business = businessOf(caller);
    const idOf = ({ op_id }: Op) => derivedId('wms', business, device_id, op_id);
    const ids = { commandId: idOf(op), later: later.map(idOf) };
    return { op: { ...op, force }, instant, device_id, ...ids, business, userId, driverId, warehouse, cause };
  }

  return {
    /** Processes scans; the results are in the order of `ops`. */
    async take(device_id: string, ops: readonly Op[], context: Context): Promise<Answered[]> {
      const device = { business: businessOf(context.caller), device_id };
      const isRehearsal = context.cause.dryRun !== undefined;
      if (!isRehearsal)
        await waitForGaps(
          store,
          device,
          ops.map(({ seq }) => seq),
        );
      const sent = new Map([...ops].sort((a, b) => a.seq - b.seq).map((op) => [op.op_id, op]));
      const before = isRehearsal
        ? await store.find(device, [...sent.values()])
        : await store.begin(device, userOf(context.caller).userId, [...sent.values()]);
      // Scans without a result were interrupted by a crash, or are being processed by a copy of this request. Applying
      // them again has no further effect.
      const open = [...sent.values()].filter(({ op_id }) => isOpen(before.get(op_id)));
      const found = await lookUp(open, context);
      const kept = await besideOf(device, open, found);
      const results = new Map<string, OpResult>();
      // Scans of one thing run in sequence, those of different things in parallel.
      try {
        await Promise.all(
          chainsOf(open, found.meanings).map(async (chain) => {
            for (const [index, op] of chain.entries()) {
              const beside = kept.map((one) => ({ ...one, result: one.result ?? results.get(one.op.op_id) }));
              results.set(
                op.op_id,
                await judge(device_id, { op, later: chain.slice(index + 1), beside }, found, context),
              );
            }
          }),
        );
      } finally {
        if (!isRehearsal) await store.end(device, results);
      }
      return ops.map((op, index): Answered => {
        const kept = before.get(op.op_id);
        const isDuplicate = kept?.result !== undefined || ops.findIndex(({ op_id }) => op_id === op.op_id) < index;
        const isReused = kept?.same === false || sent.get(op.op_id)!.seq !== op.seq;
        return isReused
          ? { op_id: op.op_id, result: REUSED, isDuplicate: false }
          : { op_id: op.op_id, result: kept?.result ?? results.get(op.op_id)!, isDuplicate };
      });
    },
    /** Applies a refused scan again with `force`. Throws if it is refused again. */
    async again(device_id: string, op: Op, context: Context): Promise<OpResult> {
      const forced = { ...op, force: true };
      return apply(device_id, { op: forced, later: [], beside: [] }, await lookUp([forced], context), context);
    },
  };
}

const isOpen = (kept: { readonly same: boolean; readonly result: OpResult | undefined } | undefined): boolean =>
  kept === undefined || (kept.same && kept.result === undefined);

const again = (sku: string): OpResult => ({
  outcome: 'applied',
  sku,
  color: 'amber',
  lines: [{ code: 'SAY_AGAIN', params: {} }],
});

const REUSED: OpResult = {
  outcome: 'rejected',
  code: 'OP_ID_REUSED',
  color: 'red',
  lines: [{ code: 'OP_ID_REUSED', params: {} }],
};
