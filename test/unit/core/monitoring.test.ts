/** The dashboard and the alert rules use only metrics and labels that the service has. */
import { readFile } from 'node:fs/promises';
import { parser } from '@prometheus-io/lezer-promql';
import { expect } from 'chai';
import { parse } from 'yaml';
import { createJobMetrics } from '../../../src/api/areas/jobs/metrics.js';
import { createIngestMetrics, createRelayMetrics } from '../../../src/api/kafka/metrics.js';
import { createCheckFailureReporter } from '../../../src/api/areas/plans/metrics.js';
import { createMetrics } from '../../../src/api/core/metrics.js';
import { createWebhookMetrics } from '../../../src/webhooks/metrics.js';
import { Progress } from '../../../src/projections/core/progress.js';

interface Question {
  readonly where: string;
  readonly expr: string;
}

/** Names that Prometheus adds. */
const OF_PROMETHEUS = { metrics: ['up'], labels: ['job', 'instance', 'le'] };

/** Names of series and of labels; throws for invalid PromQL. */
function namesIn({ where, expr }: Question): { readonly metrics: string[]; readonly labels: string[] } {
  const metrics: string[] = [];
  const labels: string[] = [];
  parser.parse(expr).iterate({
    enter({ name, type, from, to, node }) {
      if (type.isError) throw new Error(`${where}: no PromQL at ${from}: ${expr}`);
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector') metrics.push(expr.slice(from, to));
      if (name === 'LabelName') labels.push(expr.slice(from, to));
    },
  });
  return { metrics, labels };
}

describe('monitoring', () => {
  let questions: Question[];
  const series = new Set<string>(OF_PROMETHEUS.metrics);
  const labels = new Set<string>(OF_PROMETHEUS.labels);

  before(async () => {
    const dashboard = JSON.parse(await readFile('docs/grafana-dashboard.json', 'utf8')) as {
      panels: { title: string; targets: { expr: string }[] }[];
    };
    const alerts = parse(await readFile('docs/alerts.yaml', 'utf8')) as {
      groups: { rules: { alert: string; expr: string }[] }[];
    };
    questions = [
      ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: title, expr }))),
      ...alerts.groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => ({ where: alert, expr }))),
    ];
    const { registry } = createMetrics({
      progress: new Progress(undefined as never),
      projections: [],
      lag: async () => 0,
    });
    createRelayMetrics({ registry, lag: async () => 0 });
    createIngestMetrics(registry);
    createJobMetrics(registry, async () => ({ queued: 0, running: 0 }));
    createCheckFailureReporter(registry, { error: () => undefined });
    createWebhookMetrics({ registry, backlog: async () => ({ due: 0, oldestMs: 0 }) });
    for (const metric of registry.getMetricsAsArray() as unknown as {
      name: string;
      type: string;
      labelNames?: string[];
    }[]) {
      for (const suffix of metric.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
        series.add(metric.name + suffix);
      for (const label of metric.labelNames ?? []) labels.add(label);
    }
  });

  it('queries only existing metrics', () => {
    expect(questions).to.have.length.above(20);
    for (const question of questions) {
      const names = namesIn(question);
      expect(names.metrics, question.where).to.not.be.empty;
      expect([...series], question.where).to.include.members(names.metrics);
      expect([...labels], question.where).to.include.members(names.labels);
    }
  });

  it('has an alert for every way in which the service falls behind or fails', () => {
    const queriedMetrics = new Set(
      questions.filter(({ where }) => /^[A-Z]\w+$/.test(where)).flatMap((question) => namesIn(question).metrics),
    );
    expect([...queriedMetrics]).to.include.members([
      'projection_lag_seconds',
      'follower_lag_seconds',
      'projection_failures_total',
      'projection_quarantined_streams_total',
      'relay_lag_seconds',
      'kafka_ingest_behind',
      'webhook_backlog_seconds',
      'webhook_failures_total',
      'jobs',
      'jobs_failed_total',
      'http_request_duration_seconds_count',
      'up',
    ]);
  });

  it('detects a wrong name and an invalid query', () => {
    expect(namesIn({ where: '', expr: 'sum by (projektion) (rate(nothing_total{a="b"}[5m]))' })).to.deep.equal({
      metrics: ['nothing_total'],
      labels: ['projektion', 'a'],
    });
    expect(() => namesIn({ where: 'x', expr: 'sum(rate(a[5m])' })).to.throw(/no PromQL/);
  });

  it('has panels that do not overlap', async () => {
    const { panels } = JSON.parse(await readFile('docs/grafana-dashboard.json', 'utf8')) as {
      panels: { id: number; gridPos: { x: number; y: number; w: number; h: number } }[];
    };
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)}:${y + Math.floor(n / w)}`),
    );
    expect(new Set(cells).size).to.equal(cells.length);
    expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length);
    for (const {
      gridPos: { x, w },
    } of panels)
      expect(x + w).to.be.at.most(24);
  });
});
