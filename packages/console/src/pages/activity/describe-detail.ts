import type { Schema } from '@commonplace/client';
import type { Money } from '../../components/money.ts';

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

const describeValue = (key: string, value: unknown, { nameOf, money }: Context): string => {
  if (key === 'agentId') {
    return nameOf(value) ?? String(value);
  }
  if (key === 'name' || key === 'email') {
    return String(value);
  }
  if (key === 'reportsTo') {
    return `reports to ${nameOf(value) ?? String(value)}`;
  }
  if (key === 'client') {
    const { name, host } = value as Schema<'ConnectionClient'>;
    return `${name} (${host})`;
  }
  const label = key
    .replace(/Cents$/, '')
    .replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
  return key.endsWith('Cents') && typeof value === 'number'
    ? `${label} ${money.format(value)}`
    : `${label}: ${textOf(value)}`;
};

const isTime = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? isTime.test(value)
      ? time.format(new Date(value))
      : value
    : Array.isArray(value)
      ? value.map(textOf).join(', ')
      : JSON.stringify(value);
