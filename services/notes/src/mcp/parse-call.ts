import { AppError } from '@commonplace/contracts/core';
import { fieldErrors } from '@commonplace/http';
import type { z } from 'zod';
import { oneLine } from './format.ts';

/** Of the names of unknown arguments, which are the caller's. */
const nameBytesMax = 60;
const namesMax = 10;

/** Parses the arguments of a call. Errors name the unknown ones, and those that are allowed in their place. */
export const parseCall = <Input extends z.ZodType>(
  input: Input,
  args: unknown,
): z.output<Input> => {
  const result = input.safeParse(args);
  if (result.success) {
    return result.data;
  }
  const issues = result.error.issues.map((issue) =>
    issue.code === 'unrecognized_keys'
      ? { ...issue, message: unknownArguments(issue.keys, allowedAt(input, issue.path, args)) }
      : issue,
  );
  throw new AppError('validation_failed', 'The call is not valid.', {
    errors: fieldErrors(issues),
  });
};

/** Says which arguments are not known, and which are. */
export const unknownArguments = (names: readonly string[], allowed: readonly string[]): string => {
  const shown = names.slice(0, namesMax).map((name) => oneLine(name, nameBytesMax) || '""');
  return `not allowed: ${shown.join(', ')}; allowed: ${allowed.join(', ') || 'none'}`;
};

/** The names that the schema takes at a path of the given value. */
const allowedAt = (
  schema: z.core.$ZodType,
  path: readonly PropertyKey[],
  value: unknown,
): readonly string[] => {
  const { def } = schema._zod as unknown as { readonly def: SchemaDef };
  const inner = def.innerType ?? def.in;
  if (inner) {
    return allowedAt(inner, path, value);
  }
  if (def.options && def.discriminator !== undefined) {
    const option = def.options.find((each) => isOption(each, def.discriminator ?? '', value));
    return option ? allowedAt(option, path, value) : [];
  }
  const [step, ...rest] = path;
  if (step === undefined) {
    return Object.keys(def.shape ?? {});
  }
  const next = def.element ?? def.shape?.[String(step)];
  return next ? allowedAt(next, rest, Object(value)[step]) : [];
};

/** What `allowedAt` reads of a schema. */
type SchemaDef = {
  readonly innerType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly discriminator?: string;
  readonly element?: z.core.$ZodType;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
};

const isOption = (option: z.core.$ZodType, discriminator: string, value: unknown): boolean =>
  option._zod.propValues?.[discriminator]?.has(Object(value)[discriminator]) === true;
