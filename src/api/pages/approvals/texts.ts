/** Texts of the page. The server describes proposals in English; its errors are in the browser's language. */
const en = {
  title: 'Approvals',
  signOut: 'Sign out',
  signInTitle: 'Sign in to review',
  email: 'E-mail address',
  password: 'Password',
  signIn: 'Sign in',
  proposals: 'Proposals',
  filters: 'Filters',
  filterOwner: 'Proposed by',
  everybody: 'Everybody',
  me: 'Me',
  statusLabel: 'Status',
  riskLabel: 'Risk',
  tool: 'Tool',
  none: 'No proposals.',
  any: 'All',
  pages: 'Pages',
  previous: 'Previous',
  next: 'Next',
  page: 'Page {page} of {pages}',
  back: 'Back to the list',
  decision: 'Decision',
  comment: 'Comment for the proposer and the audit trail (optional)',
  approve: 'Approve',
  approveHigh: 'Approve…',
  reject: 'Reject',
  lookOnly: 'You can read this proposal, but not decide on it.',
  confirmTitle: 'Execute a high-risk write?',
  confirmText: 'It is executed immediately, in your name, exactly as shown:',
  cancel: 'Cancel',
  confirmYes: 'Approve and execute',
  pending: 'waiting',
  approved: 'being executed',
  executed: 'executed',
  failed: 'failed',
  rejected: 'rejected',
  expired: 'expired',
  low: 'low',
  medium: 'medium',
  high: 'high',
  risk: '{risk} risk',
  askedBy: 'Proposed by',
  user: 'user {id}',
  through: 'Through',
  token: 'Token',
  profile: 'Profile',
  client: 'Client calls itself',
  asked: 'Created',
  askedInWords: 'as a proposal',
  askedByHeader: 'queued, because the connection requires approval',
  created: 'Proposed',
  expires: 'Expires',
  scopes: 'Required scopes',
  operation: 'Operation',
  id: 'Proposal',
  hash: 'SHA-256 of the call',
  reason: 'Reason given',
  reasonNote: 'Written by the proposer, not verified.',
  noReason: 'No reason was given.',
  about: 'Current state of the order',
  orderId: 'Order',
  orderRef: 'Reference',
  orderStatus: 'Status',
  recipient: 'Recipient',
  scheduled: 'Scheduled',
  args: 'Exact arguments',
  erased: 'The arguments were erased.',
  preview: 'Effects on the current state',
  previewNote: 'A dry run with the current state: these events would be recorded.',
  nothing: 'Nothing would change.',
  onStream: 'on {stream}',
  wouldFail: 'In the current state it would be rejected: {code}.',
  outcome: 'Outcome',
  decidedBy: 'Decided by',
  decidedAt: 'Decided',
  said: 'Comment',
  finished: 'Finished',
  error: 'Error',
  answer: 'Response',
  count: 'Proposals: {count}',
  arrived: 'New proposals: {count}',
  isExecuted: 'Approved and executed.',
  isRejected: 'Rejected. Nothing was executed.',
  working: 'Working…',
  changed: 'This proposal is now: {status}.',
  sessionEnded: 'Your session has ended. Please sign in again.',
  offline: 'No response from the server. Retrying…',
  online: 'Connected again.',
  signedOut: 'Signed out.',
  signedOutHere: 'Signed out of this tab. The server could not be reached: the session expires within 24 hours.',
  gone: 'This proposal does not exist.',
};

export type Texts = Readonly<typeof en>;
export type TextName = keyof Texts;

const de: Texts = {
  title: 'Freigaben',
  signOut: 'Abmelden',
  signInTitle: 'Zum Prüfen anmelden',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  signIn: 'Anmelden',
  proposals: 'Vorschläge',
  filters: 'Filter',
  filterOwner: 'Vorgeschlagen von',
  everybody: 'Allen',
  me: 'Mir',
  statusLabel: 'Status',
  riskLabel: 'Risiko',
  tool: 'Werkzeug',
  none: 'Keine Vorschläge.',
  any: 'Alle',
  pages: 'Seiten',
  previous: 'Zurück',
  next: 'Weiter',
  page: 'Seite {page} von {pages}',
  back: 'Zurück zur Liste',
  decision: 'Entscheidung',
  comment: 'Kommentar für den Vorschlagenden und das Protokoll (freiwillig)',
  approve: 'Freigeben',
  approveHigh: 'Freigeben…',
  reject: 'Ablehnen',
  lookOnly: 'Sie dürfen diesen Vorschlag lesen, aber nicht darüber entscheiden.',
  confirmTitle: 'Änderung mit hohem Risiko ausführen?',
  confirmText: 'Sie wird sofort, in Ihrem Namen und genau wie gezeigt ausgeführt:',
  cancel: 'Abbrechen',
  confirmYes: 'Freigeben und ausführen',
  pending: 'wartet',
  approved: 'wird ausgeführt',
  executed: 'ausgeführt',
  failed: 'fehlgeschlagen',
  rejected: 'abgelehnt',
  expired: 'abgelaufen',
  low: 'niedrig',
  medium: 'mittel',
  high: 'hoch',
  risk: 'Risiko {risk}',
  askedBy: 'Vorgeschlagen von',
  user: 'Benutzer {id}',
  through: 'Über',
  token: 'Token',
  profile: 'Profil',
  client: 'Client nennt sich',
  asked: 'Erstellt',
  askedInWords: 'als Vorschlag',
  askedByHeader: 'eingereiht, weil die Verbindung Freigaben verlangt',
  created: 'Vorgeschlagen',
  expires: 'Läuft ab',
  scopes: 'Benötigte Rechte',
  operation: 'Operation',
  id: 'Vorschlag',
  hash: 'SHA-256 des Aufrufs',
  reason: 'Angegebener Grund',
  reasonNote: 'Vom Vorschlagenden geschrieben, nicht geprüft.',
  noReason: 'Es wurde kein Grund angegeben.',
  about: 'Aktueller Stand des Auftrags',
  orderId: 'Auftrag',
  orderRef: 'Referenz',
  orderStatus: 'Status',
  recipient: 'Empfänger',
  scheduled: 'Geplant für',
  args: 'Genaue Argumente',
  erased: 'Die Argumente wurden gelöscht.',
  preview: 'Auswirkungen beim aktuellen Stand',
  previewNote: 'Ein Probelauf mit dem aktuellen Stand: Diese Ereignisse würden aufgezeichnet.',
  nothing: 'Nichts würde sich ändern.',
  onStream: 'auf {stream}',
  wouldFail: 'Beim aktuellen Stand würde es abgelehnt: {code}.',
  outcome: 'Ergebnis',
  decidedBy: 'Entschieden von',
  decidedAt: 'Entschieden',
  said: 'Kommentar',
  finished: 'Beendet',
  error: 'Fehler',
  answer: 'Antwort',
  count: 'Vorschläge: {count}',
  arrived: 'Neue Vorschläge: {count}',
  isExecuted: 'Freigegeben und ausgeführt.',
  isRejected: 'Abgelehnt. Es wurde nichts ausgeführt.',
  working: 'In Arbeit…',
  changed: 'Dieser Vorschlag ist jetzt: {status}.',
  sessionEnded: 'Ihre Sitzung ist beendet. Bitte melden Sie sich wieder an.',
  offline: 'Keine Antwort vom Server. Neuer Versuch…',
  online: 'Wieder verbunden.',
  signedOut: 'Abgemeldet.',
  signedOutHere:
    'Von diesem Tab abgemeldet. Der Server war nicht erreichbar: Die Sitzung läuft innerhalb von 24 Stunden ab.',
  gone: 'Diesen Vorschlag gibt es nicht.',
};

const CATALOGUES: Readonly<Record<string, Texts>> = { en, de };

/** The first of the browser's languages that has texts; otherwise English. */
export const language =
  navigator.languages.map((tag) => tag.split('-')[0]!.toLowerCase()).find((name) => Object.hasOwn(CATALOGUES, name)) ??
  'en';

export const text = (name: TextName, params: Readonly<Record<string, string | number>> = {}): string =>
  CATALOGUES[language]![name].replace(/\{(\w+)\}/g, (_place, key: string) => String(params[key] ?? ''));

/** Inserts the texts into index.html: `data-text` names the content, `data-label` the accessible name. */
export function translatePage(): void {
  document.documentElement.lang = language;
  document.title = text('title');
  for (const one of document.querySelectorAll<HTMLElement>('[data-text]'))
    one.textContent = text(one.dataset['text'] as TextName);
  for (const one of document.querySelectorAll<HTMLElement>('[data-label]'))
    one.setAttribute('aria-label', text(one.dataset['label'] as TextName));
}

const absolute = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });

/** An instant (RFC 3339) in the browser's timezone, with the distance from now. */
export function when(instant: string, now = Date.now()): string {
  const millis = Date.parse(instant);
  const minutes = Math.round((millis - now) / 60_000);
  const away =
    Math.abs(minutes) < 60
      ? relative.format(minutes, 'minute')
      : Math.abs(minutes) < 48 * 60
        ? relative.format(Math.round(minutes / 60), 'hour')
        : relative.format(Math.round(minutes / 1_440), 'day');
  return `${absolute.format(millis)} (${away})`;
}
