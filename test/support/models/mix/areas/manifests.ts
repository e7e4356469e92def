/** Random commands to manifests. */
import type { ManifestCommand } from '../../../../../src/commands/manifests/command.js';
import { manifests } from '../../../../../src/commands/manifests/decider.js';
import { effectIdFor } from '../../../../../src/events/effects/effect-id.js';
import type { EffectRecord } from '../../../../../src/events/effects/records.js';
import { LABEL_MANIFEST, WHOLE_MANIFEST } from '../../../../../src/events/manifests/effects.js';
import { manifestStream } from '../../../../../src/events/manifests/events.js';
import { derivedId } from '../../../../../src/events/otep/identity.js';
import { generator, type Act, type Tools } from '../generator.js';
import type { Pick } from '../pick.js';

const send = (tools: Tools, id: number, command: ManifestCommand) =>
  tools.send(manifests, manifestStream(id), command as never);
const fileOf = (pick: Pick) => ({
  file_id: derivedId('mix manifest file', pick.of(9)),
  media_type: 'application/pdf',
  bytes: pick.of(900),
});

const open = (tools: Tools, pick: Pick, id: number) =>
  send(tools, id, {
    do: 'open',
    manifest: {
      manifest_id: id,
      business: tools.business,
      account_id: pick.of(3),
      adapter: 'double',
      ship_date: tools.date,
      order_ids: [1, 2, 3].map((n) => n + pick.of(90)),
      ...(pick.of(2) === 1 && { opened_by: pick.of(5) }),
    },
  });

/** Lists labels of the orders for which the manifest was opened. */
async function list(tools: Tools, pick: Pick, id: number) {
  const events = (await tools.core.engines.log.readMany([manifestStream(id)])).get(manifestStream(id)) ?? [];
  const orderIds = (events[0]?.data['order_ids'] ?? []) as readonly number[];
  const labels = orderIds
    .slice(0, pick.of(4) - 1)
    .map((order_id) => ({
      order_id,
      package_id: '1',
      remote_id: `shp_${order_id}`,
      tracking_number: `MIX${order_id}`,
      ...(pick.of(2) === 1 && { weight_kg: pick.of(9) }),
    }));
  return send(tools, id, { do: 'list', labels, digest: `digest ${pick.of(9)}` });
}

const step = (tools: Tools, id: number, record: EffectRecord) => {
  const { kind } = LABEL_MANIFEST;
  const effectId = effectIdFor({ stream: manifestStream(id), kind, about: WHOLE_MANIFEST, attempt: 1 });
  return send(tools, id, { do: 'effect', kind, effectId, record });
};

/** A new manifest whose carrier is asked, unless no label joined. */
async function begun(tools: Tools, pick: Pick): Promise<number> {
  const id = tools.fresh();
  await open(tools, pick, id);
  await list(tools, pick, id);
  return id;
}

/** Records a step of a new manifest. */
const stepOfNew =
  (record: (pick: Pick) => EffectRecord): Act =>
  async (tools, pick) =>
    step(tools, await begun(tools, pick), record(pick));

const close =
  (missing: number) =>
  (pick: Pick): EffectRecord => ({
    step: 'done',
    result: {
      reference: `SF ${pick.of(99)}`,
      documents: missing > 0 ? [] : [fileOf(pick)],
      ...(missing > 0 && { missing_documents: missing }),
      refused: pick.of(2) === 1 ? [] : [{ remote_id: `shp_${pick.of(90)}`, code: 'REFUNDED' }],
    },
  });

export const MIX = generator({
  open: (tools, pick) => open(tools, pick, tools.fresh()),
  list: (tools, pick) => list(tools, pick, tools.existing(pick)),
  reserve: stepOfNew((pick) => ({ step: 'reserved', remoteId: `batch_${pick.of(9)}` })),
  close: stepOfNew(close(0)),
  refuse: stepOfNew(() => ({ step: 'refused', code: 'CLOSED', text: 'Ada', final: true })),
  leaveOpen: stepOfNew(() => ({ step: 'left_open', cause: 'timeout' })),
  async storeDocuments(tools, pick) {
    const id = await begun(tools, pick);
    await step(tools, id, close(1)(pick));
    return send(tools, id, { do: 'store_documents', documents: [fileOf(pick)] });
  },
});
