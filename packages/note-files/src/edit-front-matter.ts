import { textKey, type NoteText } from '@commonplace/client';
import { isMap as isYamlMap, isScalar, type Pair, type YAMLMap } from 'yaml';
import { parseQuickly, stringifyYaml } from './exact-yaml.ts';
import { withLineFeeds, type FrontMatter } from './front-matter.ts';
import { reservedKeys } from './interpret-fields.ts';

/** The note that the front matter expresses, and the note that it is to express. */
type Texts = { readonly now: NoteText; readonly wanted: NoteText };

/** A key to set; undefined removes it. */
type Change = readonly [key: string, value: unknown];

/**
 * Returns front matter in which the keys of changed fields are set, the best candidate first: with all other lines as
 * they are, and as the library writes the whole of it. The caller checks what they express, and that the front matter is
 * a map or empty.
 */
export const editFrontMatter = (front: FrontMatter, texts: Texts): string[] => {
  const yaml = withLineFeeds(front.yaml);
  const document = parseQuickly(yaml);
  const { contents } = document;
  const map = isYamlMap(contents) ? contents : null;
  const changes = changesBetween(texts, map);
  const lines = map?.flow ? null : editLines(yaml, map?.items ?? [], changes);
  for (const [key, value] of changes) {
    if (value === undefined) {
      document.delete(key);
    } else {
      document.set(key, document.createNode(value));
    }
  }
  const edited = [...(lines === null ? [] : [lines]), document.toString({ lineWidth: 0 })];
  const isCrlf = /\r\n/.test(front.yaml) && !/(?<!\r)\n/.test(front.yaml);
  return edited.map(
    (text) => `${front.open}${isCrlf ? text.replaceAll('\n', '\r\n') : text}${front.close}`,
  );
};

const changesBetween = ({ now, wanted }: Texts, map: YAMLMap | null): Change[] => {
  const inner = map?.get('properties');
  const isNested = (key: string): boolean =>
    reservedKeys.has(key) || (isYamlMap(inner) && inner.has(key));
  const changed = [
    ...new Set([...Object.keys(now.properties), ...Object.keys(wanted.properties)]),
  ].filter((key) => !isSameValue(now.properties[key], wanted.properties[key]));
  const nested = Object.entries(wanted.properties).filter(([key]) => isNested(key));
  return [
    ...(now.title === wanted.title ? [] : [['title', wanted.title] as const]),
    ...(now.folder === wanted.folder ? [] : [['folder', wanted.folder] as const]),
    ...(isSameValue(now.tags, wanted.tags)
      ? []
      : [['tags', wanted.tags.length > 0 ? wanted.tags : undefined] as const]),
    ...(now.pinned === wanted.pinned ? [] : [['pinned', wanted.pinned || undefined] as const]),
    ...(now.archived === wanted.archived
      ? []
      : [['archived', wanted.archived || undefined] as const]),
    ...changed.filter((key) => !isNested(key)).map((key) => [key, wanted.properties[key]] as const),
    ...(changed.some(isNested)
      ? [['properties', nested.length > 0 ? Object.fromEntries(nested) : undefined] as const]
      : []),
  ];
};

const isSameValue = (a: unknown, b: unknown): boolean =>
  textKey({ a } as unknown as NoteText) === textKey({ a: b } as unknown as NoteText);

/** Replaces the lines of the changed keys, and adds new keys at the end. */
const editLines = (yaml: string, pairs: readonly Pair[], changes: readonly Change[]): string => {
  const edits = changes.map(([key, value]) => ({
    text: value === undefined ? '' : stringifyYaml({ [key]: value }),
    at: placeOf(
      yaml,
      pairs.find((pair) => keyOf(pair) === key),
    ),
  }));
  const [replaced, added] = [
    edits.filter(({ at }) => at !== null),
    edits.filter(({ at }) => at === null).map(({ text }) => text),
  ];
  const edited = replaced
    .toSorted((a, b) => (b.at?.from ?? 0) - (a.at?.from ?? 0))
    .reduce((text, edit) => {
      const { from, to } = edit.at ?? { from: 0, to: 0 };
      if (edit.text !== '') {
        return `${text.slice(0, from)}${edit.text.trimEnd()}${text.slice(to)}`;
      }
      const end = text.indexOf('\n', to);
      return `${text.slice(0, from)}${end < 0 ? '' : text.slice(end + 1)}`;
    }, yaml);
  return `${edited}${edited === '' || edited.endsWith('\n') ? '' : '\n'}${added.join('')}`;
};

const keyOf = ({ key }: Pair): string | undefined =>
  isScalar(key) ? (key.source ?? String(key.value)) : undefined;

type Place = { readonly from: number; readonly to: number };

/** Where a key and its value are: from the start of its line, without line breaks at the end. */
const placeOf = (yaml: string, pair: Pair | undefined): Place | null => {
  const key = pair && isScalar(pair.key) ? pair.key.range : null;
  if (!pair || !key) {
    return null;
  }
  const { value } = pair as { readonly value: { readonly range?: readonly number[] } | null };
  const colon = yaml.indexOf(':', key[1]) + 1;
  const end = Math.max(colon, value?.range?.[1] ?? 0);
  const from = yaml.lastIndexOf('\n', key[0]) + 1;
  return { from, to: from + yaml.slice(from, end).trimEnd().length };
};
