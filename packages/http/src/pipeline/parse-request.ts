import { AppError, type FieldError } from '@commonplace/contracts/core';
import type { z } from 'zod';

/** A JSON pointer (RFC 6901). */
export const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Bounds the response: a short request must not cause a long one, and names of a request may be as long as itself. */
const errorsMax = 50;
const charactersMax = { path: 500, message: 500 } as const;

/** Turns zod issues into `errors` of a problem: RFC 6901 pointers and messages, 50 at most, each up to 500 characters. */
export const fieldErrors = (issues: readonly z.core.$ZodIssue[]): FieldError[] =>
  boundedErrors(issues.map(({ path, message }) => ({ path: pointerOf(path), message })));

/** The errors that a problem has room for. */
export const boundedErrors = (errors: readonly FieldError[]): FieldError[] =>
  errors.slice(0, errorsMax).map(({ path, message }) => ({
    path: cut(path, charactersMax.path),
    message: cut(message, charactersMax.message),
  }));

const cut = (text: string, lengthMax: number): string =>
  text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1).toWellFormed()}…`;

/** Parses with a schema; throws 400 with every invalid path. */
export const parseOrThrow = <Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  where: string,
): z.output<Schema> => {
  const result = schema.safeParse(value);
  if (!result.success) {
    throw new AppError('validation_failed', `The ${where} is not valid.`, {
      errors: fieldErrors(result.error.issues),
    });
  }
  return result.data;
};

const unwrapped = (schema: z.core.$ZodType): z.core.$ZodType => {
  const { def } = schema._zod;
  return 'innerType' in def ? unwrapped(def.innerType as z.core.$ZodType) : schema;
};

const takesMany = (schema: z.core.$ZodType | undefined): boolean =>
  schema !== undefined && unwrapped(schema)._zod.def.type === 'array';

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new AppError('validation_failed', 'The query is not valid UTF-8.', { cause });
  }
};

/**
 * Parses the query of a request target with its schema. Unknown and repeated parameters are errors; only a
 * parameter whose schema is an array may repeat. A loose schema ignores unknown ones, as some standards require.
 */
export const parseQuery = (
  schema: z.ZodObject | undefined,
  target: string,
): Record<string, unknown> => {
  const start = target.indexOf('?');
  const shape = schema?.shape ?? {};
  const isLoose = schema?.def.catchall?._zod.def.type === 'unknown';
  const values: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const pair of start < 0
    ? []
    : target
        .slice(start + 1)
        .split('&')
        .filter(Boolean)) {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    if (!Object.hasOwn(shape, name)) {
      if (isLoose) {
        continue;
      }
      errors.push({ path: cut(`/${name}`, charactersMax.path), message: 'unknown parameter' });
    } else if (takesMany(shape[name])) {
      values[name] = [...((values[name] as string[] | undefined) ?? []), value];
    } else if (Object.hasOwn(values, name)) {
      errors.push({ path: `/${name}`, message: 'given more than once' });
    } else if (value.includes('\u0000')) {
      errors.push({ path: `/${name}`, message: 'must not hold NUL' });
    } else {
      values[name] = value;
    }
  }
  if (errors.length > 0) {
    throw new AppError('validation_failed', 'The query is not valid.', {
      errors: errors.slice(0, errorsMax),
    });
  }
  return schema ? parseOrThrow(schema, values, 'query') : {};
};
