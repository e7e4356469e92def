/** Texts of a parcel are in the language of the recipient, in formats with free text. */
import { expect } from 'chai';
import { LANGUAGES } from '../../../src/events/core/languages.js';
import { STATUS_CODES } from '../../../src/events/otep/codes.js';
import { statusText } from '../../../src/serializers/support/messages.js';
import type { Answer } from '../../support/clients/http.js';
import { event, newNumber, timelineOf } from '../../support/inputs/pushes.js';
import { startTestService, type TestService } from '../../support/worlds/service.js';

describe('language of a timeline', () => {
  let t: TestService;
  let pushed: Answer;
  const number = newNumber();
  before(async () => {
    t = await startTestService();
    pushed = await t.push(
      timelineOf(number, [event('picked_up', 1), event('in_transit', 2), event('x-customs_hold', 3)]),
    );
    await t.read(number, pushed);
  });
  after(() => t.stop());
  const read = (format: string, language?: string, headers: Record<string, string> = {}) =>
    t.read(number, pushed, {
      query: `?format=${format}`,
      headers: { ...(language !== undefined && { 'accept-language': language }), ...headers },
    });

  it('has a text for every code in every language', () => {
    for (const { code } of STATUS_CODES)
      for (const language of LANGUAGES) expect(statusText(code, language), `${code} ${language}`).to.match(/^\S.*\S$/s);
    expect(statusText('delivered', 'zh-Hant')).to.equal('已送達');
    expect(statusText('x-customs_hold', 'de')).to.equal('Customs hold');
  });

  for (const [format, messages] of Object.entries({
    aftership: ({ json }: Answer) => json.data?.tracking?.checkpoints ?? json.checkpoints,
    shippo: ({ json }: Answer) => json.tracking_history,
    shopify: ({ json }: Answer) => json.fulfillment_events,
    magento: ({ json }: Answer) => json.shipments[0].comments,
  }))
    it(`of ${format} follows Accept-Language, each with a separate validator`, async () => {
      const [plain, german, chinese] = [
        await read(format),
        await read(format, 'de-AT, en;q=0.5'),
        await read(format, 'zh-TW'),
      ];
      const messageText = (answer: Answer) => JSON.stringify(messages(answer));
      expect(messageText(plain)).to.include('Picked up');
      expect(messageText(german)).to.include('Abgeholt').and.include('Unterwegs');
      expect(messageText(chinese)).to.include('已取件');
      expect(german.headers.get('content-language')).to.equal('de');
      expect(german.headers.get('vary')).to.include('Accept-Language');
      const tags = [plain, german, chinese].map(({ headers }) => headers.get('etag')!);
      expect(new Set(tags).size).to.equal(3);
      expect((await read(format, 'de', { 'if-none-match': tags[1]! })).status).to.equal(304);
      expect((await read(format, 'fr', { 'if-none-match': tags[1]! })).status).to.equal(200);
      expect(messageText(await read(format)), 'cached documents are stored per language').to.equal(messageText(plain));
    });

  it('changes nothing in a format without free text', async () => {
    const [plain, german] = [await read('otep'), await read('otep', 'de')];
    expect(german.text).to.equal(plain.text);
    expect(german.headers.get('etag')).to.equal(plain.headers.get('etag'));
    expect(german.headers.get('content-language')).to.equal(null);
  });

  it('is that of the reader in public tracking', async () => {
    const { json } = await t.api(`/tracking/${number}`, { headers: { 'accept-language': 'fr' } });
    expect(json.events.map(({ description }: { description: string }) => description)).to.deep.equal([
      'Pris en charge',
      'En transit',
      'Customs hold',
    ]);
  });

  it('keeps texts of the source unchanged', async () => {
    const own = newNumber();
    const after = await t.push(timelineOf(own, [event('in_transit', 1, { description: 'At the customs office' })]));
    const { text } = await t.read(own, after, {
      query: '?format=shippo',
      headers: { 'accept-language': 'de' },
      key: t.demo.provider.key,
    });
    expect(text).to.include('At the customs office');
  });
});
