import { expect } from 'chai';
import { readConfig } from '../../../src/config.js';

describe('Kafka in the configuration', () => {
  const kafka = (environment: Record<string, string> = {}) => readConfig(environment).kafka;

  it('is disabled without brokers', () => {
    expect(kafka()).to.deep.equal({
      brokers: [],
      topicPrefix: 'transport',
      mode: 'structured',
      ingest: '*',
      ssl: false,
    });
  });

  it('accepts brokers, topics, mode, providers and identity', () => {
    expect(
      kafka({
        KAFKA_BROKERS: 'a.example:9092, b.example:9092,[::1]:9092',
        KAFKA_TOPIC_PREFIX: 'acme.eu',
        KAFKA_MODE: 'binary',
        KAFKA_INGEST: 'demo-carrier, demo-courier',
        KAFKA_SSL: 'true',
        KAFKA_SASL_MECHANISM: 'scram-sha-512',
        KAFKA_SASL_USERNAME: 'u',
        KAFKA_SASL_PASSWORD: 'p',
      }),
    ).to.deep.equal({
      brokers: ['a.example:9092', 'b.example:9092', '[::1]:9092'],
      topicPrefix: 'acme.eu',
      mode: 'binary',
      ingest: ['demo-carrier', 'demo-courier'],
      ssl: true,
      sasl: { mechanism: 'scram-sha-512', username: 'u', password: 'p' },
    });
    expect(kafka({ KAFKA_INGEST: 'none' }).ingest).to.equal('none');
  });

  for (const [what, environment, named] of [
    ['a broker without a port', { KAFKA_BROKERS: 'a.example' }, 'KAFKA_BROKERS'],
    ['an invalid topic prefix', { KAFKA_TOPIC_PREFIX: 'a b' }, 'KAFKA_TOPIC_PREFIX'],
    ['an unknown mode', { KAFKA_MODE: 'avro' }, 'KAFKA_MODE'],
    ['an invalid provider id', { KAFKA_INGEST: 'demo-carrier,NO PE' }, 'KAFKA_INGEST'],
    ['an incomplete identity', { KAFKA_BROKERS: 'a:1', KAFKA_SASL_USERNAME: 'u' }, 'KAFKA_SASL_MECHANISM'],
  ] as const)
    it(`rejects ${what}`, () => expect(() => kafka(environment)).to.throw(named));
});
