import { z } from 'zod';
import { isStorableText } from '../common.ts';
import { fitsInBytes, noteLimits } from './note-limits.ts';

export type NoteProperties = { readonly [key: string]: unknown };

export const isRecord = (value: unknown): value is NoteProperties =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Whether a JSON value may have so few bytes. Looks at no more members than have room in them: the other checks walk all
 * of a value, which may have as many as a request.
 */
export const mayFitInBytes = (value: unknown, bytesMax: number): boolean => {
  const queue: unknown[] = [value];
  let bytes = 0;
  for (const each of queue) {
    if (typeof each === 'string') {
      bytes += each.length;
    } else if (typeof each === 'object' && each !== null) {
      const entries = Array.isArray(each) ? each : Object.values(each);
      const keys = Array.isArray(each) ? [] : Object.keys(each);
      // A comma or a bracket, and one byte of the member; of a key its quotes and the colon, too.
      bytes += 2 * entries.length + keys.reduce((sum, key) => sum + key.length + 3, 0);
      if (bytes <= bytesMax) {
        entries.forEach((entry) => queue.push(entry));
      }
    }
    if (bytes > bytesMax) {
      return false;
    }
  }
  return true;
};

/** Whether every key, text and number of a JSON value, at any depth, can be stored. */
const isStorableJson = (value: unknown): boolean => {
  switch (typeof value) {
    case 'string':
      return isStorableText(value);
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return (
        value === null ||
        Object.entries(value).every(([key, entry]) => isStorableText(key) && isStorableJson(entry))
      );
    default:
      return true;
  }
};

/** The depth of nested objects and arrays, including the value itself. */
const levelsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce<number>((most, entry) => Math.max(most, levelsOf(entry)), 0)
    : 0;

const description = `The client's own data: a JSON object of at most ${noteLimits.propertiesBytesMax} bytes and ${noteLimits.propertiesLevelsMax} levels`;

const tooLarge = `must be at most ${noteLimits.propertiesBytesMax} bytes of JSON`;

/**
 * The properties as clients send them. Not `z.record`, which silently drops a key `__proto__`:
 * properties are stored completely, or rejected.
 */
export const notePropertiesInput = z
  .unknown()
  .refine(isRecord, { error: 'must be a JSON object', abort: true })
  .refine((value) => mayFitInBytes(value, noteLimits.propertiesBytesMax), {
    error: tooLarge,
    abort: true,
  })
  .refine(isStorableJson, 'must not hold NUL, lone surrogates or numbers beyond a double')
  .refine(
    (value) => levelsOf(value) <= noteLimits.propertiesLevelsMax,
    `must be nested at most ${noteLimits.propertiesLevelsMax} levels deep`,
  )
  .refine(
    (value) => fitsInBytes(JSON.stringify(value) ?? '', noteLimits.propertiesBytesMax),
    tooLarge,
  )
  .transform((value) => value as NoteProperties)
  .meta({ type: 'object', additionalProperties: true, description });

/** The properties in responses; they were validated on input. */
export const noteProperties = z
  .custom<NoteProperties>()
  .meta({ type: 'object', additionalProperties: true, description });
