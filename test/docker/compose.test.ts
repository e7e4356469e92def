/** The compose files against the schema of the Compose Specification, and against the names that they refer to. */
import { execFileSync } from 'node:child_process';
import { access, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { Ajv, type ValidateFunction } from 'ajv';
import { expect } from 'chai';
import { parse } from 'yaml';
import { IDLE_SECONDS } from '../../src/api/rest/http-server.js';
import { readConfig } from '../../src/config.js';
import { VARIABLES } from '../../src/variables.js';
import { COMPOSE_FILES, DOCKER, readCompose, type Compose, type ComposeService } from '../support/checks/compose.js';

/** Options of the server, version 24.6 (ClusterVNodeOptions). */
const EVENTSTORE_OPTIONS = [
  'CLUSTER_SIZE',
  'DISCOVER_VIA_DNS',
  'GOSSIP_SEED',
  'INSECURE',
  'NODE_HOST_ADVERTISE_AS',
  'NODE_IP',
  'REPLICATION_HOST_ADVERTISE_AS',
  'REPLICATION_IP',
  'RUN_PROJECTIONS',
];

const isOurs = ({ build }: ComposeService): boolean => build !== undefined;

async function schemaOfCompose(): Promise<ValidateFunction> {
  const folder = dirname(createRequire(import.meta.url).resolve('dclint/package.json'));
  const { $schema: _, ...schema } = JSON.parse(
    await readFile(join(folder, 'schemas/compose.schema.json'), 'utf8'),
  ) as Record<string, unknown>;
  return new Ajv({ strict: false, validateFormats: false }).compile(schema);
}

/** `host:port` of every address in a value. */
const hostsIn = (value: string): string[] =>
  [...value.matchAll(/(?:^|[/@,])([a-z][a-z0-9-]*):\d{4,5}(?=[,/?]|$)/g)].map(([, host]) => host!);

describe('docker/', () => {
  let secrets: string;
  let environments: Map<string, Record<string, string>>;
  let validate: ValidateFunction;

  before(async () => {
    secrets = await mkdtemp(join(tmpdir(), 'secrets-'));
    execFileSync(join(DOCKER, 'make-secrets.sh'), [secrets]);
    const files = [
      [secrets, 'service.env'],
      [secrets, 'postgres.env'],
      [DOCKER, 'kafka.env'],
    ] as const;
    environments = new Map(
      await Promise.all(
        files.map(
          async ([folder, file]) =>
            [file, parseEnv(await readFile(join(folder, file), 'utf8'))] as [string, Record<string, string>],
        ),
      ),
    );
    validate = await schemaOfCompose();
  });

  after(() => rm(secrets, { recursive: true, force: true }));

  const environmentOf = (service: ComposeService): Record<string, string> => ({
    ...(service.env_file && environments.get(service.env_file)),
    ...service.environment,
  });

  it('creates secrets once, only for their owner', async () => {
    for (const file of ['service.env', 'postgres.env'])
      expect((await stat(join(secrets, file))).mode & 0o777).to.equal(0o600);
    expect(() => execFileSync(resolve(DOCKER, 'make-secrets.sh'), [secrets], { stdio: 'pipe' })).to.throw(
      /is there already/,
    );
    const { MASTER_KEY, SIGNING_KEY, DATABASE_URL } = environments.get('service.env')!;
    expect(new Set([MASTER_KEY, SIGNING_KEY, new URL(DATABASE_URL!).password]).size).to.equal(3);
    expect(DATABASE_URL).to.include(environments.get('postgres.env')!['POSTGRES_PASSWORD']);
  });

  for (const file of COMPOSE_FILES) {
    describe(file, () => {
      let compose: Compose;
      let services: [string, ComposeService][];

      before(async () => {
        compose = await readCompose(file);
        services = Object.entries(compose.services);
      });

      it('is valid by the Compose Specification', () =>
        expect(validate(compose), JSON.stringify(validate.errors)).to.equal(true));

      it('would be invalid with a mistyped key', async () => {
        const mistyped = parse((await readFile(join(DOCKER, file), 'utf8')).replace('restart:', 'restarts:'), {
          merge: true,
        }) as unknown;
        expect(validate(mistyped)).to.equal(false);
      });

      it('gives processes of the project known variables with valid values', () => {
        const ours = services.filter(([, service]) => isOurs(service));
        expect(ours).to.not.be.empty;
        for (const [name, service] of ours) {
          const environment = environmentOf(service);
          expect(VARIABLES, name).to.include.members(Object.keys(environment));
          const config = readConfig(environment);
          expect(config, name).to.deep.include({
            databaseUrl: environment['DATABASE_URL'],
            eventStoreUrl: environment['EVENTSTORE_URL'],
            otlpEndpoint: 'http://collector:4318',
          });
          expect(config.kafka?.brokers).to.deep.equal(['kafka:9092']);
        }
      });

      it('builds the image of this repository', async () => {
        for (const [name, { build, image }] of services.filter(([, service]) => isOurs(service))) {
          expect(resolve(DOCKER, build!.context), name).to.equal(resolve('.'));
          await access(join(DOCKER, build!.context, build!.dockerfile));
          expect(image).to.equal('open-transport');
        }
      });

      it('pins every other image to a release', () => {
        for (const [name, service] of services)
          if (!isOurs(service)) expect(service.image, name).to.match(/^[a-z/-]+:\d+(\.\d+)*(-[a-z]+)?$/);
        expect(compose.services['eventstore']?.image ?? compose.services['eventstore-1']?.image).to.match(/:24\.6\./);
      });

      it('names only existing hosts, files and volumes', async () => {
        const mounted: string[] = [];
        for (const [name, service] of services) {
          const hosts = Object.values(environmentOf(service))
            .flatMap(hostsIn)
            .filter((host) => host !== 'localhost');
          for (const host of hosts) expect(Object.keys(compose.services), `${name} names ${host}`).to.include(host);
          for (const volume of service.volumes ?? []) {
            const source = volume.split(':')[0]!;
            if (source.startsWith('.')) await access(join(DOCKER, source));
            else mounted.push(source);
          }
          if (service.env_file !== undefined) expect([...environments.keys()]).to.include(service.env_file);
        }
        expect(mounted.sort()).to.deep.equal(Object.keys(compose.volumes).sort());
      });

      it('waits only for services with a health check', () => {
        for (const [name, { depends_on = {} }] of services) {
          for (const [needed, { condition }] of Object.entries(depends_on)) {
            const service = compose.services[needed];
            expect(service, `${name} waits for ${needed}`).to.not.equal(undefined);
            if (condition === 'service_healthy')
              expect(service!.healthcheck !== undefined || isOurs(service!), `${needed} has a health check`).to.equal(
                true,
              );
          }
        }
      });

      it('checks the health of all but the collector, whose image has no tool for it', () => {
        const unchecked = services
          .filter(([, service]) => !service.healthcheck && !isOurs(service))
          .map(([name]) => name);
        expect(unchecked).to.deep.equal(['collector']);
      });

      it('opens ports on this machine only', () => {
        const ports = services.flatMap(([, service]) => service.ports ?? []);
        expect(ports).to.deep.equal(['127.0.0.1:8080:8080']);
      });

      it('sets options that EventStoreDB has', () => {
        const names = services
          .flatMap(([, { environment = {} }]) => Object.keys(environment))
          .filter((name) => name.startsWith('EVENTSTORE_') && name !== 'EVENTSTORE_URL');
        expect(names).to.not.be.empty;
        for (const name of names) expect(EVENTSTORE_OPTIONS).to.include(name.slice('EVENTSTORE_'.length));
      });
    });
  }

  it('clusters three connected nodes, three api, two projectors, one worker and one relay', async () => {
    const { services } = await readCompose('compose.cluster.yaml');
    const nodes = Object.keys(services).filter((name) => name.startsWith('eventstore-'));
    expect(nodes).to.have.length(3);
    for (const node of nodes) {
      const {
        EVENTSTORE_GOSSIP_SEED: seed,
        EVENTSTORE_NODE_HOST_ADVERTISE_AS: name,
        EVENTSTORE_CLUSTER_SIZE: size,
      } = services[node]!.environment!;
      expect([...hostsIn(seed!), name].sort()).to.deep.equal(nodes);
      expect([name, size]).to.deep.equal([node, '3']);
    }
    const roles = Object.values(services)
      .filter(isOurs)
      .map(({ environment, deploy }) => [environment!['ROLES'], deploy?.replicas ?? 1]);
    expect(roles).to.deep.equal([
      ['api', 3],
      ['projector', 2],
      ['worker', 1],
      ['relay', 1],
    ]);
  });

  it('has more connections than the processes of the cluster need', async () => {
    const { services } = await readCompose('compose.cluster.yaml');
    const processes = Object.values(services)
      .filter(isOurs)
      .reduce((sum, { deploy }) => sum + (deploy?.replicas ?? 1), 0);
    const most = Number(
      /^max_connections=(\d+)$/.exec(
        services['postgres']!.command!.find((word) => word.startsWith('max_connections='))!,
      )![1],
    );
    // Each process has pools of 16, 8 and 4, and one connection for migrations. A rolling restart adds two processes.
    expect(most).to.be.at.least(2 * 29 + processes * 29);
  });

  it('gives nginx the api by its name, and the collector every role', async () => {
    const nginx = await readFile(join(DOCKER, 'nginx.conf'), 'utf8');
    expect([...nginx.matchAll(/^\s*server (\S+) resolve/gm)].map(([, server]) => server)).to.deep.equal(['api:8080']);
    expect(nginx.match(/\{/g)).to.have.length(nginx.match(/\}/g)!.length);
    expect(Number(/upstream api \{[^}]*\bkeepalive_timeout (\d+)s;/.exec(nginx)![1])).to.be.below(IDLE_SECONDS);
    for (const line of nginx.split('\n')) expect(line).to.match(/^\s*(#.*|[a-z].*[;{]|\}|)$/);

    const collector = parse(await readFile(join(DOCKER, 'otel-collector.yaml'), 'utf8')) as Collector;
    for (const { receivers, processors, exporters } of Object.values(collector.service.pipelines)) {
      expect(Object.keys(collector.receivers)).to.include.members(receivers);
      expect(Object.keys(collector.processors)).to.include.members(processors);
      expect(Object.keys(collector.exporters)).to.include.members(exporters);
    }
    const scraped = collector.receivers.prometheus.config.scrape_configs.flatMap(({ dns_sd_configs }) =>
      dns_sd_configs.flatMap(({ names }) => names),
    );
    for (const file of COMPOSE_FILES) {
      const { services } = await readCompose(file);
      expect(scraped).to.include.members(Object.keys(services).filter((name) => isOurs(services[name]!)));
    }
  });
});

interface Collector {
  readonly receivers: {
    readonly prometheus: {
      readonly config: {
        readonly scrape_configs: readonly {
          readonly dns_sd_configs: readonly { readonly names: readonly string[] }[];
        }[];
      };
    };
  };
  readonly processors: Readonly<Record<string, unknown>>;
  readonly exporters: Readonly<Record<string, unknown>>;
  readonly service: {
    readonly pipelines: Readonly<
      Record<string, { readonly receivers: string[]; readonly processors: string[]; readonly exporters: string[] }>
    >;
  };
}
