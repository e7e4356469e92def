/** The list of proposals with its filters and pages. */
import { call } from './api.js';
import { mainChange } from './changes.js';
import { byId, element, replace, visible } from './dom.js';
import { riskText, RISKS, STATUSES, statusText, type Proposal } from './proposal.js';
import { text, when } from './texts.js';

const PER_PAGE = 20;
/**
 * Changes are loaded again after this time, or if the list has other proposals. The service reads each order for them,
 * so not every poll loads them.
 */
const CHANGES_EVERY_MS = 60_000;

interface Page {
  readonly total: number;
  readonly proposals: readonly Proposal[];
}

export const hashOf = (id: string): string => `#proposal=${id}`;
const linkOf = (id: string): string => `proposal-${id}`;

let page = 1;
let asked = '';
/** Ids of all proposals in the responses to the same query so far. */
let seen: ReadonlySet<string> | undefined;
/** The latest list with changes, and when it was loaded. */
let loaded: { readonly at: number; readonly proposals: readonly Proposal[] } = { at: 0, proposals: [] };

const owner = byId<HTMLSelectElement>('filter-owner');
const status = byId<HTMLSelectElement>('filter-status');
const risk = byId<HTMLSelectElement>('filter-risk');
const tool = byId<HTMLInputElement>('filter-tool');

/** Fills the filters; `changed` is called when the user selects another filter or page. */
export function prepareList(changed: () => void): void {
  status.append(
    ...STATUSES.map((value) => element('option', { value }, statusText(value))),
    element('option', { value: 'all' }, text('any')),
  );
  risk.append(
    element('option', { value: '' }, text('any')),
    ...RISKS.map((value) => element('option', { value }, text(value))),
  );
  const turn = (to: number) => {
    page = to;
    changed();
  };
  for (const control of [owner, status, risk, tool]) control.addEventListener('change', () => turn(1));
  byId('filters').addEventListener('submit', (event) => event.preventDefault());
  byId('previous').addEventListener('click', () => turn(page - 1));
  byId('next').addEventListener('click', () => turn(page + 1));
}

export interface Listed {
  readonly total: number;
  /** Number of new proposals since the previous response to the same query. */
  readonly arrived: number;
  /** Whether the query differs from the previous one. */
  readonly fresh: boolean;
  /** Whether the list contains pending proposals. */
  readonly pending: boolean;
}

/**
 * Loads the list and displays it. `stillWanted`: false if the user has left or changed the query before the response.
 */
export async function showList(selected: string | undefined, stillWanted: () => boolean): Promise<Listed | undefined> {
  const query = new URLSearchParams({
    mine_only: owner.value,
    status: status.value,
    page: String(page),
    per_page: String(PER_PAGE),
    sort: status.value === 'pending' ? 'expires_at' : '-created_at',
    ...(risk.value !== '' && { risk: risk.value }),
    ...(tool.value.trim() !== '' && { tool: tool.value.trim() }),
  }).toString();
  const fresh = query !== asked;
  const isLoaded = !fresh && Date.now() - loaded.at < CHANGES_EVERY_MS;
  let found = isLoaded ? withLoaded(await call<Page>('GET', `/proposals?${query}`)) : undefined;
  if (!found) {
    found = await call<Page>('GET', `/proposals?${query}&include_changes=true`);
    if (stillWanted()) loaded = { at: Date.now(), proposals: found.proposals };
  }
  if (!stillWanted()) return undefined;
  const before = fresh ? undefined : seen;
  [asked, seen] = [query, new Set([...(before ?? []), ...found.proposals.map(({ id }) => id)])];
  draw(found, selected);
  return {
    arrived: before ? found.proposals.filter(({ id }) => !before.has(id)).length : 0,
    total: found.total,
    pending: status.value === 'pending',
    fresh,
  };
}

/** The list with the changes that are loaded; undefined if it has other proposals than these. */
function withLoaded(found: Page): Page | undefined {
  const proposals = found.proposals.flatMap((proposal, at) => {
    const known = loaded.proposals[at];
    return known?.id === proposal.id && known.status === proposal.status ? [{ ...known, ...proposal }] : [];
  });
  const isSame = proposals.length === found.proposals.length && proposals.length === loaded.proposals.length;
  return isSame ? { ...found, proposals } : undefined;
}

/** Marks the displayed proposal. */
export function markSelected(selected: string | undefined): void {
  for (const link of byId('proposals').querySelectorAll('a')) {
    if (selected !== undefined && link.id === linkOf(selected)) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

/** Moves the focus to the list entry that the user opened. */
export function focusList(id: string | undefined): void {
  (document.getElementById(linkOf(id ?? '')) ?? byId('list-title')).focus();
}

export function emptyList(): void {
  byId('proposals').replaceChildren();
  [asked, seen, drawn, page] = ['', undefined, '', 1];
  loaded = { at: 0, proposals: [] };
}

let drawn = '';

function draw({ total, proposals }: Page, selected: string | undefined): void {
  const items = proposals.map((proposal) => {
    const { id, summary, tool, status, risk, created_at, expires_at, proposed_by } = proposal;
    const change = mainChange(proposal);
    const isPending = status === 'pending';
    const instant = isPending ? expires_at : created_at;
    return element(
      'li',
      {},
      element(
        'a',
        { id: linkOf(id), href: hashOf(id) },
        element('span', { class: 'what agent' }, visible(summary)),
        change === undefined ? undefined : element('span', { class: 'change agent' }, change),
        element(
          'span',
          { class: 'meta' },
          element('span', { class: `risk-${risk}` }, riskText(risk)),
          element('span', { class: `status-${status}` }, statusText(status)),
          element('span', {}, visible(tool)),
          proposed_by.token_name === null ? undefined : element('span', {}, visible(proposed_by.token_name)),
          element('time', { datetime: instant }, isPending ? text('expiresAt', { at: when(instant) }) : when(instant)),
        ),
      ),
    );
  });
  // The list is not redrawn if nothing has changed, so that nothing moves while the user reads.
  const now = items.map((item) => item.textContent).join('\n') + proposals.map(({ id }) => id).join();
  if (now !== drawn) replace(byId('proposals'), items);
  drawn = now;
  markSelected(selected);
  byId('none').hidden = total > 0;
  const pages = Math.max(1, Math.ceil(total / PER_PAGE));
  byId('pages').hidden = pages === 1 && page === 1;
  byId('page').textContent = text('page', { page, pages });
  byId<HTMLButtonElement>('previous').disabled = page <= 1;
  byId<HTMLButtonElement>('next').disabled = page >= pages;
}
