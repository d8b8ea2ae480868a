import {
  inputRequired,
  type InputRequests,
  type InputRequiredResult,
} from '@modelcontextprotocol/server';
import { textOf } from './samples.ts';

/** A request for one text of the user, or a confirmation. */
const formOf = (property: string) =>
  inputRequired.elicit({
    message: `Please give: ${property}`,
    requestedSchema: {
      type: 'object',
      properties: { [property]: property === 'ok' ? { type: 'boolean' } : { type: 'string' } },
      required: [property],
    },
  });

/** A request for a completion. */
export const completionOf = (prompt: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: textOf(prompt) }],
    maxTokens: 100,
  });

/** The requests for forms with one property each, by key. */
export const formsOf = (properties: Readonly<Record<string, string>>): InputRequests =>
  Object.fromEntries(Object.entries(properties).map(([key, property]) => [key, formOf(property)]));

/** The result that requests these forms. */
export const requestForms = (
  properties: Readonly<Record<string, string>>,
  requestState?: string,
): InputRequiredResult =>
  inputRequired({
    inputRequests: formsOf(properties),
    ...(requestState === undefined ? {} : { requestState }),
  });
