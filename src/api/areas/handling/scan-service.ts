/**
 * Processes scans of scanners: each scan takes effect once, in the order of its device, and refused scans are stored.
 */
import { DomainError } from '../../../commands/core/domain-error.js';
import type { OpenOps } from '../../../engines/postgres/open-ops.js';
import type { CommandIdRule, Device, StoredOp, WmsOpStore } from '../../../engines/postgres/wms-ops.js';
import { derivedId } from '../../../events/otep/identity.js';
import { instantOf, millisOf } from '../../../events/otep/time.js';
import type { CustodyQueries } from '../../../projections/orders/custody.js';
import type { Warehouse } from '../../../projections/warehouses/queries.js';
import { businessOf, userOf } from '../../core/callers.js';
import type { MessageCode } from '../../core/messages/index.js';
import { excessOf, isLimitedReporter, OPEN_SCAN_DAYS, OPEN_SCAN_PARAMS } from '../../core/open-scans.js';
import type { Context } from '../../core/operation.js';
import type { Parts } from '../../core/parts.js';
import { toApiError } from '../../core/problem.js';
import { chainsOf } from './chains.js';
import { isDuplicateScan, MAX_SEQ_DISTANCE, type NearbyScan } from './double-scans.js';
import { waitForGaps } from './wait-for-gaps.js';
import { matchFields, matchCodes, expectOneMatch, type CodeMatch, type CodeSources } from './code-matches.js';
import { formerParcels } from './former-parcels.js';
import type { Line, Op, OpResult } from './op.js';
import type { Scan, ScanWriter } from './scan-writer.js';

/** Scans may be this far in the future, because clocks of scanners are not exact. */
const MAX_AHEAD_MS = 60_000;
const MAX_AGE_HOURS = 72;

/** Refusals based on recorded data that may be wrong, so staff may still apply the scan. Others are `rejected`. */
const CONFLICT_CODES: ReadonlySet<string> = new Set([
  'TOO_OLD',
  'BELONGS_ELSEWHERE',
  'LOCATION_BLOCKED',
  'NEGATIVE_STOCK',
  'STOCK_RESERVED',
  'NOT_AT_WAREHOUSE',
  'IN_TRANSFER',
  'LOADED',
  'NOT_LOADED',
  'DRIVER_REPLACED',
]);
/** Actions of drivers, for parcels on their own routes. */
const DRIVER_ACTIONS: ReadonlySet<Op['do']> = new Set(['receive', 'load', 'return']);
/** Actions that put an item at `location`. */
const STORING_ACTIONS: ReadonlySet<Op['do']> = new Set(['receive', 'put_away', 'move', 'quarantine']);

export type OpStore = WmsOpStore<Op, OpResult>;

export interface ScanResult {
  readonly op_id: string;
  readonly result: OpResult;
  readonly isDuplicate: boolean;
}

export type ScanService = ReturnType<typeof createScanService>;

/** A scan, with the later scans of the same item by the same device. */
interface ScanStep {
  readonly op: Op;
  readonly later: readonly Op[];
  /** Nearby scans of the same device, with their results so far. */
  readonly nearbyScans: readonly NearbyScan[];
  readonly ruleOf: (op: Op) => CommandIdRule;
}

type ScanContext = Pick<Context, 'caller' | 'cause' | 'time' | 'wrote'>;

export function createScanService({
  store,
  scanWriter,
  codeSources,
  custody,
  warehouses,
  openOps,
}: Parts<'warehouses'> & {
  store: OpStore;
  openOps: OpenOps;
  scanWriter: ScanWriter;
  codeSources: CodeSources;
  custody: Pick<CustodyQueries, 'ofOrder'>;
}) {
  const viewerOf = ({ caller }: ScanContext) => ({
    business: businessOf(caller),
    ...(caller.role === 'driver' && { driverId: userOf(caller).userId }),
  });

  async function lookUp(ops: readonly Op[], context: ScanContext) {
    const viewer = viewerOf(context);
    const ids = [...new Set(ops.map(({ warehouse_id }) => warehouse_id))];
    const [matches, sites] = await Promise.all([
      matchCodes(
        ops.map(({ code }) => code),
        viewer,
        codeSources,
      ),
      Promise.all(ids.map(async (id) => [id, await warehouses.byId(id, viewer.business)] as const)),
    ]);
    const former = await formerParcels(ops, matches, viewer, { codeSources, custody });
    return { matches: new Map([...matches, ...former]), sites: new Map(sites) };
  }

  type LookupResult = Awaited<ReturnType<typeof lookUp>>;

  /** Stored scans of the device near the stock scans among these. */
  async function nearbyScansOf(device: Device, ops: readonly Op[], { matches }: LookupResult): Promise<NearbyScan[]> {
    const seqs = ops.filter(({ code }) => matches.get(code)?.[0]?.kind === 'sku').map(({ seq }) => seq);
    if (seqs.length === 0) return [];
    const nearbyOps = await store.between(
      device,
      Math.min(...seqs) - MAX_SEQ_DISTANCE,
      Math.max(...seqs) + MAX_SEQ_DISTANCE,
    );
    return nearbyOps.map(({ body, result }) => ({ op: body, result }));
  }

  /**
   * Stores the results. Refused scans of a driver beyond the limits are not stored: the device sends them again. All
   * other scans of the request keep their results.
   */
  async function finish(device: Device, results: Map<string, OpResult>, { caller }: ScanContext): Promise<void> {
    await store.end(device, results);
    const refused = [...results].filter(([, { outcome }]) => outcome !== 'applied').map(([id]) => id);
    if (refused.length === 0 || !isLimitedReporter(caller)) return;
    // Counted after the scans are stored, so that parallel requests cannot exceed the limits together.
    const excess = excessOf(await openOps.count(device.business, device.user_id, OPEN_SCAN_DAYS));
    const withdrawn = refused.slice(Math.max(0, refused.length - excess));
    await openOps.withdraw(device, withdrawn);
    for (const id of withdrawn) results.set(id, WITHDRAWN_RESULT);
  }

  /** Applies the scan. Throws the reason of a refusal. */
  async function apply(device: Device, step: ScanStep, found: LookupResult, context: ScanContext): Promise<OpResult> {
    const { op, nearbyScans: nearby } = step;
    const matches = found.matches.get(op.code) ?? [];
    const scan = toScan(device, step, found.sites.get(op.warehouse_id), context);
    const match = expectOneMatch(matches);
    // For parcels, the stream of the order detects duplicates.
    if (match.kind === 'sku' && isDuplicateScan(op, nearby)) return repeatedResult(match.sku.sku);
    const { position, ...done } =
      match.kind === 'package' ? await scanWriter.parcel(scan, match.parcel) : await scanWriter.sku(scan, match.sku);
    context.wrote(position);
    return { outcome: 'applied', ...done };
  }

  async function applyOrReject(
    device: Device,
    step: ScanStep,
    found: LookupResult,
    context: ScanContext,
  ): Promise<OpResult> {
    const { op } = step;
    try {
      return await apply(device, step, found, context);
    } catch (error) {
      const { code, params, status } = toApiError(error);
      if (status >= 500) throw error;
      const [match] = found.matches.get(op.code) ?? [];
      return {
        outcome: CONFLICT_CODES.has(code) ? 'conflict' : 'rejected',
        code,
        ...matchFields(match),
        color: 'red',
        lines: [{ code, params }, ...(await bayHint(code, device, step, match, found, context))],
      };
    }
  }

  async function bayHint(
    code: MessageCode,
    device: Device,
    step: ScanStep,
    match: CodeMatch | undefined,
    { sites }: LookupResult,
    context: ScanContext,
  ): Promise<Line[]> {
    if (code !== 'ORDER_NOT_ON_ROUTE' || match?.kind !== 'package') return [];
    const bay = await scanWriter.rightBay(toScan(device, step, sites.get(step.op.warehouse_id), context), match.parcel);
    return bay === undefined ? [] : [{ code: 'SAY_BAY', params: { bay } }];
  }

  function toScan(
    device: Device,
    { op, later, ruleOf }: ScanStep,
    warehouse: Warehouse | undefined,
    context: ScanContext,
  ): Scan {
    const { caller, cause, time } = context;
    const instant = instantOf(op.at);
    if (instant === null || millisOf(instant) > time + MAX_AHEAD_MS) throw new DomainError('TIME_IMPOSSIBLE');
    const { role, userId } = userOf(caller);
    const driverId = role === 'driver' ? userId : undefined;
    const force = op.force && driverId === undefined;
    if (driverId !== undefined && !DRIVER_ACTIONS.has(op.do)) throw new DomainError('FORBIDDEN');
    if (!warehouse || warehouse.closed) throw new DomainError('WAREHOUSE_NOT_FOUND');
    if (!force && millisOf(instant) < time - MAX_AGE_HOURS * 3_600_000)
      throw new DomainError('TOO_OLD', { hours: MAX_AGE_HOURS });
    for (const code of [op.location, op.from_location])
      if (code !== undefined && !Object.hasOwn(warehouse.locations, code)) throw new DomainError('LOCATION_NOT_FOUND');
    const isBlocked = op.location !== undefined && warehouse.locations[op.location]!.blocked !== undefined;
    if (isBlocked && !force && STORING_ACTIONS.has(op.do)) throw new DomainError('LOCATION_BLOCKED');
    const { business, device_id } = device;
    const idOf = (one: Op) => scanCommandId('wms', device, one.op_id, ruleOf(one));
    const ids = { commandId: idOf(op), later: later.map(idOf) };
    return { op: { ...op, force }, instant, device_id, ...ids, business, userId, driverId, warehouse, cause };
  }

  return {
    /** Processes scans; the results are in the order of `ops`. */
    async process(device: Device, ops: readonly Op[], context: Context): Promise<ScanResult[]> {
      const isDryRun = context.cause.dryRun !== undefined;
      if (!isDryRun)
        await waitForGaps(
          store,
          device,
          ops.map(({ seq }) => seq),
        );
      const opsById = new Map([...ops].sort((a, b) => a.seq - b.seq).map((op) => [op.op_id, op]));
      const storedOps = isDryRun
        ? await store.find(device, [...opsById.values()])
        : await store.begin(device, [...opsById.values()]);
      // Scans without a result were interrupted by a crash, or are being processed by a copy of this request. Applying
      // them again has no effect.
      const pendingOps = [...opsById.values()].filter(({ op_id }) => isPending(storedOps.get(op_id)));
      const found = await lookUp(pendingOps, context);
      const nearbyOps = await nearbyScansOf(device, pendingOps, found);
      const results = new Map<string, OpResult>();
      const ruleOf = ({ op_id }: Op) => storedOps.get(op_id)?.rule ?? 2;
      // Scans of one item run in sequence, scans of different items in parallel.
      try {
        await Promise.all(
          chainsOf(pendingOps, found.matches).map(async (chain) => {
            for (const [index, op] of chain.entries()) {
              const nearbyScans = nearbyOps.map((one) => ({ ...one, result: one.result ?? results.get(one.op.op_id) }));
              results.set(
                op.op_id,
                await applyOrReject(device, { op, later: chain.slice(index + 1), nearbyScans, ruleOf }, found, context),
              );
            }
          }),
        );
      } finally {
        if (!isDryRun) await finish(device, results, context);
      }
      return ops.map((op, index): ScanResult => {
        const stored = storedOps.get(op.op_id);
        const isDuplicate = stored?.result !== undefined || ops.findIndex(({ op_id }) => op_id === op.op_id) < index;
        const isReused = stored?.same === false || opsById.get(op.op_id)!.seq !== op.seq;
        return isReused
          ? { op_id: op.op_id, result: REUSED_ID_RESULT, isDuplicate: false }
          : { op_id: op.op_id, result: stored?.result ?? results.get(op.op_id)!, isDuplicate };
      });
    },
    /** Applies a refused scan again with `force`. Throws if it is refused again. */
    async retry(device: Device, { body, rule }: StoredOp<Op, OpResult>, context: Context): Promise<OpResult> {
      const forced = { ...body, force: true };
      const step = { op: forced, later: [], nearbyScans: [], ruleOf: () => rule };
      return apply(device, step, await lookUp([forced], context), context);
    },
  };
}

/** The command id of a scan, or of its settlement: the same whenever it is repeated, also after an upgrade. */
export const scanCommandId = (
  use: 'wms' | 'settled',
  { business, user_id, device_id }: Device,
  opId: string,
  rule: CommandIdRule,
): string =>
  rule === 1 ? derivedId(use, business, device_id, opId) : derivedId(use, business, user_id, device_id, opId);

const isPending = (stored: { readonly same: boolean; readonly result: OpResult | undefined } | undefined): boolean =>
  stored === undefined || (stored.same && stored.result === undefined);

const repeatedResult = (sku: string): OpResult => ({
  outcome: 'applied',
  sku,
  color: 'amber',
  lines: [{ code: 'SAY_AGAIN', params: {} }],
});

const REUSED_ID_RESULT: OpResult = {
  outcome: 'rejected',
  code: 'OP_ID_REUSED',
  color: 'red',
  lines: [{ code: 'OP_ID_REUSED', params: {} }],
};

/** Result of a refused scan that is not stored. */
const WITHDRAWN_RESULT: OpResult = {
  outcome: 'rejected',
  code: 'TOO_MANY_OPEN_SCANS',
  color: 'red',
  lines: [{ code: 'TOO_MANY_OPEN_SCANS', params: OPEN_SCAN_PARAMS }],
};
