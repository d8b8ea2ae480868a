import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export type Json = Readonly<Record<string, unknown>>;

/** The document as `pnpm openapi` writes it: to generate it takes longer. */
const file = join(import.meta.dirname, '../../../docs/openapi.json');
const documentId = 'https://commonplace.invalid/openapi.json';

const load = () => {
  const document = JSON.parse(readFileSync(file, 'utf8')) as Json;
  // The schemas themselves are valid, `pnpm check` lints the document: to compile what checks them takes longest.
  const unchecked = { validateSchema: false, meta: false } as const;
  const ajv = new Ajv2020({ strict: false, allErrors: true, ...unchecked });
  (addFormats as unknown as (instance: Ajv2020) => void)(ajv);
  // Only what schemas refer to: Ajv walks through all that it is given.
  ajv.addSchema({ $id: documentId, components: document['components'] });
  return {
    document,
    ajv,
    patterns: Object.keys(document['paths'] as Json).map((template) => ({
      template,
      pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    })),
    validators: new Map<string, ValidateFunction>(),
    validatorsBySchema: new WeakMap<Json, ValidateFunction>(),
  };
};

let loaded: ReturnType<typeof load> | undefined;

/** The operations of the document, by path and method. */
const documentedPaths = (): Json => (loaded ??= load()).document['paths'] as Json;

/** The path of the document that a request's path belongs to. */
const templateOf = (path: string): string | undefined => {
  const { patterns } = (loaded ??= load());
  const matches = patterns.filter(({ pattern }) => pattern.test(path));
  // A literal path wins over one with parameters, as in the gateway.
  const [first] = matches.toSorted(
    (a, b) => a.template.split('{').length - b.template.split('{').length,
  );
  return first?.template;
};

/** What a reference within the document points to. */
const resolveReference = (reference: string): Json =>
  reference
    .split('/')
    .slice(1)
    .reduce<Json>((place, name) => place[name] as Json, (loaded ??= load()).document);

/** Checks values against a schema of the document. */
const validatorOf = (schema: Json): ValidateFunction => {
  const { validatorsBySchema } = (loaded ??= load());
  const validate = validatorsBySchema.get(schema) ?? compile(schema);
  validatorsBySchema.set(schema, validate);
  return validate;
};

/** Ajv compiles an equal schema once. */
const compile = (schema: Json): ValidateFunction => {
  const { ajv, validators } = (loaded ??= load());
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${documentId}#/`);
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text) as Json);
  validators.set(text, validate);
  return validate;
};

/** The OpenAPI document and its schemas, for `requireOutside`: reading and compiling them takes longer than most tests. */
export const documentedSchemas = { documentedPaths, templateOf, resolveReference, validatorOf };
