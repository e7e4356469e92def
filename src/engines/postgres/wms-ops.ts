/** Operations that scanners sent, stored with their results: none is executed twice, and no rejected one is lost. */
import { isDeepStrictEqual } from 'node:util';
import type { Pool } from 'pg';
import type { TimeLimits } from '../../events/core/time-limits.js';
import { asInstant, firstOf, KEY, valuesAfter, type After, type ListKey, type Range } from '../../sql/page-key.js';

/** Retention of results; unsettled operations are kept. */
const RETENTION_DAYS = 90;
/** Maximum value of the column. */
const MAX_SEQ = 2_147_483_647;

export type OpOutcome = 'applied' | 'conflict' | 'rejected';

export interface SentOp {
  readonly op_id: string;
  readonly seq: number;
  readonly warehouse_id: number;
}

/** Rule of an operation's command ids. 1: received before devices belonged to users. 2: later. */
export type CommandIdRule = 1 | 2;

/** `B`: the operation, `R`: its result; both JSON. */
export interface StoredOp<B, R> {
  readonly device_id: string;
  readonly op_id: string;
  readonly user_id: number;
  readonly body: B;
  /** Undefined: the operation is running, or was interrupted by a crash. */
  readonly result: R | undefined;
  readonly received_at: string;
  readonly settled: boolean;
  readonly rule: CommandIdRule;
}

export interface EarlierOp<R> {
  /** The earlier operation has the same content. */
  readonly same: boolean;
  readonly result: R | undefined;
  readonly rule: CommandIdRule;
}

/** A scanner of a user. Users choose the ids themselves, so the same id of another user is another device. */
export interface Device {
  readonly business: number;
  readonly user_id: number;
  readonly device_id: string;
}

export interface WmsOpStore<B extends SentOp, R extends { readonly outcome: OpOutcome }> {
  /** Stores new operations. Returns earlier operations with the same ids, by id. */
  begin(device: Device, ops: readonly B[]): Promise<ReadonlyMap<string, EarlierOp<R>>>;
  /** Like `begin`, but stores nothing. */
  find(device: Device, ops: readonly B[]): Promise<ReadonlyMap<string, EarlierOp<R>>>;
  end(device: Device, results: ReadonlyMap<string, R>): Promise<void>;
  /** The highest received number of the device; undefined: it has not sent anything. */
  lastSeq(device: Device): Promise<number | undefined>;
  /**
   * Whether an operation with a number below `before` is running, or one between `after` and `before` is missing.
   * Numbers in `own` do not count.
   */
  isAwaited(
    device: Device,
    range: { readonly after: number; readonly before: number; readonly own: readonly number[] },
  ): Promise<boolean>;
  /** Operations of the device with numbers in a range, both ends included. */
  between(device: Device, from: number, to: number): Promise<readonly StoredOp<B, R>[]>;
  /**
   * The first number of the device that is missing or not completed; numbers start at 1. A user who continues with a
   * device from before devices belonged to users starts at the number of that device.
   */
  nextSeq(device: Device): Promise<number>;
  /** Conflicting and rejected operations that are not settled yet, oldest first. */
  unsettled(
    business: number,
    range: Range & { readonly warehouseId?: number | undefined },
  ): Promise<{ readonly total: number; readonly next: After | undefined; readonly ops: readonly StoredOp<B, R>[] }>;
  /** Without `user_id`: of the operations of several users with these ids, the first one that is not settled. */
  byId(
    device: Omit<Device, 'user_id'> & { readonly user_id?: number | undefined },
    opId: string,
  ): Promise<StoredOp<B, R> | undefined>;
  settle(device: Device, opId: string, result: R): Promise<void>;
  sweep(): Promise<number>;
}

interface Row<B, R> {
  readonly device_id: string;
  readonly op_id: string;
  readonly user_id: number;
  readonly body: B;
  readonly result: R | null;
  readonly received_at: Date;
  readonly settled_at: Date | null;
  readonly rule: CommandIdRule;
}

const toKept = <B, R>({ result, received_at, settled_at, ...row }: Row<B, R>): StoredOp<B, R> => ({
  ...row,
  result: result ?? undefined,
  received_at: received_at.toISOString(),
  settled: settled_at !== null,
});

const COLUMNS = 'device_id, op_id, user_id, body, result, received_at, settled_at, rule';
const OLDEST: ListKey = {
  columns: { at: KEY.instant, device_id: KEY.text, seq: KEY.integer, op_id: KEY.uuid, user_id: KEY.integer },
};
const UNSETTLED = `outcome in ('conflict', 'rejected') and settled_at is null`;

/** An operation that has been running for `leaseSeconds` was interrupted by a crash: later ones do not wait for it. */
export function createWmsOpStore<B extends SentOp, R extends { readonly outcome: OpOutcome }>(
  pool: Pool,
  { leaseSeconds }: Pick<TimeLimits, 'leaseSeconds'>,
): WmsOpStore<B, R> {
  async function before(
    { business, user_id, device_id }: Device,
    ops: readonly B[],
  ): Promise<Map<string, EarlierOp<R>>> {
    if (ops.length === 0) return new Map();
    const { rows } = await pool.query<Row<B, R>>(
      `select ${COLUMNS} from access.wms_ops where business = $1 and user_id = $2 and device_id = $3 and op_id = any ($4)`,
      [business, user_id, device_id, ops.map(({ op_id }) => op_id)],
    );
    const sent = new Map(ops.map((op) => [op.op_id, op]));
    return new Map(
      rows.map(({ op_id, body, result, rule }) => [
        op_id,
        { same: isDeepStrictEqual(body, sent.get(op_id)), result: result ?? undefined, rule },
      ]),
    );
  }

  return {
    async begin(device, ops) {
      const { business, user_id, device_id } = device;
      const { rows: fresh } = await pool.query<{ op_id: string }>(
        `insert into access.wms_ops (business, device_id, op_id, seq, user_id, warehouse_id, body, rule)
         select $1, $2, op_id, seq, $3, warehouse_id, body, 2
           from json_to_recordset($4) as o (op_id uuid, seq integer, warehouse_id integer, body json)
         on conflict do nothing returning op_id`,
        [
          business,
          device_id,
          user_id,
          JSON.stringify(ops.map((op) => ({ op_id: op.op_id, seq: op.seq, warehouse_id: op.warehouse_id, body: op }))),
        ],
      );
      return before(
        device,
        ops.filter(({ op_id }) => !fresh.some((one) => one.op_id === op_id)),
      );
    },
    find: before,
    async end({ business, user_id, device_id }, results) {
      const rows = [...results].map(([op_id, result]) => ({ op_id, outcome: result.outcome, result }));
      // Locks rows in a fixed order: a device that sends the same operations twice in parallel would otherwise cause a
      // deadlock.
      await pool.query(
        `with told as (select * from json_to_recordset($4) as n (op_id uuid, outcome text, result json)),
              open as (select op_id from access.wms_ops
                        where business = $1 and user_id = $2 and device_id = $3 and outcome is null and op_id in (select op_id from told)
                        order by op_id for update)
         update access.wms_ops o set outcome = told.outcome, result = told.result from told join open using (op_id)
          where o.business = $1 and o.user_id = $2 and o.device_id = $3 and o.op_id = told.op_id and o.outcome is null`,
        [business, user_id, device_id, JSON.stringify(rows)],
      );
    },
    async lastSeq({ business, user_id, device_id }) {
      const { rows } = await pool.query<{ seq: number | null }>(
        'select max(seq) as seq from access.wms_ops where business = $1 and user_id = $2 and device_id = $3',
        [business, user_id, device_id],
      );
      return rows[0]?.seq ?? undefined;
    },
    async isAwaited({ business, user_id, device_id }, { after, before: highest, own }) {
      const missing = highest - after - 1 - new Set(own.filter((seq) => seq > after && seq < highest)).size;
      const { rows } = await pool.query<{ awaited: boolean }>(
        `select exists (select 1 from access.wms_ops
                         where business = $1 and user_id = $2 and device_id = $3 and seq < $5 and seq <> all ($6)
                           and outcome is null and received_at > now() - make_interval(secs => $8))
             or (select count(distinct seq) from access.wms_ops
                  where business = $1 and user_id = $2 and device_id = $3 and seq > $4 and seq < $5 and seq <> all ($6)) < $7 as awaited`,
        [business, user_id, device_id, after, highest, own, missing, leaseSeconds],
      );
      return rows[0]!.awaited;
    },
    async between({ business, user_id, device_id }, from, to) {
      const { rows } = await pool.query<Row<B, R>>(
        `select ${COLUMNS} from access.wms_ops where business = $1 and user_id = $2 and device_id = $3 and seq between $4::bigint and $5::bigint`,
        [business, user_id, device_id, from, to],
      );
      return rows.map(toKept);
    },
    async nextSeq({ business, user_id, device_id }) {
      // Starts at the last returned number, so the number of steps is that of the operations since. An operation
      // without a result after a crash is not completed, so the device sends it again.
      const { rows } = await pool.query<{ seq: number }>(
        `with recursive ended as (
           select coalesce(
                    (select next_seq from access.wms_devices where business = $1 and user_id = $2 and device_id = $3),
                    -- A new device with the same id starts with lower numbers.
                    (select next_seq from access.wms_devices where business = $1 and user_id = 0 and device_id = $3 and next_seq <=
                       (select min(seq) from access.wms_ops where business = $1 and user_id = $2 and device_id = $3)),
                    1) as seq
            union all
           select seq + 1 from ended
            where seq < ${MAX_SEQ}
              and (select bool_and(outcome is not null) from access.wms_ops o
                    where o.business = $1 and o.user_id = $2 and o.device_id = $3 and o.seq = ended.seq)),
         next as (select max(seq) as seq from ended),
         kept as (insert into access.wms_devices (business, user_id, device_id, next_seq) select $1, $2, $3, seq from next where seq > 1
                      on conflict (business, user_id, device_id) do update set next_seq = excluded.next_seq
                   where wms_devices.next_seq < excluded.next_seq)
         select seq from next`,
        [business, user_id, device_id],
      );
      return rows[0]!.seq;
    },
    async unsettled(business, { offset, limit, after, warehouseId = null }) {
      const from = `from access.wms_ops where business = $1 and ${UNSETTLED} and ($2::integer is null or warehouse_id = $2)`;
      const counted = await pool.query<{ total: string }>(`select count(*) as total ${from}`, [business, warehouseId]);
      const found = await pool.query<Row<B, R> & { readonly seq: number; readonly at: string }>(
        `select ${COLUMNS}, seq, ${asInstant('received_at')} as at ${from}
            and ($5::timestamptz is null or (received_at, device_id, seq, op_id, user_id) > ($5, $6, $7::int, $8::uuid, $9::int))
          order by received_at, device_id, seq, op_id, user_id offset $3 limit $4`,
        [business, warehouseId, after ? 0 : offset, limit + 1, ...valuesAfter(after, OLDEST)],
      );
      const { rows, next } = firstOf(found.rows, { offset, limit, after }, OLDEST);
      return {
        total: Number(counted.rows[0]!.total),
        next,
        ops: rows.map(({ at: _at, seq: _seq, ...row }) => toKept(row as unknown as Row<B, R>)),
      };
    },
    async byId({ business, device_id, user_id = null }, opId) {
      const { rows } = await pool.query<Row<B, R>>(
        `select ${COLUMNS} from access.wms_ops where business = $1 and device_id = $2 and op_id = $3
            and ($4::integer is null or user_id = $4)
          order by coalesce(${UNSETTLED}, false) desc, received_at, user_id limit 1`,
        [business, device_id, opId, user_id],
      );
      return rows[0] && toKept(rows[0]);
    },
    async settle({ business, user_id, device_id }, opId, result) {
      await pool.query(
        `update access.wms_ops set settled_at = now(), outcome = $5, result = $6
          where business = $1 and user_id = $2 and device_id = $3 and op_id = $4`,
        [business, user_id, device_id, opId, result.outcome, JSON.stringify(result)],
      );
    },
    async sweep() {
      const { rowCount } = await pool.query(
        `delete from access.wms_ops where received_at < now() - make_interval(days => $1) and not coalesce(${UNSETTLED}, false)`,
        [RETENTION_DAYS],
      );
      return rowCount ?? 0;
    },
  };
}
