import { Document, parseDocument, Scalar, visit, type ScalarTag } from 'yaml';

/*
 * YAML that preserves the notation of numbers. A number that JavaScript would write differently (`1.10`,
 * `007`, `0x1F`, an account number of 20 digits) is read as a string with these characters, and written
 * without quotes. All other numbers are read as numbers.
 */

/** A JSON value, or the reason why there is none. */
export type ParsedYaml =
  | { readonly value: unknown }
  | { readonly problem: string; readonly isSyntax: boolean };

/** Parses YAML. Aliases are rejected, because a few lines of them could expand to gigabytes. */
export const parseYaml = (source: string): ParsedYaml => {
  const document = parseDocument(source, { uniqueKeys: true });
  const [error] = document.errors;
  if (error) {
    const [line = ''] = error.message.split('\n');
    return { problem: `the front matter is not valid YAML: ${line}`, isSyntax: true };
  }
  visit(document, {
    Scalar: (key, node) => {
      // JSON keys are strings: a key keeps its characters.
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
      problem: `the front matter has a value that a note cannot store: ${String(failure)}`,
      isSyntax: false,
    };
  }
};

const isPlain = ({ type, source, tag }: Scalar): boolean =>
  type === Scalar.PLAIN && source !== undefined && tag === undefined;

const isInexact = ({ value, source }: Scalar): boolean =>
  typeof value === 'number' && JSON.stringify(value) !== source;

/** Formats a value as YAML that `parseYaml` reads as the same value. */
export const stringifyYaml = (value: unknown): string => {
  const document = new Document(value, { customTags: (tags) => [...tags, exactNumber] });
  visit(document, {
    Scalar: (key, node) => {
      if (node.value === 0) {
        // JSON has no negative zero.
        node.value = 0;
      }
      if (key !== 'key' && typeof node.value === 'string' && isInexactNumber(node.value)) {
        node.value = new ExactNumber(node.value);
      }
    },
  });
  return document.toString({ lineWidth: 0 });
};

/** Whether the text is a number of YAML 1.2's core schema that JavaScript would write differently. */
const isInexactNumber = (text: string): boolean =>
  yamlNumber.test(text) && JSON.stringify(Number(text)) !== text;

const yamlNumber =
  /^(?:[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:e[-+]?\d+)?|0o[0-7]+|0x[\da-f]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/i;

/** A number that is written with exactly these characters. */
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
  // This tag is never used for reading.
  test: /^(?!)/,
  stringify: ({ value }) => (value instanceof ExactNumber ? value.characters : String(value)),
};
