/** Label orders and ends of day, for tests of manifests. */
import { expect } from 'chai';
import { shipmentOf, type LabelWorld } from './world.js';

export interface ManifestJson {
  readonly id: number;
  readonly status: string;
  readonly order_ids: readonly number[];
  readonly label_count: number;
  readonly reference: string | null;
  readonly failure_code: string | null;
  readonly refused: readonly { readonly order_id: number; readonly code: string; readonly tracking_number: string }[];
  readonly documents: readonly { readonly file_id: string; readonly href: string; readonly media_type: string }[];
  readonly carrier_account_id: number;
  readonly ship_date: string;
}

export interface EndedDay {
  readonly result: boolean;
  readonly manifests: readonly ManifestJson[];
  readonly submitted: number;
  readonly pending: number;
  readonly skipped: number;
  readonly has_more: boolean;
  readonly job_id: string | null;
  readonly account_errors: readonly { readonly carrier_account_id: number; readonly code: string }[];
}

type Carrier = 'sheet' | 'outside';

export function endsOfDay(world: () => LabelWorld) {
  async function bought(carrier: Carrier, body: object = shipmentOf()): Promise<number> {
    const w = world();
    const { status, json, text } = await w.as('employee', '/label-orders', { ...body, method_id: w[carrier].method });
    expect([status, json.result], text).to.deep.equal([201, true]);
    return json.order_id as number;
  }

  return {
    bought,

    /** A few at the same time. */
    async boughtMany(carrier: Carrier, count: number): Promise<number[]> {
      const ids: number[] = [];
      while (ids.length < count) {
        const some = Math.min(10, count - ids.length);
        ids.push(...(await Promise.all(Array.from({ length: some }, () => bought(carrier)))));
      }
      return ids;
    },

    orderOf: async (id: number) => (await world().as('employee', `/label-orders/${id}`)).json.label_order,

    async endDay(body: object = {}): Promise<EndedDay> {
      const { status, json, text } = await world().as('employee', '/labelservice/endofday', body);
      expect(status, text).to.equal(200);
      return json as EndedDay;
    },
  };
}
