/** One proposal: its exact effects as the server describes them, the proposer, and the outcome. */
import { changesView } from './changes.js';
import { byId, element, pretty, replace, visible } from './dom.js';
import { riskText, statusText, userText, type About, type Preview, type Proposal, type Shown } from './proposal.js';
import { text, when } from './texts.js';

let drawn = '';

/**
 * Shows the proposal unless it is unchanged. `stillWanted`: false if the user has opened another view while names were
 * loaded.
 */
export async function showDetail({ proposal }: Shown, stillWanted: () => boolean): Promise<void> {
  const [proposer, decider] = await Promise.all([
    userText(proposal.proposed_by.user_id),
    proposal.decision?.decided_by == null ? undefined : userText(proposal.decision.decided_by),
  ]);
  if (!stillWanted()) return;
  const { about, preview } = proposal;
  const changes = changesView(proposal);
  const facts = [
    list([
      [
        text('statusLabel'),
        element('span', { class: `status-${proposal.status}`, id: 'detail-status' }, statusText(proposal.status)),
      ],
      [text('riskLabel'), element('span', { class: `risk-${proposal.risk}` }, riskText(proposal.risk))],
      [text('tool'), visible(proposal.tool)],
      [text('expires'), proposal.status === 'pending' ? time(proposal.expires_at) : undefined],
    ]),
    ...(about ? [heading(text('about')), order(about)] : []),
    ...(changes.length > 0 ? [heading(text('changes')), ...changes] : []),
    heading(text('args')),
    proposal.arguments
      ? block('arguments', text('args'), pretty(proposal.arguments))
      : element('p', {}, text('erased')),
    ...(preview ? previewed(preview) : []),
    heading(text('reason')),
    ...reasoned(proposal.reason),
    ...became(proposal, decider),
    heading(text('askedBy')),
    origin(proposal, proposer),
  ];
  const now = facts.map((one) => one.textContent).join('\n');
  byId('detail-title').textContent = visible(proposal.summary);
  if (now !== drawn || byId('facts').childElementCount === 0) replace(byId('facts'), facts);
  drawn = now;
}

const heading = (words: string) => element('h3', {}, words);
const time = (instant: string) => element('time', { datetime: instant }, when(instant));

/** Long content scrolls, also with the keyboard. */
const block = (id: string, label: string, content: string) =>
  element('pre', { id, tabindex: '0', role: 'region', 'aria-label': label }, content);

function list(rows: readonly (readonly [string, Node | string | undefined])[]): HTMLElement {
  return element(
    'dl',
    {},
    ...rows.flatMap(([name, value]) =>
      value === undefined ? [] : [element('dt', {}, name), element('dd', { class: 'agent' }, value)],
    ),
  );
}

/** Data by which people recognise an order: the arguments contain only its id. */
const order = ({ order_id, order_ref, status, schedule_date, recipient }: About) =>
  list([
    [text('orderId'), String(order_id)],
    [text('orderRef'), order_ref === null ? undefined : visible(order_ref)],
    [text('orderStatus'), status],
    [text('recipient'), recipient === null ? undefined : visible(recipient)],
    [text('scheduled'), schedule_date ?? undefined],
  ]);

function previewed({ would_append, error }: Preview): HTMLElement[] {
  const title = heading(text('preview'));
  if (error !== null) return [title, element('p', { class: 'status-failed' }, text('wouldFail', { code: error }))];
  if (would_append.length === 0) return [title, element('p', {}, text('nothing'))];
  return [
    title,
    element('p', { class: 'note' }, text('previewNote')),
    ...would_append.flatMap(({ stream, type, data }, index) => [
      element('h4', { class: 'agent' }, `${type} ${text('onStream', { stream: visible(stream) })}`),
      block(`preview-${index}`, type, pretty(data)),
    ]),
  ];
}

function reasoned(reason: string | null): HTMLElement[] {
  if (reason === null) return [element('p', {}, text('noReason'))];
  return [
    element('p', { class: 'note' }, text('reasonNote')),
    element('blockquote', { id: 'reason', class: 'agent', tabindex: '0' }, visible(reason)),
  ];
}

function origin(
  { id, proposed_by, source, created_at, required_scopes, operation, arguments_hash }: Proposal,
  proposer: string,
): HTMLElement {
  const { channel, client, profile, token_id, token_name } = proposed_by;
  return list([
    [text('askedBy'), proposer],
    [text('tokenName'), token_name === null ? undefined : visible(token_name)],
    [text('through'), channel],
    [text('client'), client === null ? undefined : element('q', { id: 'client' }, visible(client))],
    [text('profile'), profile === null ? undefined : visible(profile)],
    [text('token'), token_id],
    [text('asked'), source === 'header' ? text('askedByHeader') : text('askedInWords')],
    [text('created'), time(created_at)],
    [text('scopes'), required_scopes.join(', ')],
    [text('operation'), operation],
    [text('id'), id],
    [text('hash'), arguments_hash],
  ]);
}

function became({ decision, execution }: Proposal, decider: string | undefined): HTMLElement[] {
  if (!decision && !execution) return [];
  const { finished_at = null, error = null, reason = null, response = null } = execution ?? {};
  return [
    heading(text('outcome')),
    list([
      [text('decidedBy'), decider],
      [text('through'), decision?.channel ?? undefined],
      [text('decidedAt'), decision ? time(decision.decided_at) : undefined],
      [
        text('said'),
        decision?.comment == null ? undefined : element('span', { id: 'said' }, visible(decision.comment)),
      ],
      [text('finished'), finished_at === null ? undefined : time(finished_at)],
      [
        text('error'),
        error === null ? undefined : visible(reason === null || reason === error ? error : `${error}: ${reason}`),
      ],
    ]),
    ...(response === null
      ? []
      : [element('h4', {}, text('answer')), block('answer', text('answer'), pretty(response))]),
  ];
}
