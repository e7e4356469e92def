/** A warehouse with staff who scan, for tests of scanners. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Answer } from '../clients/http.js';
import { openOrderFixture, STOP, type OrderFixture } from './orders.js';
import type { TestService } from './service.js';
import type { UserName } from './users.js';

export interface Parcel {
  readonly order_id: number;
  readonly number: string;
}
export type ScanOperation = Readonly<Record<string, unknown>>;

export interface Scanners extends OrderFixture {
  /** Creates a warehouse with locations for quarantine, S-1 for a bay. */
  readonly warehouse: (user?: UserName) => Promise<number>;
  readonly parcel: (members?: object) => Promise<Parcel>;
  readonly parcels: (count: number, members?: object) => Promise<Parcel[]>;
  readonly route: (parcels: readonly Parcel[], members?: object) => Promise<number>;
  /** Returns a function that creates scans of a device in order, each with its own id and sequence number. */
  readonly device: (
    name: string,
    warehouse_id: number,
  ) => (what: string, code: string, members?: object) => ScanOperation;
  readonly send: (device_id: string, ops: readonly ScanOperation[], user?: UserName) => Promise<Answer>;
  /** Sends scans, all of which must be applied. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly sendAll: (device_id: string, ops: readonly ScanOperation[]) => Promise<any[]>;
}

/** Maximum number of scans per request. */
const MAX_OPS = 200;

let opened = 0;

export function openScanners(t: TestService): Scanners {
  const fixture = openOrderFixture(t);
  const send: Scanners['send'] = (device_id, ops, user = 'employee') =>
    fixture.as(user, '/wms/mobile/ops', { body: { device_id, ops } });
  const parcel: Scanners['parcel'] = async (members = {}) => {
    const { order_id, tracking_numbers } = await fixture.order(members);
    return { order_id, number: tracking_numbers[0] };
  };
  return {
    ...fixture,
    send,
    parcel,
    parcels: (count, members) => Promise.all(Array.from({ length: count }, () => parcel(members))),
    async warehouse(user = 'client_admin') {
      const body = { code: `DOCK${(opened += 1)}`, name: `Dock ${opened}`, address: STOP, timezone: 'UTC' };
      const warehouse_id = (await fixture.as(user, '/wms/warehouses', { body })).json.warehouse.id;
      const locations = [
        { code: 'A-1' },
        { code: 'A-2' },
        { code: 'Q-1', kind: 'quarantine' },
        { code: 'S-1', kind: 'staging' },
      ];
      await fixture.as(user, `/wms/warehouses/${warehouse_id}/locations/batch`, {
        method: 'POST',
        body: { locations },
      });
      return warehouse_id;
    },
    async route(parcels, members = {}) {
      const body = {
        name: 'Tour',
        schedule_date: '2026-03-02',
        allow_past_date: true,
        driver_id: t.demo.users.driver.id,
        ...members,
      };
      const { id: route_id } = (await fixture.as('client_admin', '/routes', { body })).json.route;
      const on = { order_ids: parcels.map(({ order_id }) => order_id) };
      const put = await fixture.as('client_admin', `/routes/${route_id}/orders`, { body: on });
      expect(put.json.errors, put.text).to.deep.equal([]);
      return route_id;
    },
    device(_name, warehouse_id) {
      let seq = 0;
      const startedAt = Date.now();
      // Five seconds apart, so that no scan counts as a double scan.
      return (what, code, members = {}) => ({
        op_id: randomUUID(),
        seq: (seq += 1),
        at: new Date(startedAt - 3 * 3_600_000 + seq * 5_000).toISOString(),
        do: what,
        code,
        warehouse_id,
        ...members,
      });
    },
    async sendAll(device_id, ops) {
      const results = [];
      for (let at = 0; at < ops.length; at += MAX_OPS) {
        const { status, json, text } = await send(device_id, ops.slice(at, at + MAX_OPS));
        expect(status, text).to.equal(200);
        for (const one of json.results) expect(one, JSON.stringify(one)).to.include({ outcome: 'applied' });
        results.push(...json.results);
      }
      return results;
    },
  };
}
