import type { z } from 'zod';
import { addressSettings } from './address-settings.ts';
import { databaseSettings } from './database-settings.ts';
import { limitSettings } from './limit-settings.ts';
import { observabilitySettings } from './observability-settings.ts';
import { searchSettings } from './search-settings.ts';
import { secretSettings } from './secret-settings.ts';
import type { Reader, Setting, SettingRow } from './setting.ts';
import { signInSettings } from './sign-in-settings.ts';

/** All rows of the table, in the order of docs/configuration.md and .env.example. */
const sections = [
  addressSettings,
  signInSettings,
  databaseSettings,
  limitSettings,
  searchSettings,
  observabilitySettings,
  secretSettings,
] as const;

export const settingSections: readonly (readonly SettingRow[])[] = sections;

type ToIntersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** The settings by name. */
type Settings = ToIntersection<(typeof sections)[number][number]['settings']>;

type FieldOf<One> = One extends { readonly field: infer Field extends z.ZodType }
  ? One extends { readonly default: string }
    ? z.ZodPrefault<Field>
    : One extends { readonly isRequired: true }
      ? Field
      : z.ZodOptional<Field>
  : never;

type ReadBy<One, Name extends Reader> = One extends { readonly readBy: readonly (infer Each)[] }
  ? Name extends Each
    ? true
    : never
  : never;

/** The fields of a process, for the schema of its environment. */
export type FieldsReadBy<Name extends Reader> = {
  [Key in keyof Settings as ReadBy<Settings[Key], Name> extends never ? never : Key]: FieldOf<
    Settings[Key]
  >;
};

export type SettingName = keyof Settings;

/** Every setting of `pnpm start`, by name. */
export const settings: Readonly<Record<SettingName, Setting>> = Object.assign(
  {},
  ...sections.flat().map((row) => row.settings),
);

/** The names of the settings that a process reads. */
export const settingsReadBy = (reader: Reader): SettingName[] =>
  namesOf(settings).filter((name) => settings[name].readBy.includes(reader));

/** The fields of a process, for the schema of its environment. */
export const fieldsReadBy = <Name extends Reader>(reader: Name): FieldsReadBy<Name> =>
  fieldsOf(settingsReadBy(reader)) as unknown as FieldsReadBy<Name>;

/** The fields of these settings, for the schema of an environment. */
export const fieldsOf = <const Names extends readonly SettingName[]>(
  names: Names,
): { [Key in Names[number]]: FieldOf<Settings[Key]> } =>
  Object.fromEntries(names.map((name) => [name, fieldOf(settings[name])])) as {
    [Key in Names[number]]: FieldOf<Settings[Key]>;
  };

const fieldOf = ({ field, default: text, isRequired }: Setting): z.ZodType => {
  if (text !== undefined) {
    return field.prefault(text);
  }
  return isRequired ? field : field.optional();
};

const namesOf = <Name extends string>(record: Readonly<Record<Name, unknown>>): Name[] =>
  Object.keys(record) as Name[];
