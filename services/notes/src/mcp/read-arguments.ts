import { AppError } from '@commonplace/contracts/core';
import { unknownArguments } from './parse-call.ts';

/** Names of arguments by the names that models also use. */
export type Aliases = Readonly<Record<string, string>>;

type ArgumentTypes = {
  readonly aliases: Aliases;
  readonly properties?: Readonly<Record<string, { readonly type?: string }>> | undefined;
  /** Further names that are known. */
  readonly others?: readonly string[];
};

/**
 * The arguments of a call under their own names. Some clients send numbers, flags and lists as text; they are
 * converted where the schema of the argument leaves no doubt. For a known argument, null counts as absent.
 */
export const readArguments = (
  given: unknown,
  { aliases, properties = {}, others = [] }: ArgumentTypes,
): Record<string, unknown> => {
  if (given === undefined || given === null) {
    return {};
  }
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw new AppError('validation_failed', 'The arguments must be an object.');
  }
  const known = [...Object.keys(properties), ...others];
  const named = renamed(given, { aliases, known });
  // Named before anything else is wrong with the call.
  const unknown = Object.keys(named).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new AppError(
      'validation_failed',
      `The call is not valid: ${unknownArguments(unknown, Object.keys(properties))}`,
    );
  }
  return withTypes(named, properties);
};

/** Converts values that are sent as text where the schema of the argument leaves no doubt. */
export const withTypes = (
  named: Readonly<Record<string, unknown>>,
  properties: Readonly<Record<string, { readonly type?: string }>>,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(named).map(([name, value]) => [name, converted(value, properties[name]?.type)]),
  );

type Names = { readonly aliases: Aliases; readonly known: readonly string[] };

/**
 * The members of an object under their own names, without nulls of known ones. Two names of one member are an error,
 * because one of the values would be lost.
 */
export const renamed = (given: object, { aliases, known }: Names): Record<string, unknown> => {
  const members = new Map<string, { readonly from: string; readonly value: unknown }>();
  for (const [from, value] of Object.entries(given)) {
    const name = Object.hasOwn(aliases, from) ? (aliases[from] ?? from) : from;
    if (value === null && known.includes(name)) {
      continue;
    }
    const other = members.get(name);
    if (other) {
      throw new AppError(
        'validation_failed',
        `${other.from} and ${from} are names of the same argument: give one of them.`,
      );
    }
    members.set(name, { from, value });
  }
  return Object.fromEntries([...members].map(([name, { value }]) => [name, value]));
};

const converted = (value: unknown, type: string | undefined): unknown => {
  if (typeof value !== 'string') {
    return type === 'array' && typeof value === 'object' && !Array.isArray(value) ? [value] : value;
  }
  switch (type) {
    case 'integer':
      return /^\d{1,15}$/.test(value) ? Number(value) : value;
    case 'boolean':
      return value === 'true' || (value === 'false' ? false : value);
    case 'array':
      return parsedJson(value) ?? [value];
    default:
      return value;
  }
};

const parsedJson = (text: string): unknown => {
  if (!/^\s*[[{]/.test(text)) {
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return undefined;
  }
};
