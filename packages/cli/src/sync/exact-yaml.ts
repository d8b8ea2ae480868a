import { Document, parseDocument, Scalar, visit, type ScalarTag } from 'yaml';

/*
 * YAML whose numbers survive: a number that JavaScript would write otherwise (`1.10`, `007`, `0x1F`, an
 * account number of 20 digits) is a text with just these characters, and is written without quotes
 * again. All others are numbers, as ever.
 */

/** A value of JSON, or why there is none. */
export type ParsedYaml =
  | { readonly value: unknown }
  | { readonly problem: string; readonly isSyntax: boolean };

/** Reads YAML. Aliases are refused: a few lines of them could stand for gigabytes. */
export const parseYaml = (source: string): ParsedYaml => {
  const document = parseDocument(source, { uniqueKeys: true });
  const [error] = document.errors;
  if (error) {
    const [line = ''] = error.message.split('\n');
    return { problem: `the front matter is no YAML: ${line}`, isSyntax: true };
  }
  visit(document, {
    Scalar: (key, node) => {
      // A key is a text in JSON: the one that stands there.
      const isText = key === 'key' ? typeof node.value === 'string' : !isInexact(node);
      if (isPlain(node) && !isText) {
        node.value = node.source;
      }
    },
  });
  try {
    return { value: document.toJS({ maxAliasCount: 0 }) };
  } catch (failure) {
    return {
      problem: `the front matter holds what a note cannot: ${String(failure)}`,
      isSyntax: false,
    };
  }
};

const isPlain = ({ type, source, tag }: Scalar): boolean =>
  type === Scalar.PLAIN && source !== undefined && tag === undefined;

const isInexact = ({ value, source }: Scalar): boolean =>
  typeof value === 'number' && JSON.stringify(value) !== source;

/** Writes YAML that `parseYaml` reads back as the same value. */
export const stringifyYaml = (value: unknown): string => {
  const document = new Document(value, { customTags: (tags) => [...tags, exactNumber] });
  visit(document, {
    Scalar: (key, node) => {
      if (node.value === 0) {
        // JSON knows one zero.
        node.value = 0;
      }
      if (key !== 'key' && typeof node.value === 'string' && isInexactNumber(node.value)) {
        node.value = new ExactNumber(node.value);
      }
    },
  });
  return document.toString({ lineWidth: 0 });
};

/** A number of the core schema of YAML 1.2 that JavaScript would write otherwise. */
const isInexactNumber = (text: string): boolean =>
  yamlNumber.test(text) && JSON.stringify(Number(text)) !== text;

const yamlNumber =
  /^(?:[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?|0o[0-7]+|0x[\da-f]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/i;

/** The characters of a number, which are written as they are. */
class ExactNumber {
  readonly characters: string;

  constructor(characters: string) {
    this.characters = characters;
  }
}

const exactNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => value instanceof ExactNumber,
  resolve: (characters) => characters,
  // Nothing is read by this tag.
  test: /^(?!)/,
  stringify: ({ value }) => (value instanceof ExactNumber ? value.characters : String(value)),
};
