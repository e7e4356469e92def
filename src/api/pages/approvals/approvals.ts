/** The approvals page: sign-in, the list, one proposal, and live updates of both. See api.ts for the session. */
import { call, onSessionEnd, Problem, signedIn, signIn, signOut } from './api.js';
import { offerDecision, prepareDecision } from './decision.js';
import { showDetail } from './detail.js';
import { byId, visible } from './dom.js';
import { emptyList, focusList, markSelected, prepareList, showList } from './list.js';
import { poll, type Polling } from './poll.js';
import { forgetUsers, statusText, type Shown } from './proposal.js';
import { text, translatePage } from './texts.js';

let polling: Polling | undefined;
/** Id of the proposal in the address. */
let selected: string | undefined;
let lastStatus: string | undefined;
/** Incremented when pending responses become obsolete: by another proposal, other filters, a decision, or sign-out. */
let generation = 0;

function refresh(): Promise<void> | undefined {
  generation += 1;
  return polling?.now();
}

const showStatus = (words: string) => void (byId('status').textContent = words);
const warn = (words: string) => void (byId('alert').textContent = words);
const wanted = (): string | undefined => /^#proposal=([0-9a-f-]{36})$/.exec(location.hash)?.[1];

translatePage();
prepareList(() => void refresh());
prepareDecision({
  onStart() {
    warn('');
    showStatus(text('working'));
  },
  onDecided({ verb, shown }) {
    lastStatus = shown.proposal.status;
    showStatus(
      verb === 'reject'
        ? text('isRejected')
        : shown.proposal.status === 'executed'
          ? text('isExecuted')
          : text('changed', { status: statusText(shown.proposal.status) }),
    );
    // The buttons, one of which had the focus, are no longer displayed.
    byId('detail-title').focus();
    void refresh();
  },
  onProblem(problem) {
    showStatus('');
    warn(wordsOf(problem));
    void refresh();
  },
});
onSessionEnd(() => {
  showSignIn();
  warn(text('sessionEnded'));
});

byId('sign-in').addEventListener('submit', (event) => {
  event.preventDefault();
  void enter();
});
byId('sign-out').addEventListener('click', () => {
  void signOut().then((everywhere) => (everywhere ? showStatus(text('signedOut')) : warn(text('signedOutHere'))));
  showSignIn();
});
window.addEventListener('hashchange', () => void open(wanted()));

if (signedIn()) void start();
else showSignIn();

async function enter(): Promise<void> {
  const [email, password] = [byId<HTMLInputElement>('email'), byId<HTMLInputElement>('password')];
  const button = byId('sign-in').querySelector('button')!;
  button.disabled = true;
  warn('');
  try {
    await signIn(email.value, password.value);
    password.value = '';
    await start();
    byId('list-title').focus();
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown;
    warn(wordsOf(thrown));
    password.focus();
  } finally {
    button.disabled = false;
  }
}

function showSignIn(): void {
  polling?.stop();
  polling = undefined;
  generation += 1;
  forgetUsers();
  emptyList();
  offerDecision(undefined);
  for (const id of ['facts', 'detail-title', 'who-name', 'confirm-summary', 'status', 'alert'])
    byId(id).replaceChildren();
  document.title = text('title');
  byId('desk').hidden = byId('who').hidden = true;
  byId('sign-in').hidden = false;
  byId('email').focus();
}

async function start(): Promise<void> {
  byId('sign-in').hidden = true;
  byId('desk').hidden = byId('who').hidden = false;
  warn('');
  polling = poll(update, (problem) => (problem ? warn(wordsOf(problem)) : (warn(''), showStatus(text('online')))));
  const mine = polling;
  void call<{ user: { name: string | null; email: string | null } }>('GET', '/me').then(
    ({ user }) => void (byId('who-name').textContent = visible(user.name ?? user.email ?? '')),
    () => undefined,
  );
  await open(wanted());
  if (mine === polling && selected !== undefined) byId('detail-title').focus();
}

/** Shows a proposal, or only the list, and moves the focus to it. */
async function open(id: string | undefined): Promise<void> {
  const before = selected;
  [selected, lastStatus] = [id, undefined];
  warn('');
  byId('desk').classList.toggle('one', id !== undefined);
  byId('detail').hidden = true;
  if (before !== id) offerDecision(undefined);
  markSelected(id);
  await refresh();
  if (selected !== id || !signedIn()) return;
  if (id !== undefined) byId('detail-title').focus();
  else if (before !== undefined) focusList(before);
}

async function update(): Promise<void> {
  const [mine, id] = [generation, selected];
  const still = () => mine === generation;
  const listed = await showList(id, still);
  if (!listed) return;
  const { arrived, total, pending, fresh } = listed;
  if (fresh) showStatus(text('count', { count: total }));
  else if (arrived > 0) showStatus(text('arrived', { count: arrived }));
  document.title = pending && total > 0 ? `(${total}) ${text('title')}` : text('title');
  if (id !== undefined) await updateDetail(id, still);
}

async function updateDetail(id: string, still: () => boolean): Promise<void> {
  try {
    const shown = await call<Shown>('GET', `/proposals/${id}`);
    await showDetail(shown, still);
    if (!still()) return;
    offerDecision(shown);
    byId('detail').hidden = false;
    // Another reviewer decided first, or the proposal expired.
    if (lastStatus !== undefined && lastStatus !== shown.proposal.status)
      showStatus(text('changed', { status: statusText(shown.proposal.status) }));
    lastStatus = shown.proposal.status;
  } catch (thrown) {
    if (!(thrown instanceof Problem) || (thrown.status !== 404 && thrown.status !== 400)) throw thrown;
    if (!still()) return;
    byId('detail').hidden = true;
    byId('desk').classList.remove('one');
    warn(text('gone'));
  }
}

function wordsOf({ status, message }: Problem): string {
  return status === 0 ? text('offline') : message;
}
