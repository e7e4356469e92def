/** A readable page of the API, made from the OpenAPI document: no script, nothing fetched from elsewhere. */
import { errorCodes, statusOf, translate } from '../core/messages/index.js';

type Json = Record<string, unknown>;

const escape = (text: unknown): string => String(text).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
const code = (text: string): string => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 0 auto; padding: 1rem }
h2 { margin-top: 3rem } h3 { margin: 2rem 0 .25rem }
code, pre { font: 14px/1.45 ui-monospace, monospace } pre { overflow: auto; padding: .75rem; border: 1px solid #8884; border-radius: .3rem }
.method { font-weight: 700; text-transform: uppercase }
h3 a { color: inherit; text-decoration: none } h3 a:hover { text-decoration: underline } ul { columns: 18rem; padding-left: 1.2rem }
h3, td, li { overflow-wrap: anywhere } table { border-collapse: collapse } td, th { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #8884 }
nav a { margin-right: 1rem }`;

/** The page as HTML. */
export function docsPage(document: Json): string {
  const paths = Object.entries(document['paths'] as Json).flatMap(([path, methods]) =>
    Object.entries(methods as Json).map(([method, operation]) => ({ path, method, operation: operation as Json })),
  );
  const tags = (document['tags'] as { name: string }[]).map(({ name }) => name);
  const info = document['info'] as Json;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(info['title'])} API</title><style>${STYLE}</style></head><body>
<h1>${escape(info['title'])} API</h1><p>${code(String(info['description']))} Machine-readable: <a href="/api/openapi.json">openapi.json</a>.</p>
<nav>${tags.map((tag) => `<a href="#${escape(tag)}">${escape(tag)}</a>`).join(' ')} <a href="#errors">Errors</a></nav>
${tags
  .map(
    (tag) =>
      `<h2 id="${escape(tag)}">${escape(tag)}</h2>${ofTag(
        paths.filter(({ operation }) => (operation['tags'] as string[]).includes(tag)),
        (document['servers'] as { url: string }[])[0]!.url,
      )}`,
  )
  .join('')}
<h2 id="errors">Errors</h2><table><tr><th>Code<th>Status<th>Meaning</tr>${errorCodes()
    .map(
      (name) =>
        `<tr id="${name}"><td><code>${name}</code><td>${statusOf(name)}<td>${escape(translate(name, {}, 'en'))}</tr>`,
    )
    .join('')}</table>
</body></html>`;
}

interface Described {
  readonly path: string;
  readonly method: string;
  readonly operation: Json;
}
type Content = Readonly<Record<string, { readonly schema: Json; readonly example?: unknown }>>;

const bodyOf = ({ operation }: Described): Content | undefined =>
  (operation['requestBody'] as { content: Content } | undefined)?.content;
const summaryOf = ({ operation }: Described): string => String(operation['summary']).replace(/\.$/, '');

/** What there is, then each by itself. */
const ofTag = (all: readonly Described[], server: string): string =>
  `<ul>${all.map((one) => `<li><a href="#${escape(one.operation['operationId'])}">${escape(summaryOf(one))}</a>`).join('')}</ul>${all
    .map((one) => section(one, server))
    .join('')}`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A call to paste, with what the operation shows as its example. */
function curlOf(described: Described, server: string): string {
  const { path, method, operation } = described;
  const parameters = operation['parameters'] as Json[];
  const given = new Map(parameters.map(({ name, example }) => [name, example]));
  const filled = path.replace(/\{(\w+)\}/g, (whole, name: string) =>
    given.get(name) === undefined ? whole : encodeURIComponent(String(given.get(name))),
  );
  const asked = parameters.filter((one) => one['in'] === 'query' && one['example'] !== undefined);
  const query = new URLSearchParams(
    Object.fromEntries(asked.map(({ name, example }) => [name, String(example)])),
  ).toString();
  const anybody = (operation['security'] as object[]).some((one) => Object.keys(one).length === 0);
  const [type, content] = Object.entries(bodyOf(described) ?? {})[0] ?? [];
  return [
    `curl ${quoted(`${server}${filled}${query && `?${query}`}`)}`,
    ...(method === 'get' || (method === 'post' && content?.example !== undefined)
      ? []
      : [`-X ${method.toUpperCase()}`]),
    ...(anybody ? [] : ['-H "Authorization: Bearer $TOKEN"']),
    ...(type === undefined ? [] : [`-H ${quoted(`Content-Type: ${type}`)}`]),
    ...(content?.example === undefined ? [] : [`-d ${quoted(JSON.stringify(content.example, null, 2))}`]),
  ].join(' ');
}

function section(described: Described, server: string): string {
  const { path, method, operation } = described;
  const parameters = operation['parameters'] as Json[];
  const body = bodyOf(described);
  const id = escape(operation['operationId']);
  return `<h3 id="${id}"><a href="#${id}"><span class="method">${method}</span> <code>/api${escape(path)}</code></a></h3>
<p>${escape(summaryOf(described))}. ${code(String(operation['description'] ?? ''))}</p>
${parameters.length > 0 ? `<table>${parameters.map((one) => `<tr><td><code>${escape(one['name'])}</code><td>${escape(one['in'])}${one['required'] ? ', required' : ''}<td>${code(String(one['description'] ?? ''))}</tr>`).join('')}</table>` : ''}
<pre>${escape(curlOf(described, server))}</pre>
${body ? `<details><summary>Body</summary><pre>${escape(JSON.stringify(Object.values(body)[0]!.schema, null, 2))}</pre></details>` : ''}
<details><summary>Answer</summary><pre>${escape(JSON.stringify(Object.values(operation['responses'] as Record<string, Json>)[0], null, 2))}</pre></details>`;
}
