/** Documents: every PDF that the service creates is registered by its fingerprint. */
import { createIssue } from '../api/core/printing/issue.js';
import { gatherAppends } from '../commands/core/gather-appends.js';
import { documents as decider, links } from '../commands/documents/decider.js';
import { DOCUMENT_EVENTS, DOCUMENT_PREFIX, LINK_EVENTS, LINK_PREFIX } from '../events/documents/events.js';
import { area } from './area.js';

export const documents = area({
  name: 'documents',
  streams: [
    { prefix: DOCUMENT_PREFIX, events: DOCUMENT_EVENTS, tenant: 'business' },
    { prefix: LINK_PREFIX, events: LINK_EVENTS, tenant: 'business', erasure: 'otherwise' },
  ],
  services({ handle, engines: { log, keyRing, secretFor } }) {
    const together = { log: gatherAppends(log) };
    return createIssue({
      documents: handle(decider, together),
      links: handle(links, together),
      keyRing,
      secret: secretFor('documents'),
    });
  },
});
