import { AppError } from '@commonplace/contracts/core';

/** Names of arguments by the names that models also use. */
export type Aliases = Readonly<Record<string, string>>;

type ArgumentTypes = {
  readonly aliases: Aliases;
  readonly properties?: Readonly<Record<string, { readonly type?: string }>> | undefined;
};

/**
 * The arguments of a call under their own names. Some clients send numbers, flags and lists as text; they are
 * converted where the schema of the argument leaves no doubt. Null is as good as absent.
 */
export const readArguments = (
  given: unknown,
  { aliases, properties = {} }: ArgumentTypes,
): Record<string, unknown> => {
  if (given === undefined || given === null) {
    return {};
  }
  if (typeof given !== 'object' || Array.isArray(given)) {
    throw new AppError('validation_failed', 'The arguments must be an object.');
  }
  const named = Object.entries(given)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => {
      const own = renamed(name, given, aliases);
      return [own, converted(value, properties[own]?.type)] as const;
    });
  return Object.fromEntries(named);
};

/** An alias counts only where the argument itself is absent. */
export const renamed = (name: string, given: object, aliases: Aliases): string => {
  const own = aliases[name];
  return own !== undefined && !Object.hasOwn(given, own) ? own : name;
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
