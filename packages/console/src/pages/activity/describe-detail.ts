import type { Schema } from '@commonplace/client';
import type { Money } from '../../components/money.ts';
import { describeGrants, type Grant } from '../agents/grant-choice.ts';

type Entry = Schema<'ActivityEntry'>;

/** What an entry does not contain itself. */
type Context = {
  readonly nameOf: (agentId: unknown) => string | undefined;
  readonly money: Money;
};

/** The details of an entry as text: the agent it concerns, and all values that are not empty. */
export const describeDetail = ({ entity, detail }: Entry, context: Context): string => {
  const { nameOf } = context;
  const agentName = entity.type === 'agent' ? nameOf(entity.id) : undefined;
  const isRedundant = agentName !== undefined && agentName === detail['name'];
  const parts = Object.entries(detail)
    .filter(([, value]) => value !== null && value !== '')
    .toSorted(([one], [other]) => rankOf(one) - rankOf(other))
    .map(([key, value]) => describeValue(key, value, context));
  return [...(agentName === undefined || isRedundant ? [] : [agentName]), ...parts].join(' · ');
};

/** Who and what an entry is about comes first. */
const namesFirst = ['agentId', 'name', 'email'];

const rankOf = (key: string): number =>
  namesFirst.includes(key) ? namesFirst.indexOf(key) : namesFirst.length;

const describeValue = (key: string, value: unknown, context: Context): string => {
  if (isChange(value)) {
    const [from, to] = [value.from, value.to].map((each) => valueText(key, each, context));
    return `${labelOf(key)}: ${from} → ${to}`;
  }
  const text = valueText(key, value, context);
  switch (key) {
    case 'agentId':
    case 'name':
    case 'email':
    case 'client':
      return text;
    case 'reportsTo':
      return `reports to ${text}`;
    case 'grants':
      return `reaches ${text}`;
    default:
      return key.endsWith('Cents') ? `${labelOf(key)} ${text}` : `${labelOf(key)}: ${text}`;
  }
};

type Change = { readonly from: unknown; readonly to: unknown };

const isChange = (value: unknown): value is Change =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length === 2 &&
  'from' in value &&
  'to' in value;

const valueText = (key: string, value: unknown, { nameOf, money }: Context): string => {
  if (key === 'grants') {
    return value === null ? 'all notes' : describeGrants(value as readonly Grant[]);
  }
  if (value === null || value === '') {
    return 'none';
  }
  if (key === 'agentId' || key === 'reportsTo') {
    return nameOf(value) ?? textOf(value);
  }
  if (key === 'client') {
    const { name, host } = value as Schema<'ConnectionClient'>;
    return `${name} (${host})`;
  }
  return key.endsWith('Cents') && typeof value === 'number' ? money.format(value) : textOf(value);
};

const labelOf = (key: string): string =>
  key.replace(/Cents$/, '').replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);

const isTime = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

const textOf = (value: unknown): string => {
  if (typeof value === 'string') {
    return isTime.test(value) ? time.format(new Date(value)) : value;
  }
  if (typeof value === 'boolean') {
    return value ? 'yes' : 'no';
  }
  if (Array.isArray(value)) {
    return value.map(textOf).join(', ');
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value)
        .filter(([, each]) => each !== null && each !== '')
        .map(([key, each]) => `${labelOf(key)} ${textOf(each)}`)
        .join(', ')
    : String(value);
};
