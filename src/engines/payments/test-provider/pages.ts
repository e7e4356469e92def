/** The pages of the test provider: choose a card, and authenticate. They load nothing and run no script. */
import { CARDS, isCard } from './cards.js';
import { textIn, type Form } from './form.js';
import type { Ledger } from './ledger.js';
import { newIntent, type IntentItem, type SessionItem } from './objects.js';
import type { Store } from './store.js';

export interface Page {
  readonly status: number;
  readonly html?: string;
  readonly location?: string;
}

export interface PagesOptions {
  readonly store: Store;
  readonly ledger: Ledger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const NOT_FOUND: Page = { status: 404, html: page('There is no such payment.', '') };

/** Undefined: the path is no page. `form`: the body of a POST request. */
export function createPages({ store, ledger, now }: PagesOptions) {
  return (path: string, form: Form | undefined): Page | undefined => {
    const [, kind, id = ''] = path.split('/');
    if (kind === 'pay') return pay(id, form);
    if (kind === 'authenticate') return authenticate(id, form);
    return undefined;
  };

  function pay(id: string, form: Form | undefined): Page {
    const found = store.all<SessionItem>('checkout.session').find(({ item }) => item.id === id);
    if (found?.item.status !== 'open') return NOT_FOUND;
    const { account, item: session } = found;
    const card = form && textIn(form, 'card');
    if (!isCard(card)) return { status: 200, html: cardForm(session, undefined) };
    const { amount_total: amount, currency, intent_data } = session;
    const intent =
      (session.payment_intent === null ? undefined : ledger.intentOf(account, session.payment_intent)) ??
      newIntent({ amount, currency, ...intent_data }, now());
    ledger.change('payment_intent', account, intent, undefined);
    ledger.change('checkout.session', account, { ...session, payment_intent: intent.id }, undefined);
    const { status, body } = ledger.confirm(account, intent, card, session.success_url);
    if (status !== 200) return { status: 402, html: cardForm(session, 'The card was declined. Choose another one.') };
    const { next_action: next } = body as {
      readonly next_action: { readonly redirect_to_url: { url: string } } | null;
    };
    return { status: 303, location: next?.redirect_to_url.url ?? session.success_url };
  }

  function authenticate(id: string, form: Form | undefined): Page {
    const found = store.all<IntentItem>('payment_intent').find(({ item }) => item.id === id);
    if (found?.item.status !== 'requires_action') return NOT_FOUND;
    if (!form)
      return { status: 200, html: page('Authenticate', '<form method="post"><button>Authenticate</button></form>') };
    const { account, item: intent } = found;
    const next = intent['next_action'] as { readonly redirect_to_url: { readonly return_url: string | null } };
    ledger.succeed(account, intent);
    const back = next.redirect_to_url.return_url;
    return back === null ? { status: 200, html: page('The payment succeeded.', '') } : { status: 303, location: back };
  }
}

function cardForm({ amount_total, currency, intent_data: { description } }: SessionItem, note: string | undefined) {
  const cards = Object.entries(CARDS).map(([id, text]) => `<option value="${id}">${text}</option>`);
  return page(
    `Pay ${amount_total} ${currency.toUpperCase()} (smallest units)`,
    `<p>${escaped(description ?? '')}</p>${note === undefined ? '' : `<p>${note}</p>`}
    <form method="post"><label>Test card <select name="card">${cards.join('')}</select></label> <button>Pay</button></form>
    <p>Test provider: no money moves.</p>`,
  );
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Test payment</title><h1>${escaped(title)}</h1>${body}</html>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
