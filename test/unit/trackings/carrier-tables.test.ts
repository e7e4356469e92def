/** The tables of carriers' status codes: the whole data set, and the lookup with real codes. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { carrierTable, tableNamed } from '../../../src/engines/carrier-tables.js';
import { packageRoot } from '../../../src/engines/package-root.js';
import { CARRIER_NAMES, CARRIERS, carrierNamed, type CarrierName } from '../../../src/events/otep/carriers/carriers.js';
import { createCarrierTable, foldedCode, type CarrierCode } from '../../../src/events/otep/carriers/table.js';
import { statusCode } from '../../../src/events/otep/codes.js';
import { LIMITS } from '../../../src/events/otep/check/limits.js';
import { incidentReason } from '../../../src/events/otep/reasons.js';

const FOLDER = `${packageRoot}/src/events/otep/carriers/tables`;
const readme = readFileSync(`${FOLDER}/README.md`, 'utf8');
const placeOf = (name: string, { raw_code, raw_text_pattern }: CarrierCode) =>
  `${name} ${raw_code} ${raw_text_pattern}`;
const allRows = CARRIER_NAMES.flatMap((name) => carrierTable(name).rows.map((row) => ({ name, row })));

describe('the tables of carriers’ status codes', () => {
  it('are the files of the folder', () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith('.csv'));
    expect(files.map((file) => file.slice(0, -4)).sort()).to.deep.equal([...CARRIER_NAMES].sort());
  });

  it('have only registered statuses and reasons, and codes that an event can have', () => {
    for (const { name, row } of allRows) {
      const place = placeOf(name, row);
      expect(row.status_code === '' || statusCode(row.status_code) !== undefined, place).to.equal(true);
      expect(row.incident_reason === '' || incidentReason(row.incident_reason) !== undefined, place).to.equal(true);
      expect(row.raw_code + row.raw_text_pattern, place).not.to.equal('');
      expect(row.raw_code, place).to.equal(row.raw_code.trim());
      expect(row.raw_code.length, place).to.be.at.most(LIMITS.code);
      expect(row.note, place).not.to.equal('');
    }
  });

  it('have each code and pattern once', () => {
    for (const name of CARRIER_NAMES) {
      const keys = carrierTable(name).rows.map((row) => `${foldedCode(row.raw_code)} ${row.raw_text_pattern}`);
      expect(new Set(keys).size, name).to.equal(keys.length);
    }
  });

  it('have the numbers of rows that the documentation states', () => {
    const stated = [
      ...readme.matchAll(/^\| \[([a-z0-9-]+)\]\(\S+\) \| (.+?) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|/gm),
    ];
    const counts = CARRIERS.map(({ name, title }) => {
      const { rows, mapped } = carrierTable(name);
      const delivered = rows.filter(({ status_code }) => status_code === 'delivered').length;
      return [name, title, rows.length, mapped, rows.length - mapped, delivered].map(String);
    });
    expect(counts).to.have.deep.members(stated.map(([, ...cells]) => cells.slice(0, 6)));
    const mapped = allRows.filter(({ row }) => row.status_code !== '').length;
    expect(readme).to.include(
      `${CARRIERS.length} files, ${allRows.length} rows: ${mapped} mapped, ${allRows.length - mapped} deliberately unmapped`,
    );
  });

  it('are all in the documentation of the API', () => {
    const documented = readFileSync(`${packageRoot}/docs/carriers.md`, 'utf8');
    for (const { name, title } of CARRIERS) {
      const { rows, mapped } = carrierTable(name);
      expect(documented).to.include(`| \`${name}\` | ${title} | ${rows.length} | ${mapped} |`);
    }
  });

  it('have patterns that compile and need at most quadratic time', () => {
    for (const { name, row } of allRows) {
      if (row.raw_text_pattern === '') continue;
      const place = placeOf(name, row);
      expect(() => new RegExp(row.raw_text_pattern, 'iu'), place).not.to.throw();
      // Without a repeated group, an alternative with one unbounded quantifier tries each pair of positions at most once.
      const plain = row.raw_text_pattern.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
      expect(plain, place).not.to.match(/\)[*+{]/);
      for (const alternative of plain.split('|'))
        expect(alternative.match(/[*+]|\{\d*,\}/g)?.length ?? 0, place).to.be.at.most(1);
      expect(row.raw_text_pattern, place).not.to.match(/\\[1-9]|\\k/);
    }
  });
});

const cases: readonly (readonly [CarrierName, code: string, status: string, text?: string])[] = [
  ['fedex', 'PU', 'picked_up', 'Picked up'],
  ['fedex', 'PU', 'in_transit', 'Package available for clearance'],
  ['fedex', 'DE', 'delivery_failed recipient_absent', 'Delivery exception Customer not available or business closed'],
  ['fedex', 'DE', 'delivery_failed'],
  ['fedex', 'OW', 'in_transit'],
  ['fedex', 'HP', ''],
  ['ups', 'I:AR', 'arrival_scan'],
  ['ups', 'i:ot', 'out_for_delivery'],
  ['ups', 'D', 'delivered', 'DELIVERED'],
  ['ups', 'D', '', 'Delivered to UPS Access Point'],
  ['ups', 'X', ''],
  ['ups', 'S:011', 'delivered'],
  ['usps', '01', 'delivered', 'Delivered, Front Door/Porch'],
  ['usps', '01', 'return_to_sender', 'Delivered, To Original Sender'],
  ['usps', '01', '', 'Delivered, To Agent for Final Delivery'],
  ['usps', '01', 'delivered', 'Delivered, Individual Picked Up at Post Office'],
  ['usps', '01', 'delivered', 'Delivered, In/At Mailbox'],
  ['usps', '01', 'delivered', 'Delivered to Recipient by Agent'],
  ['usps', '01', ''],
  ['usps', '03', 'picked_up', 'Picked Up by Shipping Partner'],
  ['usps', '03', 'received', 'Accepted at USPS Origin Facility'],
  ['usps', '16', ''],
  ['usps', '', 'return_to_sender', 'Tendered to Returns Agent'],
  ['dhl-express', 'OK', 'delivered'],
  ['dhl-express', 'NH', 'delivery_failed recipient_absent'],
  ['dhl-express', 'PD', ''],
  ['dhl-express', '101', ''],
  ['dhl-parcel-de', 'PO', 'out_for_delivery', 'The shipment has been loaded onto the delivery vehicle'],
  ['dhl-parcel-de', 'PO', ''],
  ['dhl-parcel-de', 'ZU', ''],
  ['dhl-parcel-de', 'DLVRD/DIDLV/ZU', ''],
  ['dhl-unified', 'delivered', '', 'The shipment was delivered to the Packstation'],
  ['dhl-unified', 'delivered', 'return_to_sender', 'Delivered to the sender'],
  ['dhl-unified', 'delivered', 'delivered', 'The shipment has been successfully delivered'],
  ['dhl-unified', 'delivered', 'delivered', 'Die Sendung wurde erfolgreich zugestellt.'],
  ['dhl-unified', 'delivered', 'delivered', 'The shipment has been picked up by the recipient from Parcelshop'],
  ['dhl-unified', 'delivered', '', 'Delivered to local carrier'],
  ['dhl-unified', 'delivered', ''],
  ['dpd', 'Courier', 'out_for_delivery'],
  ['dpd', 'PARCELSHOP', ''],
  ['dpd', '13', 'delivered'],
  ['dpd', '13', '', 'Afgeleverd bij Pickup parcelshop'],
  ['dpd', 'ReturningFromDelivery', 'delivery_failed'],
  ['gls', '11', 'delivery_failed recipient_absent'],
  ['gls', '11.0', 'out_for_delivery'],
  ['gls', '3.0', ''],
  ['gls', '3.0', '', 'The parcel was delivered to the ParcelShop'],
  ['hermes-de', '1751', 'delivery_failed customs'],
  ['royal-mail', 'EVKRF', 'rejected_by_recipient recipient_refused'],
  ['royal-mail', 'EVGPD', 'out_for_delivery'],
  ['canada-post', '0174', 'out_for_delivery', 'Item out for delivery'],
  ['canada-post', '174', 'return_to_sender', 'Item returned to sender'],
  ['canada-post', '1496', 'delivered', 'Livré'],
  ['canada-post', '1496', 'return_to_sender', "L'article a été renvoyé avec succès à l'expéditeur."],
  ['canada-post', '1496', ''],
  ['colissimo', 'DEPGUI', 'received'],
  ['la-poste', 'MD2', 'out_for_delivery'],
  ['la-poste', 'MD2', 'in_transit', 'Votre courrier se prépare pour la distribution'],
  ['correos-es', 'H010710V', 'delivered', 'Entregado'],
  ['correos-es', 'H010710V', '', 'Entregado en oficina'],
  ['correos-es', 'H010710V', '', 'Entregado al transportista'],
  ['correos-es', 'IPUDO02V', '', 'Entregado'],
  ['postnl', 'J05', 'out_for_delivery'],
  ['inpost', 'ready_to_pickup', ''],
  ['packeta', '3', 'in_transit'],
  ['packeta', 'web:3', 'delivered'],
  ['nova-post', '7', ''],
  ['nova-post', '9', 'delivered'],
  ['magyar-posta', '3', 'rejected_by_recipient recipient_refused', 'A címzett megtagadta az átvételt'],
  ['magyar-posta', '5', 'delivered', 'Sikeres kézbesítés'],
  ['yamato', '', 'delivered', '配達完了'],
  ['yamato', '', 'delivered', '配達完了（宅配ボックス）'],
  ['sagawa', '', 'out_for_delivery', '⇒配達中'],
  ['cainiao', 'GTMS_SIGNED', 'delivered'],
  ['upu-ems', 'EME', 'delivery_rescheduled customs'],
  ['australia-post', 'DD-ER37', 'delivered', 'Delivered'],
  ['australia-post', 'DD-ER37', ''],
  ['australia-post', 'DD-ER14', ''],
  ['australia-post', 'AFC-ER15', 'received'],
  ['swiss-post', 'LETTER.PRIORITY.88.40', 'delivered'],
  ['swiss-post', 'LETTER.PRIORITY.88.21', ''],
  ['nz-post', 'edifact:22', 'delivered'],
  ['tnt', '', 'picked_up', 'Shipment collected from collection address'],
  ['poste-italiane', '', 'return_to_sender', 'In restituzione al mittente'],
  ['austrian-post', '', '', 'Abholbereit'],
  ['seur', 'LL001', 'delivered'],
  ['seko', 'OP-76', ''],
  ['bpost', 'L00', 'out_for_delivery'],
  ['amazon-mcf', 'EVENT_301', 'delivered'],
  ['amazon-mcf', 'EVENT_804', ''],
  ['an-post', 'category:4', ''],
  ['aramex-au-nz', 'YES', ''],
  ['bpost', 'DELIVERED_MANUALLY', ''],
  ['poste-italiane', '', '', 'con successo in data'],
  ['shipengine', 'PROOF_OF_DELIVERY', ''],
  ['shipengine', 'code:DE', ''],
  ['shipengine', 'code:DE', 'delivered', 'Your shipment has been delivered.'],
  ['chronopost', 'TA', 'out_for_delivery'],
  ['spring', '101', ''],
];

const NOT_DELIVERED = [
  'Not delivered',
  'Undelivered',
  'Could not be delivered',
  'The shipment has not been picked up by the recipient',
  'Your parcel will be delivered tomorrow',
  'To be delivered on Monday',
  'Scheduled for delivery',
  'Delivery attempted, mailbox full',
  'Delivery to neighbour failed',
  'Partially delivered',
  'Delivered to local carrier',
  'Delivered to an agent for final delivery',
  'Delivered to Agent, Parcel Locker',
  'Delivered, To Original Sender',
  'Nicht zugestellt',
  'Die Sendung konnte nicht zugestellt werden',
  'Die Sendung wird heute zugestellt',
  'Die Sendung wurde in die Filiale zugestellt',
  'Non livré',
  'Livré au partenaire de livraison',
  'No entregado',
  'Será entregado mañana',
  'Entregado en oficina',
  'Entregado a la unidad de reparto',
  'Entregado al agente de aduanas',
  'La spedizione non è stata consegnata',
  'La spedizione sarà consegnata domani',
  'Nem sikeres kézbesítés',
  'Sikertelen kézbesítés',
  'Sikeresen kézbesítve a feladónak',
  '配達完了予定',
  '⇒配達完了予定',
  '配達完了していません',
] as const;

describe('the lookup of a raw status', () => {
  for (const [name, code, expected, text] of cases)
    it(`${name} ${code || '(no code)'}${text === undefined ? '' : ` “${text}”`}: ${expected || 'known, no status'}`, () => {
      const row = carrierTable(name).find({ ...(code !== '' && { code }), ...(text !== undefined && { text }) });
      expect(row && [row.status_code, row.incident_reason].filter(Boolean).join(' ')).to.equal(expected);
    });

  const row = (raw_code: string, raw_text_pattern: string, status_code: CarrierCode['status_code']): CarrierCode => ({
    raw_code,
    raw_text_pattern,
    status_code,
    incident_reason: '',
    note: '-',
  });
  const table = createCarrierTable([
    row('', 'lost', 'delivery_failed'),
    row('A', 'first', 'received'),
    row('A', 'fir', 'in_transit'),
    row('A', '', ''),
    row('B', 'only', 'received'),
    row('X.*.1', '', 'arrival_scan'),
  ]);
  const find = (code?: string, text?: string) => table.find({ code, text })?.status_code;

  it('tries rows with the code and a pattern in file order, then the row with the code', () => {
    expect(find('A', 'the first')).to.equal('received');
    expect(find('A', 'fir')).to.equal('in_transit');
    expect(find('A', 'lost')).to.equal('');
  });

  it('tries text patterns only if no row of the code matches', () => {
    expect(find('B', 'lost')).to.equal('delivery_failed');
    expect(find('C', 'it is LOST')).to.equal('delivery_failed');
    expect(find(undefined, 'lost')).to.equal('delivery_failed');
  });

  it('ignores case and surrounding spaces of the code', () => {
    expect(find(' a\t', 'FIRST')).to.equal('received');
  });

  it('replaces exactly one part of a code by a mask', () => {
    expect(find('x.any.1')).to.equal('arrival_scan');
    expect(find('X.a.b.1')).to.equal(undefined);
  });

  it('finds nothing for an unknown code, an empty code and an unknown carrier', () => {
    for (const code of [undefined, '', ' ', 'C', '__proto__', 'constructor', 'B', '*'])
      expect(find(code, 'nothing'), code).to.equal(undefined);
    expect(tableNamed('nosuchcarrier')).to.equal(undefined);
    expect(tableNamed('__proto__')).to.equal(undefined);
    expect(carrierNamed(' USPS ')?.name).to.equal('usps');
  });

  it('reads long texts that nearly match', () => {
    const long = ['return '.repeat(300), 'renvoy'.repeat(400), 'picked up '.repeat(200), 'entregado '.repeat(200)];
    for (const { name, row } of allRows)
      if (row.raw_text_pattern !== '') for (const text of long) carrierTable(name).find({ code: row.raw_code, text });
  });

  it('takes no text that denies or announces a delivery as a delivery', () => {
    for (const { name, row } of allRows) {
      if (row.status_code !== 'delivered' || row.raw_text_pattern === '') continue;
      for (const text of NOT_DELIVERED) {
        const found = carrierTable(name).find({ code: row.raw_code, text })?.status_code;
        expect(found, `${placeOf(name, row)}: ${text}`).not.to.equal('delivered');
      }
    }
  });
});
