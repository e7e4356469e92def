/** The operations of the protocol that the test provider has. */
import { isCard } from './cards.js';
import { amountTooSmall, failed, invalidAmount, missing, ok, type Reply } from './errors.js';
import { formIn, textIn, textsIn, type Form } from './form.js';
import type { Ledger } from './ledger.js';
import { newEndpoint, newIntent, newSession, type IntentItem, type SessionItem } from './objects.js';
import { randomBytes } from 'node:crypto';
import type { Item, Kind, Store } from './store.js';

export interface RoutesOptions {
  readonly store: Store;
  readonly ledger: Ledger;
  readonly url: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface ProtocolRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** The members of the body, or of the query of a GET request. */
  readonly form: Form;
  /** The secret key: each key is an account. */
  readonly account: string;
}

const LISTS: Readonly<Record<string, Kind>> = {
  payment_intents: 'payment_intent',
  'checkout/sessions': 'checkout.session',
  refunds: 'refund',
  disputes: 'dispute',
  events: 'event',
};
/** Limits of an amount, in the smallest units of any currency. */
const MIN_AMOUNT = 30;
const MAX_AMOUNT = 99_999_999;
const PATH =
  /^\/v1\/(payment_intents|checkout\/sessions|refunds|disputes|events|webhook_endpoints)(?:\/([^/]+))?(?:\/([a-z]+))?$/;

export function createRoutes({ store, ledger, url, now }: RoutesOptions) {
  return (request: ProtocolRequest): Reply => {
    const { method, path, form, account } = request;
    const [, list = '', id, action] = PATH.exec(path) ?? [];
    const route = `${method} ${list}${id === undefined ? '' : '/id'}${action === undefined ? '' : `/${action}`}`;
    switch (route) {
      case 'POST payment_intents':
        return createIntent(account, form);
      case 'POST payment_intents/id/confirm':
        return confirmIntent(account, id!, form);
      case 'POST payment_intents/id/cancel':
        return ledger.cancel(account, id!, textIn(form, 'cancellation_reason') ?? null);
      case 'POST checkout/sessions':
        return createSession(account, form);
      case 'POST checkout/sessions/id/expire':
        return expireSession(account, id!);
      case 'POST refunds':
        return ledger.refund(account, textIn(form, 'payment_intent') ?? '', {
          amount: form['amount'] === undefined ? undefined : (amountIn(form, 'amount') ?? Number.NaN),
          metadata: textsIn(formIn(form, 'metadata')),
          reason: textIn(form, 'reason') ?? null,
        });
      case 'POST disputes/id':
        return ledger.decideDispute(account, id!, textIn(formIn(form, 'evidence'), 'uncategorized_text'));
      case 'POST webhook_endpoints':
        return createEndpoint(account, form);
    }
    const kind = LISTS[list];
    if (method !== 'GET' || kind === undefined || action !== undefined)
      return failed(404, { message: `Unrecognized request URL (${method}: ${path}).` });
    if (id === undefined) return listed(kind, account, form);
    const item = store.get(kind, account, id);
    return item ? ok(shown(item, account, form)) : missing(kind, id);
  };

  function createIntent(account: string, form: Form): Reply {
    const amount = amountIn(form, 'amount');
    if (amount === undefined) return invalidAmount();
    const currency = currencyIn(form);
    if (currency === undefined) return invalidCurrency();
    if (amount < MIN_AMOUNT) return amountTooSmall();
    const metadata = textsIn(formIn(form, 'metadata'));
    const description = textIn(form, 'description') ?? null;
    const intent = newIntent({ amount, currency, metadata, description }, now());
    return ok(ledger.change('payment_intent', account, intent, 'payment_intent.created'));
  }

  function confirmIntent(account: string, id: string, form: Form): Reply {
    const intent = ledger.intentOf(account, id);
    if (!intent) return missing('payment_intent', id);
    const card = textIn(form, 'payment_method');
    if (!isCard(card)) return missing('PaymentMethod', card ?? '');
    return ledger.confirm(account, intent, card, textIn(form, 'return_url') ?? null);
  }

  function createSession(account: string, form: Form): Reply {
    const lines = Object.values(formIn(form, 'line_items')).map((line) => (typeof line === 'string' ? {} : line));
    const prices = lines.map((line) => formIn(line, 'price_data'));
    const amounts = prices.map((price, index) => {
      const unit = amountIn(price, 'unit_amount');
      return unit === undefined ? undefined : unit * Number(textIn(lines[index]!, 'quantity') ?? '1');
    });
    if (amounts.length === 0 || amounts.includes(undefined)) return invalidAmount();
    const currency = currencyIn(prices[0]!);
    if (currency === undefined) return invalidCurrency();
    const successUrl = textIn(form, 'success_url');
    if (successUrl === undefined || !URL.canParse(successUrl))
      return failed(400, { code: 'url_invalid', message: 'Not a valid URL', param: 'success_url' });
    const intentData = formIn(form, 'payment_intent_data');
    const session = newSession(
      {
        amount: amounts.reduce<number>((total, one) => total + one!, 0),
        currency,
        metadata: textsIn(formIn(form, 'metadata')),
        successUrl,
        cancelUrl: textIn(form, 'cancel_url') ?? successUrl,
        intentData: {
          metadata: textsIn(formIn(intentData, 'metadata')),
          description: textIn(intentData, 'description') ?? null,
        },
      },
      url(),
      now(),
    );
    return ok(shown(ledger.change('checkout.session', account, session, undefined), account, {}));
  }

  function expireSession(account: string, id: string): Reply {
    const session = store.get<SessionItem>('checkout.session', account, id);
    if (!session) return missing('checkout.session', id);
    if (session.status !== 'open')
      return failed(400, { message: 'Only Checkout Sessions with a status in ["open"] can be expired.' });
    const ended = { ...session, status: 'expired', url: null };
    return ok(shown(ledger.change('checkout.session', account, ended, 'checkout.session.expired'), account, {}));
  }

  function createEndpoint(account: string, form: Form): Reply {
    const address = textIn(form, 'url');
    if (address === undefined || !URL.canParse(address))
      return failed(400, { code: 'url_invalid', message: 'Invalid URL', param: 'url' });
    const secret = `whsec_${randomBytes(24).toString('hex')}`;
    const events = Object.values(textsIn(formIn(form, 'enabled_events')));
    const endpoint = newEndpoint(address, events, secret, now());
    store.put('webhook_endpoint', account, endpoint);
    return ok(endpoint);
  }

  /** Newest first, as the protocol has it. */
  function listed(kind: Kind, account: string, form: Form): Reply {
    const created = formIn(form, 'created');
    const [from, to] = [Number(textIn(created, 'gte') ?? '0'), Number(textIn(created, 'lte') ?? 'Infinity')];
    const intent = textIn(form, 'payment_intent');
    const all = store
      .list<Item & { readonly created: number; readonly payment_intent?: unknown }>(kind, account)
      .filter((one) => one.created >= from && one.created <= to)
      .filter((one) => intent === undefined || one.payment_intent === intent)
      .reverse();
    const after = textIn(form, 'starting_after');
    const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const limit = Math.min(Math.max(Number(textIn(form, 'limit') ?? '10'), 1), 100);
    const page = all.slice(start, start + limit);
    return ok({
      object: 'list',
      data: page.map((item) => shown(item, account, {})),
      has_more: start + limit < all.length,
      url: `/v1/${Object.keys(LISTS).find((name) => LISTS[name] === kind)}`,
    });
  }

  /** Without members of the provider itself, and with the object that the request expands. */
  function shown(item: Item, account: string, form: Form): Item {
    const { intent_data: _data, isSent: _sent, ...object } = item;
    const expanded = Object.values(textsIn(formIn(form, 'expand')));
    const intent = object['payment_intent'];
    if (!expanded.includes('payment_intent') || typeof intent !== 'string') return object as Item;
    return { ...object, payment_intent: store.get<IntentItem>('payment_intent', account, intent) } as unknown as Item;
  }
}

/** A whole number above zero; undefined: something else. */
function amountIn(form: Form, name: string): number | undefined {
  const text = textIn(form, name) ?? '';
  const amount = Number(text);
  return /^\d{1,8}$/.test(text) && amount > 0 && amount <= MAX_AMOUNT ? amount : undefined;
}

const currencyIn = (form: Form): string | undefined => /^[a-z]{3}$/.exec(textIn(form, 'currency') ?? '')?.[0];
const invalidCurrency = (): Reply => failed(400, { message: 'Invalid currency.', param: 'currency' });
