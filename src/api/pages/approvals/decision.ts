/** Approving and rejecting. A high-risk write requires a second step in a dialog that describes the write. */
import { call, Problem, randomKey } from './api.js';
import { byId, visible } from './dom.js';
import type { Shown } from './proposal.js';
import { text } from './texts.js';

export interface Decided {
  readonly verb: 'approve' | 'reject';
  readonly shown: Shown;
}

const form = byId<HTMLFormElement>('decision');
const comment = byId<HTMLTextAreaElement>('comment');
const approve = byId<HTMLButtonElement>('approve');
const reject = byId<HTMLButtonElement>('reject');
const dialog = byId<HTMLDialogElement>('confirm');

let current: Shown | undefined;
let busy = false;
/** Keys of writes without a response: a retry after a lost connection is the same write, not a second one. */
const keys = new Map<string, string>();

export interface DecisionOptions {
  readonly onStart: () => void;
  readonly onDecided: (decided: Decided) => void;
  readonly onProblem: (problem: Problem) => void;
}

export function prepareDecision(options: DecisionOptions): void {
  form.addEventListener('submit', (event) => event.preventDefault());
  reject.addEventListener('click', () => void decide('reject', options));
  approve.addEventListener('click', () => {
    if (current?.proposal.risk !== 'high') return void decide('approve', options);
    byId('confirm-summary').textContent = visible(current.proposal.summary);
    dialog.showModal();
  });
  byId('confirm-no').addEventListener('click', () => dialog.close());
  byId('confirm-yes').addEventListener('click', (event) => {
    // The second click of a double click on the first button does not count as the second step.
    if (event.detail > 1) return;
    dialog.close();
    void decide('approve', options);
  });
}

/** Shows the decisions that the user may make. A typed comment stays while the proposal is the same. */
export function offerDecision(shown: Shown | undefined): void {
  if (shown?.proposal.id !== current?.proposal.id) comment.value = '';
  current = shown;
  const pending = shown?.proposal.status === 'pending';
  form.hidden = !pending || shown.proposal.preview === undefined;
  byId('look-only').hidden = !pending || shown.proposal.preview !== undefined;
  const refusal = shown?.proposal.preview?.error ?? null;
  approve.textContent = text(shown?.proposal.risk === 'high' ? 'approveHigh' : 'approve');
  approve.disabled = busy || refusal !== null;
  reject.disabled = busy;
  if (form.hidden || approve.disabled) dialog.close();
  byId('cannot').hidden = refusal === null;
  byId('cannot').textContent = refusal === null ? '' : text('wouldFail', { code: refusal });
}

async function decide(verb: Decided['verb'], { onStart, onDecided, onProblem }: DecisionOptions): Promise<void> {
  if (!current || busy) return;
  const commentText = comment.value.trim();
  const path = `/proposals/${current.proposal.id}/${verb}`;
  const write = `${path} ${commentText}`;
  const key = keys.get(write) ?? randomKey();
  keys.set(write, key);
  setBusy(true);
  onStart();
  try {
    const shown = await call<Shown>('POST', path, {
      body: commentText === '' ? {} : { comment: commentText },
      idempotencyKey: key,
    });
    keys.delete(write);
    setBusy(false);
    onDecided({ verb, shown });
  } catch (thrown) {
    setBusy(false);
    if (!(thrown instanceof Problem)) throw thrown;
    // Only a response shows whether the write took effect; until then the key is kept for a retry.
    if (thrown.status > 0 && thrown.status < 500 && thrown.code !== 'IDEMPOTENCY_IN_FLIGHT') keys.delete(write);
    onProblem(thrown);
  }
}

function setBusy(now: boolean): void {
  busy = now;
  offerDecision(current);
}
