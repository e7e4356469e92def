/** The operations as definitions alone, for what describes them without a service: none of them can be run. */
import { FORMATS } from '../../serializers/index.js';
import { agents } from './agents/operations.js';
import { approvals, type ApprovalsOptions } from './approvals/operations.js';
import type { Operation } from '../core/operation.js';
import { createOperations, type OperationsOptions } from './operations.js';

/** Stands for whatever an operation needs once it runs. */
const NOTHING: unknown = new Proxy(() => NOTHING, {
  get: (_target, name) => (typeof name === 'symbol' ? undefined : NOTHING),
});

export function describeOperations(): Operation[] {
  const made = {
    formats: FORMATS,
    approvals: approvals(NOTHING as ApprovalsOptions).operations,
    agents: agents({ baseUrl: () => '', version: '', now: () => 0, operations: () => [], graphql: true }).operations,
  };
  const options = new Proxy(made as unknown as OperationsOptions, {
    get: (given, name) => Reflect.get(given, name) ?? NOTHING,
  });
  return createOperations(options);
}
