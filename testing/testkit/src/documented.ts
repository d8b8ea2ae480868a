import { errorCodes, publicRoutes, type ErrorCode } from '@commonplace/contracts';
import { errorsOfRoute } from '@commonplace/openapi';
import { headerFaults, type SentHeaders } from './documented-headers.ts';
import type { documentedSchemas, Json } from './documented-schemas.ts';
import { requireOutside } from './require-outside.ts';

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

/** Read and compiled once for hundreds of test files. */
const { documentedPaths, templateOf, resolveReference, validatorOf } = (
  requireOutside(import.meta.filename, './documented-schemas.ts') as {
    readonly documentedSchemas: typeof documentedSchemas;
  }
).documentedSchemas;

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
  const paths = documentedPaths();
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
    ...(actual.headers
      ? headerFaults({ response, sent: actual.headers, resolve: resolveReference, fits })
      : []),
  ];
  if (faults.length > 0) {
    throw new Error(`${where}: ${faults.join('; ')}`);
  }
};
