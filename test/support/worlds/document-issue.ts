/** Issues documents like the service, over a log in memory, for tests of printed output. */
import { randomBytes } from 'node:crypto';
import type { UserCaller } from '../../../src/api/core/callers.js';
import { createIssue, type Issue, type IssueOptions } from '../../../src/api/core/printing/issue.js';
import { gatherAppends } from '../../../src/commands/core/gather-appends.js';
import { createHandler } from '../../../src/commands/core/handler.js';
import { documents, links } from '../../../src/commands/documents/decider.js';
import { EVENT_TYPES } from '../../../src/areas/index.js';
import type { KeyRing } from '../../../src/events/core/codec.js';
import type { EventLog } from '../../../src/events/core/log.js';

/** The caller and its context. */
export const CALL = {
  caller: {
    role: 'employee',
    userId: 7,
    businessId: 3,
    scopes: new Set(),
    modules: new Set(),
  } as unknown as UserCaller,
  cause: { correlationId: 'a request', actor: { kind: 'user', id: '7', token: 'a token' }, channel: 'rest' },
} as const;

/** A key ring in memory. Keys exist or are created until they are destroyed. */
export function keysInMemory(): KeyRing & { destroy(subject: string): void } {
  const keys = new Map<string, Buffer | undefined>();
  const existing: KeyRing['existing'] = (subjects) =>
    Promise.resolve(new Map(subjects.flatMap((subject) => (keys.get(subject) ? [[subject, keys.get(subject)!]] : []))));
  return {
    existing,
    keysFor(subjects) {
      for (const subject of subjects) if (!keys.has(subject)) keys.set(subject, randomBytes(32));
      return existing(subjects);
    },
    destroy: (subject) => void keys.set(subject, undefined),
  };
}

export function createTestIssue(
  log: EventLog,
  options: Partial<Pick<IssueOptions, 'secret' | 'cacheSize'>> & { readonly keyRing?: KeyRing } = {},
): Issue {
  const { keyRing = keysInMemory(), ...rest } = options;
  const handling = { log: gatherAppends(log), keyRing, types: EVENT_TYPES, now: () => 0 };
  return createIssue({
    documents: createHandler({ decider: documents, ...handling }),
    links: createHandler({ decider: links, ...handling }),
    keyRing,
    secret: Buffer.alloc(32, 1),
    ...rest,
  });
}
