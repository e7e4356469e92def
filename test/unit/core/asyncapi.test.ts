import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from 'chai';
import { Ajv } from 'ajv';
import { STREAMS } from '../../../src/areas/index.js';
import { asyncApi } from '../../../src/api/kafka/asyncapi.js';
import { CLOUD_EVENT_MODES } from '../../../src/relay/cloud-event.js';

/** The official schema; its npm package is a development dependency. */
const official = () =>
  JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.0.0.json'), 'utf8'),
  ) as object;

describe('AsyncAPI document', () => {
  for (const mode of CLOUD_EVENT_MODES) {
    it(`is valid by the official schema (${mode})`, () => {
      const ajv = new Ajv({
        strict: false,
        allErrors: true,
        validateFormats: false,
        meta: false,
        validateSchema: false,
      });
      const valid = ajv.compile(official());
      valid(asyncApi({ areas: STREAMS, prefix: 'transport', mode }));
      expect(valid.errors ?? []).to.deep.equal([]);
    });

    it(`has no dangling reference (${mode})`, () => {
      const document = asyncApi({ areas: STREAMS, prefix: 'transport', mode });
      const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!);
      expect(references).to.have.length.above(20);
      for (const path of references)
        expect(
          path.split('/').reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document),
          path,
        ).to.be.an('object');
    });
  }

  it('names every topic and every type of event', () => {
    const document = asyncApi({ areas: STREAMS, prefix: 'acme', mode: 'structured' }) as {
      channels: Record<string, { address: string; messages: object }>;
    };
    expect(Object.values(document.channels).map(({ address }) => address)).to.deep.equal([
      // An area with two stream families has one topic.
      ...new Set(STREAMS.map(({ name }) => `acme.${name}`)),
      'acme.ingest.{provider}',
      'acme.ingest.{provider}.replies',
      'acme.ingest.{provider}.rejected',
    ]);
    for (const { name, events } of STREAMS)
      expect(Object.keys(document.channels[name]!.messages)).to.include.members(events.map(({ type }) => type));
    const named = STREAMS.flatMap(({ name, events }) => events.map(({ type }) => `${name}/${type}`));
    const channelMessages = Object.entries(document.channels).flatMap(([name, { messages }]) =>
      Object.keys(messages).map((message) => `${name}/${message}`),
    );
    expect(
      channelMessages.filter((message) => STREAMS.some(({ name }) => message.startsWith(`${name}/`))),
    ).to.have.members(named);
  });

  it('shows no encrypted member as plaintext', () => {
    const { components } = asyncApi({ areas: STREAMS, prefix: 'acme', mode: 'structured' }) as {
      components: { schemas: Record<string, { properties: Record<string, { properties?: object }> }> };
    };
    const { properties } = components.schemas['TrackingEventRecordedData']!;
    expect(properties)
      .to.include.keys('$sealed', 'event_id', 'location')
      .and.not.have.any.keys('description', 'proof', 'extensions');
    expect(properties['location']!.properties).to.have.property('city');
    expect(properties['location']!.properties).not.to.have.any.keys('name', 'exact');
  });
});
