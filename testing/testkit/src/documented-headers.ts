import { commonHeaders } from '@commonplace/openapi';

type Json = Readonly<Record<string, unknown>>;

/** Headers by their name in lower case, as `fetch` and Node give them. */
export type SentHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export type HeaderCheck = {
  /** The response object of the OpenAPI document. */
  readonly response: Json;
  readonly sent: SentHeaders;
  /** Resolves a `$ref` of the document. */
  readonly resolve: (reference: string) => Json;
  /** Whether a value fits a schema of the document. */
  readonly fits: (schema: Json, value: unknown) => boolean;
};

/** Parses the text of a header into the value that the document describes. */
const valueOf = (schema: Json, text: string): unknown =>
  schema['type'] === 'integer' && /^\d+$/.test(text) ? Number(text) : text;

/**
 * The faults of a response's headers: undocumented headers, values that do not fit their schema,
 * and missing headers.
 */
export const headerFaults = ({ response, sent, resolve, fits }: HeaderCheck): string[] => {
  const declared = new Map(
    Object.entries((response['headers'] as Json | undefined) ?? {}).map(([name, header]) => {
      const reference = (header as Json)['$ref'];
      const resolved = typeof reference === 'string' ? resolve(reference) : (header as Json);
      return [name.toLowerCase(), resolved] as const;
    }),
  );
  const present = Object.entries(sent).filter(([, value]) => value !== undefined);
  const unknown = present
    .map(([name]) => name)
    .filter((name) => !declared.has(name) && !commonHeaders.has(name))
    .map((name) => `the header ${name} is not documented`);
  const misfits = present.flatMap(([name, value]) => {
    const schema = declared.get(name)?.['schema'] as Json | undefined;
    const texts = [value].flat() as string[];
    return schema && !texts.every((text) => fits(schema, valueOf(schema, text)))
      ? [`the header ${name} does not fit its schema: ${texts.join(', ')}`]
      : [];
  });
  const missing = [...declared]
    .filter(([name, header]) => header['required'] === true && sent[name] === undefined)
    .map(([name]) => `the header ${name} is promised and missing`);
  return [...unknown, ...misfits, ...missing];
};
