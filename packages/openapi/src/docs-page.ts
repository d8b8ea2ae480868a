import type { OpenApiDocument } from './openapi-document.ts';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: unknown): string =>
  String(text).replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');

/** Descriptions are written by us in a little Markdown: code spans and paragraphs are all they use. */
const prose = (text: unknown): string =>
  escape(text ?? '')
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph}</p>`)
    .join('');

type Json = Readonly<Record<string, unknown>>;
const asJson = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {};

const typeOf = (schema: unknown): string => {
  const { $ref, type, items, enum: values, anyOf, oneOf, const: constant } = asJson(schema);
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1);
    return `<a href="#schema-${escape(name)}">${escape(name)}</a>`;
  }
  if (Array.isArray(values)) {
    return values.map((value) => `<code>${escape(JSON.stringify(value))}</code>`).join(' | ');
  }
  if (constant !== undefined) {
    return `<code>${escape(JSON.stringify(constant))}</code>`;
  }
  const options = (anyOf ?? oneOf) as unknown[] | undefined;
  if (options) {
    return options.map(typeOf).join(' | ');
  }
  return type === 'array'
    ? `array of ${typeOf(items)}`
    : escape(Array.isArray(type) ? type.join(' | ') : (type ?? 'any'));
};

const fieldRows = (schema: Json): string => {
  const required = new Set((schema['required'] as string[] | undefined) ?? []);
  return Object.entries(asJson(schema['properties']))
    .map(([name, field]) => {
      const mark = required.has(name) ? '' : ' <small>optional</small>';
      return `<tr><th><code>${escape(name)}</code>${mark}</th><td>${typeOf(field)}</td><td>${prose(asJson(field)['description'])}</td></tr>`;
    })
    .join('');
};

const schemaTable = (schema: unknown): string => {
  const rows = fieldRows(asJson(schema));
  return rows ? `<table>${rows}</table>` : `<p>${typeOf(schema)}</p>`;
};

const bodyOf = (holder: unknown): string => {
  const [entry] = Object.entries(asJson(asJson(holder)['content']));
  return entry
    ? `<p><small>${escape(entry[0])}</small></p>${schemaTable(asJson(entry[1])['schema'])}`
    : '';
};

const parameterRows = (parameters: unknown): string => {
  const rows = ((parameters as Json[] | undefined) ?? []).map(
    (parameter) =>
      `<tr><th><code>${escape(parameter['name'])}</code></th><td>${escape(parameter['in'])}, ${typeOf(parameter['schema'])}</td><td>${prose(parameter['description'] ?? asJson(parameter['schema'])['description'])}</td></tr>`,
  );
  return rows.length > 0 ? `<h4>Parameters</h4><table>${rows.join('')}</table>` : '';
};

const isSuccess = (status: string): boolean => Number(status) < 400;

const responsesOf = (responses: unknown): string => {
  const entries = Object.entries(asJson(responses));
  const good = entries
    .filter(([status]) => isSuccess(status))
    .map(
      ([status, response]) =>
        `<h4>${status}</h4>${prose(asJson(response)['description'])}${bodyOf(response)}`,
    );
  const bad = entries
    .filter(([status]) => !isSuccess(status))
    .map(
      ([status, response]) =>
        `<tr><th>${status}</th><td>${prose(asJson(response)['description'])}</td></tr>`,
    );
  return `${good.join('')}<details><summary>Problems</summary><table>${bad.join('')}</table></details>`;
};

const operationSection = (path: string, method: string, operation: Json): string => `
<section id="${escape(operation['operationId'])}">
<h3><span class="method">${escape(method.toUpperCase())}</span> <code>${escape(path)}</code></h3>
<p><strong>${escape(operation['summary'])}</strong></p>
${prose(operation['description'])}
${parameterRows(operation['parameters'])}
${operation['requestBody'] ? `<h4>Body</h4>${bodyOf(operation['requestBody'])}` : ''}
${responsesOf(operation['responses'])}
</section>`;

const linkTo = ({ operation }: { readonly operation: Json }): string =>
  `<li><a href="#${escape(operation['operationId'])}">${escape(operation['summary'])}</a></li>`;

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem;color:#1b1f24;background:#fff}
nav>ul{columns:2;list-style:none;padding:0}nav>ul>li{break-inside:avoid;margin-bottom:1rem}nav ul ul{padding-left:1.2rem}section{border-top:1px solid #d0d7de;padding:1rem 0}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;border-bottom:1px solid #eaeef2;font-weight:400}
td p,th p{margin:0}code{background:#f3f4f6;padding:.1em .3em;border-radius:4px;overflow-wrap:anywhere}.method{font-weight:700;color:#0a5a9c}
@media(prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}code{background:#1c2128}section,th,td{border-color:#30363d}a,.method{color:#6cb6ff}}
@media(max-width:40rem){nav>ul{columns:1}}`;

/** A page of the document that reads without scripts. */
export const docsPage = (document: OpenApiDocument): string => {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(asJson(item)).map(([method, operation]) => ({
      path,
      method,
      operation: asJson(operation),
    })),
  );
  const tags = (document.tags ?? []).map(({ name }) => ({
    name,
    operations: operations.filter(({ operation }) =>
      (operation['tags'] as string[]).includes(name),
    ),
  }));
  const contents = tags.map(
    (tag) =>
      `<li><strong>${escape(tag.name)}</strong><ul>${tag.operations.map(linkTo).join('')}</ul></li>`,
  );
  const sections = tags.map(
    (tag) =>
      `<h2>${escape(tag.name)}</h2>${tag.operations.map((one) => operationSection(one.path, one.method, one.operation)).join('')}`,
  );
  const schemas = Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) =>
      `<section id="schema-${escape(name)}"><h3>${escape(name)}</h3>${prose(asJson(schema)['description'])}${schemaTable(schema)}</section>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(document.info.title)} API ${escape(document.info.version)}</title><link rel="icon" href="data:,"><style>${style}</style></head>
<body><main><h1>${escape(document.info.title)} API <small>${escape(document.info.version)}</small></h1>
${prose(document.info.description)}<p><a href="/api/openapi.json">OpenAPI 3.1 document</a></p>
<nav><ul>${contents.join('')}</ul></nav>${sections.join('')}<h2>Schemas</h2>${schemas.join('')}</main></body></html>`;
};

/** The hash-free policy of the page: inline style only, nothing else may load or run. */
export const docsPagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
