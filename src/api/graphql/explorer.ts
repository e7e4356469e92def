/**
 * A page to try queries on, for development: it is self-contained, nothing is fetched from elsewhere, and its script
 * is in a file of its own.
 */
import express, { type RequestHandler, type Router } from 'express';

const STYLE = `
:root { color-scheme: light dark; font: 15px/1.45 system-ui, sans-serif }
body { max-width: 80rem; margin: 0 auto; padding: 1rem }
label { display: block; font-weight: 600; margin: .6rem 0 .2rem }
textarea, input, pre { width: 100%; box-sizing: border-box; font: 13px/1.45 ui-monospace, monospace; padding: .5rem; border: 1px solid #8886; border-radius: .3rem }
main { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 1rem } main > * { min-width: 0 } pre { overflow: auto; margin: 0; min-height: 20rem }
button { font: inherit; padding: .3rem 1rem; margin: .8rem .5rem 0 0 }`;

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>GraphQL explorer</title>
<link rel="stylesheet" href="/api/graphql/explorer.css"><script type="module" src="/api/graphql/explorer.js"></script></head><body>
<h1>GraphQL explorer</h1>
<main><form id="form">
<label for="query">Query</label><textarea id="query" rows="16" spellcheck="false">{ otepFormats { formats { name standard version } } }</textarea>
<label for="variables">Variables (JSON)</label><textarea id="variables" rows="4" spellcheck="false">{}</textarea>
<label for="token">Access token</label><input id="token" type="password" autocomplete="off">
<button type="submit">Run</button><button type="button" id="schema">Show the operations</button>
</form><section><label for="answer">Answer</label><pre id="answer" tabindex="0" aria-live="polite"></pre></section></main>
</body></html>`;

const SCRIPT = `
const field = (id) => document.getElementById(id);
const show = (text) => { field('answer').textContent = text; };
async function send(query, variables) {
  const token = field('token').value.trim();
  const response = await fetch('/api/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json', ...(token && { authorization: 'Bearer ' + token }) },
    body: JSON.stringify({ query, variables }),
  });
  return response.json();
}
const guarded = (action) => (event) => { event.preventDefault(); action().catch((error) => show(String(error))); };
field('form').addEventListener('submit', guarded(async () => show(JSON.stringify(await send(field('query').value, JSON.parse(field('variables').value || '{}')), null, 2))));
field('schema').addEventListener('click', guarded(async () => {
  const name = '{ name kind ofType { name kind ofType { name kind ofType { name } } } }';
  const fields = '{ fields { name description args { name type ' + name + ' } type ' + name + ' } }';
  const { data } = await send('{ __schema { queryType ' + fields + ' mutationType ' + fields + ' subscriptionType ' + fields + ' } }');
  const typeOf = (type) => type.kind === 'NON_NULL' ? typeOf(type.ofType) + '!' : type.kind === 'LIST' ? '[' + typeOf(type.ofType) + ']' : type.name;
  const line = (one) => '  ' + one.name + (one.args.length ? '(' + one.args.map((arg) => arg.name + ': ' + typeOf(arg.type)).join(', ') + ')' : '') + ': ' + typeOf(one.type) + '\\n    ' + (one.description || '');
  show(Object.entries(data.__schema).filter(([, type]) => type).map(([kind, type]) => kind.replace('Type', '') + '\\n' + type.fields.map(line).join('\\n')).join('\\n\\n'));
}));
`;

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Answers browsers that come to look; everybody else passes. */
export function explorer(atDoor: RequestHandler): Router {
  const router = express.Router();
  const page: RequestHandler = (_request, response) =>
    void response.set('Content-Security-Policy', POLICY).type('html').end(PAGE);
  router.get('/', (request, response, next) => {
    if (request.accepts(['application/json', 'application/graphql-response+json', 'text/html']) !== 'text/html')
      return next();
    atDoor(request, response, (limited?: unknown) => (limited ? next(limited) : page(request, response, next)));
  });
  router.get('/explorer.js', atDoor, (_request, response) => void response.type('text/javascript').end(SCRIPT));
  router.get('/explorer.css', atDoor, (_request, response) => void response.type('text/css').end(STYLE));
  return router;
}
