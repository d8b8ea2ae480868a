import { z } from 'zod';
import type { Setting } from './setting.ts';
import { settings, type SettingName } from './settings.ts';

/** Every setting as it was given, if it was: checked, and still a text for the process that reads it. */
export const givenFields = (): Record<SettingName, z.ZodOptional<z.ZodString>> =>
  Object.fromEntries(
    Object.entries(settings).map(([name, setting]) => [name, checkedText(setting).optional()]),
  ) as Record<SettingName, z.ZodOptional<z.ZodString>>;

const checkedText = ({ field }: Setting): z.ZodString =>
  z.string().superRefine((text, context) => {
    for (const { message } of field.safeParse(text).error?.issues ?? []) {
      context.addIssue({ code: 'custom', message });
    }
  });
