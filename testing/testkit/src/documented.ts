import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodes, publicRoutes, type ErrorCode } from '@commonplace/contracts';
import { errorsOfRoute } from '@commonplace/openapi';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { headerFaults, type SentHeaders } from './documented-headers.ts';

type Json = Readonly<Record<string, unknown>>;

export type ActualResponse = {
  readonly method: string;
  /** Path with or without query. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: unknown;
  /** All of them; absent where a simulated server makes the response. */
  readonly headers?: SentHeaders;
};

/** The document as `pnpm openapi` writes it: to generate it takes longer, in each of hundreds of test files. */
const file = join(import.meta.dirname, '../../../docs/openapi.json');
const documentId = 'https://commonplace.invalid/openapi.json';

const load = () => {
  const document = JSON.parse(readFileSync(file, 'utf8')) as Json;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
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

const templateOf = (path: string): string | undefined => {
  const { patterns } = (loaded ??= load());
  const matches = patterns.filter(({ pattern }) => pattern.test(path));
  // A literal path wins over one with parameters, as in the gateway.
  const [first] = matches.toSorted(
    (a, b) => a.template.split('{').length - b.template.split('{').length,
  );
  return first?.template;
};

const resolve = (reference: string): Json =>
  reference
    .split('/')
    .slice(1)
    .reduce<Json>((place, name) => place[name] as Json, (loaded ??= load()).document);

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

const fits = (schema: Json, value: unknown): boolean => validatorOf(schema)(value);

/** A HEAD request gets the headers of GET. */
const documentedMethod = (method: string): string =>
  method.toLowerCase() === 'head' ? 'get' : method.toLowerCase();

/** The code of a problem must be among those that the description of its status names. */
const codeFault = (template: string, method: string, body: unknown): string[] => {
  const code = (body as Json | null | undefined)?.['code'] as ErrorCode | undefined;
  const contract = publicRoutes.find((each) => each.path === template && each.method === method);
  // The gateway signs an identity for every request; only a test that goes around it sees this.
  return contract &&
    code &&
    code !== 'identity_required' &&
    Object.hasOwn(errorCodes, code) &&
    !errorsOfRoute(contract).includes(code)
    ? [`the code ${code} is not documented`]
    : [];
};

const contentFaults = (response: Json, actual: ActualResponse): string[] => {
  const content = (response['content'] ?? {}) as Readonly<Record<string, Json>>;
  const types = Object.keys(content);
  const type = types.find((candidate) => actual.contentType?.startsWith(candidate));
  if (types.length > 0 && !type) {
    return [`the type is ${actual.contentType}, documented is ${types.join(', ')}`];
  }
  if (!type?.includes('json')) {
    return types.length === 0 && actual.contentType ? ['a body is not documented'] : [];
  }
  const validate = validatorOf(content[type]?.['schema'] as Json);
  return validate(actual.body)
    ? []
    : [`the body does not fit its schema: ${JSON.stringify(validate.errors?.slice(0, 3))}`];
};

/**
 * Throws unless the OpenAPI document declares this response: its status for that operation, its content
 * type, a body that fits the schema, the code of a problem, and every header. Internal routes are not in the
 * document and pass.
 */
export const assertDocumented = (actual: ActualResponse): void => {
  const paths = (loaded ??= load()).document['paths'] as Json;
  const path = actual.path.split('?')[0] ?? actual.path;
  const template = templateOf(path);
  const method = documentedMethod(actual.method);
  const operation = template && (paths[template] as Json)[method];
  if (!template || !operation) {
    return;
  }
  const where = `${actual.method.toUpperCase()} ${template} ${actual.status}`;
  const status = String(actual.status);
  const response = ((operation as Json)['responses'] as Json)[status] as Json | undefined;
  if (!response) {
    throw new Error(`${where} is not in the OpenAPI document: ${JSON.stringify(actual.body)}`);
  }
  const isHead = actual.method.toLowerCase() === 'head';
  const faults = [
    ...(isHead ? [] : contentFaults(response, actual)),
    ...codeFault(template, method, actual.body),
    ...(actual.headers ? headerFaults({ response, sent: actual.headers, resolve, fits }) : []),
  ];
  if (faults.length > 0) {
    throw new Error(`${where}: ${faults.join('; ')}`);
  }
};
