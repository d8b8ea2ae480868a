import {
  Document,
  isScalar,
  parseDocument,
  Scalar,
  visit,
  type Range,
  type ScalarTag,
  type YAMLMap,
} from 'yaml';
import { isDeepYaml } from './is-deep-yaml.ts';

/*
 * YAML that preserves the notation of numbers. A number that JavaScript would write differently (`1.10`,
 * `007`, `0x1F`, an account number of 20 digits) is read as a string with these characters, and written
 * without quotes. All other numbers are read as numbers.
 */

/** A JSON value, or null for text that is no YAML, or that a note cannot store. */
export type ParsedYaml = {
  readonly value: unknown;
  /** Whether more follows behind the line `...` or `---` at which the value ends. */
  readonly hasMore: boolean;
} | null;

/** Several times what fields and properties of a note take. YAML of 512 KiB takes the library ten seconds. */
const yamlCharactersMax = 128 * 1024;

/**
 * Parses YAML without what the library does in quadratic time: it compares every key with every other one, and finds the
 * line of every error. Both take minutes for the text of a large note.
 */
export const parseQuickly = (source: string): Document.Parsed =>
  parseDocument(source, { uniqueKeys: false, prettyErrors: false, logLevel: 'error' });

/** Parses YAML. Aliases are rejected, because a few lines of them could expand to gigabytes. */
export const parseYaml = (source: string): ParsedYaml => {
  if (source.length > yamlCharactersMax || isDeepYaml(source)) {
    return null;
  }
  const document = parseQuickly(source);
  const errors = document.errors.filter(({ code }) => code !== 'MULTIPLE_DOCS');
  if (errors.length > 0 || hasEqualKeys(document)) {
    return null;
  }
  // The library takes lines such as `# Heading` behind the end for comments.
  const hasMore = document.errors.length > 0 || /(?:^|\n)\.{3}[ \t\r\n]\s*\S/.test(source);
  visit(document, {
    Scalar: (key, node) => {
      if (isForeignTag(node)) {
        return new Scalar(node.source ?? String(node.value));
      }
      // JSON keys are strings: a key keeps its characters.
      const isText = key === 'key' ? typeof node.value === 'string' : !isInexact(node);
      if (isPlain(node) && !isText) {
        node.value = node.source;
      }
      return undefined;
    },
    Collection: (key, node) => {
      const text = sourceOf(source, node);
      const isText = key === 'key' || isForeignTag(node) || isTemplate(text);
      return isText ? new Scalar(text) : undefined;
    },
  });
  try {
    return { value: document.toJS({ maxAliasCount: 0 }), hasMore };
  } catch {
    return null;
  }
};

const hasEqualKeys = (document: Document.Parsed): boolean => {
  let hasEqual = false;
  visit(document, {
    Map: (_key, { items }: YAMLMap) => {
      const keys = items.flatMap(({ key }) => (isScalar(key) ? [key.value] : []));
      hasEqual = new Set(keys).size < keys.length;
      return hasEqual ? visit.BREAK : undefined;
    },
  });
  return hasEqual;
};

const sourceOf = (source: string, { range }: { readonly range?: Range | null }): string =>
  range ? source.slice(range[0], range[1]).trim() : '';

/** What people write for their editor: a link `[[Note]]`, or a placeholder `{{date}}`. In YAML they are collections. */
const isTemplate = (text: string): boolean => /^(?:\[\[[^]*\]\]|\{\{[^]*\}\})$/.test(text);

/** Tags such as `!!binary` and `!!set` have values that JSON has not: their text is kept. */
const isForeignTag = ({ tag }: { readonly tag?: string }): boolean =>
  tag !== undefined && !jsonTags.has(tag.replace('tag:yaml.org,2002:', ''));

const jsonTags = new Set(['str', 'int', 'float', 'bool', 'null', 'map', 'seq']);

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
      if (typeof node.value === 'string' && needsQuotes(node.value)) {
        node.type = Scalar.QUOTE_DOUBLE;
      }
      if (key !== 'key' && typeof node.value === 'string' && isInexactNumber(node.value)) {
        node.value = new ExactNumber(node.value);
      }
    },
  });
  const yaml = document.toString({ lineWidth: 0 });
  return yaml.length <= yamlCharactersMax ? yaml : document.toString(inline);
};

/** Without indentation: that of thousands of nested values is many times as long as they are. */
const inline = {
  lineWidth: 0,
  collectionStyle: 'flow',
  defaultStringType: 'QUOTE_DOUBLE',
  doubleQuotedMinMultiLineLength: Infinity,
} as const;

/**
 * Whether the library would lose characters: blanks of lines without others, which it takes for indentation, and a byte
 * order mark.
 */
const needsQuotes = (text: string): boolean =>
  text.startsWith('\ufeff') || (text.includes('\n') && text.trim() === '');

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
