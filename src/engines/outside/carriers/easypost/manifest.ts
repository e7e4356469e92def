/**
 * Scan forms. A scan form has shipments of one carrier account and one sender address, so a manifest may need several.
 * The shipments are the key (dedupe `key`): EasyPost adds a shipment to one scan form only, and reading the shipment
 * shows it. Shipments with a scan form are never sent again.
 */
import type { NotDone, Outcome } from '../../adapter.js';
import type { CarrierEffect, LabelFile, ManifestRequest, ManifestResult } from '../port.js';
import { toEasypostCall, type EasypostCall } from './account.js';
import type { EasypostClient } from './client.js';
import { scanFormSchema, senderSchema, type ScanForm, type SentShipment } from './objects.js';
import { ACCESS_REFUSALS, SCAN_FORM_REFUSALS } from './refusals.js';

/** Maximum number of requests at the same time. */
const CONCURRENT = 10;

type Refused = ManifestResult['refused'][number];

const unknown = (cause: string): Outcome<never> => ({ is: 'unknown', cause });

export function createManifest(client: EasypostClient): CarrierEffect<ManifestRequest, ManifestResult> {
  return {
    dedupe: 'key',

    async act(carrierCall, _key, request) {
      const call = toEasypostCall(carrierCall);
      const read = await readAll(client, call, idsOf(request));
      if (read.is !== 'done') return read;
      const open = read.result.filter(isOpen);
      const forms = new Map<string, ScanForm>();
      const refused: Refused[] = [];
      for (const group of groupsOf(open)) {
        const made = await client.send({
          call,
          method: 'POST',
          path: 'scan_forms',
          body: { scan_form: { shipments: group.map(({ id }) => ({ id })) } },
          schema: scanFormSchema,
          refusals: SCAN_FORM_REFUSALS,
        });
        // The next look finds the forms that were made.
        if (made.is === 'unknown') return made;
        if (made.is === 'done') for (const { id } of group) forms.set(id, made.result);
        else {
          // Another call may have put these shipments on a form.
          const after = await readAll(
            client,
            call,
            group.map(({ id }) => id),
          );
          if (after.is !== 'done') return unknown('unconfirmed');
          for (const { id, scan_form: form } of after.result)
            if (form) forms.set(id, form);
            else refused.push(toRefused(id, made));
        }
      }
      return toManifest(read.result, forms, refused);
    },

    async look(carrierCall, _key, request) {
      if (!request) return unknown('no_request');
      const read = await readAll(client, toEasypostCall(carrierCall), idsOf(request));
      if (read.is === 'unknown') return read;
      if (read.is === 'not_done') return unknown('no_access');
      // `act` sends the remaining shipments.
      if (read.result.some(isOpen)) return { is: 'not_done', code: 'absent', final: false };
      return toManifest(read.result, new Map(), []);
    },
  };
}

const idsOf = ({ labels }: ManifestRequest) => labels.map(({ remote_id: id }) => id);

const isRefunded = ({ refund_status: status }: SentShipment): boolean => Boolean(status) && status !== 'rejected';
const isOpen = (shipment: SentShipment): boolean =>
  !shipment.scan_form && !isRefunded(shipment) && shipment.selected_rate !== null;

async function readAll(
  client: EasypostClient,
  call: EasypostCall,
  ids: readonly string[],
): Promise<Outcome<readonly SentShipment[]>> {
  const shipments: SentShipment[] = [];
  for (let start = 0; start < ids.length; start += CONCURRENT) {
    const some = await Promise.all(
      ids
        .slice(start, start + CONCURRENT)
        .map((id) =>
          client.send({
            call,
            method: 'GET',
            path: `shipments/${encodeURIComponent(id)}`,
            schema: senderSchema,
            refusals: ACCESS_REFUSALS,
          }),
        ),
    );
    for (const one of some) {
      if (one.is !== 'done') return one;
      shipments.push(one.result);
    }
  }
  return { is: 'done', result: shipments };
}

/** Members of an address that differ between two shipments from the same sender. */
const OWN_MEMBERS = new Set(['id', 'created_at', 'updated_at', 'verifications']);

/** Shipments that can be on one form. */
function groupsOf(shipments: readonly SentShipment[]): readonly (readonly SentShipment[])[] {
  const groups = new Map<string, SentShipment[]>();
  for (const shipment of shipments) {
    const address = Object.entries(shipment.from_address)
      .filter(([name]) => !OWN_MEMBERS.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const group = JSON.stringify([shipment.selected_rate?.carrier_account_id, address]);
    groups.set(group, [...(groups.get(group) ?? []), shipment]);
  }
  return [...groups.values()];
}

function toRefused(id: string, { code, text }: Pick<NotDone, 'code' | 'text'>): Refused {
  return { remote_id: id, code, ...(text !== undefined && { text }) };
}

/** `made`: forms of this call, by shipment. Unknown while EasyPost is still creating a form. */
function toManifest(
  shipments: readonly SentShipment[],
  made: ReadonlyMap<string, ScanForm>,
  refusedNow: readonly Refused[],
): Outcome<ManifestResult> {
  const refused = [...refusedNow];
  const forms = new Map<string, ScanForm>();
  for (const shipment of shipments) {
    const { id } = shipment;
    const form = made.get(id) ?? shipment.scan_form;
    if (form?.status === 'creating') return unknown('creating');
    if (form?.status === 'failed')
      refused.push(toRefused(id, { code: 'SCAN_FORM.FAILURE', text: form.message ?? undefined }));
    else if (form) forms.set(form.id, form);
    else if (isRefunded(shipment)) refused.push(toRefused(id, { code: 'REFUNDED' }));
    else if (!shipment.selected_rate) refused.push(toRefused(id, { code: 'NOT_PURCHASED' }));
  }
  const [first] = refused;
  if (forms.size === 0 && first) return { is: 'not_done', code: first.code, text: first.text, final: false };
  const documents = [...forms.values()].flatMap(({ form_url: url }): LabelFile[] =>
    url ? [{ format: 'pdf', url }] : [],
  );
  const [document, ...more] = documents;
  return {
    is: 'done',
    result: {
      reference: [...forms.keys()].join(' '),
      ...(document && { document }),
      ...(more.length > 0 && { more_documents: more }),
      refused,
    },
  };
}
