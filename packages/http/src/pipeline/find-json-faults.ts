import type { FieldError } from '@commonplace/contracts/core';
import { pointerOf } from './parse-request.ts';

/** Integers of sixteen digits and more, and fractions that may be too small; a text may look like one. */
const maybeChanged = /[:[,\s]-?(?:\d{16}|[\d.]+e-\d{3}|0\.0{300})/i;

/** A text with the colon behind a name, a number, or a sign. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|-?\d[\d.eE+-]*|[[\]{},]/g;

/** As many as a problem names; a path may be as long as the text. */
const faultsMax = 50;

/** An array or object that is open at a place of the text. */
type Open = { readonly names: Set<string> | null; at: string | number };

/**
 * What `JSON.parse` drops in silence of a text that it parsed to this value: all but the last value of a name that an object
 * has more than once, and the digits of an integer that a double does not hold. The places have names of the body.
 */
export const findJsonFaults = (text: string, parsed: unknown): FieldError[] => {
  if (countNames(text) === namesIn(parsed) && !maybeChanged.test(text)) {
    return [];
  }
  const faults: FieldError[] = [];
  const open: Open[] = [];
  const fault = (message: string): void => {
    if (faults.length < faultsMax) {
      faults.push({ path: pointerOf(open.map(({ at }) => at)), message });
    }
  };
  for (const [found, colon] of text.matchAll(token)) {
    const inner = open.at(-1);
    if (found === '{' || found === '[') {
      open.push(found === '{' ? { names: new Set(), at: '' } : { names: null, at: 0 });
    } else if (found === '}' || found === ']') {
      open.pop();
    } else if (found === ',') {
      next(inner);
    } else if (colon !== undefined && inner) {
      inner.at = JSON.parse(found.slice(0, -colon.length)) as string;
      if (inner.names?.has(inner.at) === true) {
        fault('given more than once');
      }
      inner.names?.add(inner.at);
    } else if (!found.startsWith('"') && isChanged(found)) {
      fault('is not read back with these digits; send it as a text');
    }
  }
  return faults;
};

const next = (inner: Open | undefined): void => {
  if (inner && typeof inner.at === 'number') {
    inner.at += 1;
  }
};

const strings = /"[^"\\]*(?:\\.[^"\\]*)*"/g;

/** The names of all objects in a text, each as often as it is there. */
const countNames = (text: string): number => text.replaceAll(strings, '').split(':').length - 1;

/** The names of all objects in a value. */
const namesIn = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) {
    return 0;
  }
  const members: readonly unknown[] = Object.values(value);
  return members.reduce<number>(
    (sum, member) => sum + namesIn(member),
    Array.isArray(value) ? 0 : members.length,
  );
};

/** Whether a number is written with digits that are lost, or becomes zero. Fractions are approximated, as everywhere. */
const isChanged = (source: string): boolean => {
  const value = Number(source);
  return /^-?\d+$/.test(source)
    ? significant(source) !== significant(String(value))
    : value === 0 && /[1-9]/.test(source.replace(/e.*/i, ''));
};

const significant = (number: string): string =>
  number
    .replace(/e.*/i, '')
    .replaceAll(/[-.]/g, '')
    .replaceAll(/^0+|0+$/g, '');
