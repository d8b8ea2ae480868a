import type { Schema } from '@commonplace/client';
import { formatDuration } from '../../components/format-duration.ts';
import { isId } from '../../components/is-id.ts';
import { moneyOf, type Money } from '../../components/money.ts';
import { describeGrants, type Grant } from '../agents/grant-choice.ts';
import { describeScopes, type Scope } from '../agents/scopes.ts';
import { deciderWords, type Decider } from '../settings/decider-words.ts';
import { partsOf, type Use } from './detail-parts.ts';

type Entry = Schema<'ActivityEntry'>;

/** What an entry does not contain itself. */
type Context = {
  readonly nameOf: (id: unknown) => string | undefined;
  readonly money: Money;
};

/** The details of an entry as text: the agent it concerns, and all values that are not empty. Ids are whole. */
export const describeDetail = (entry: Entry, context: Context): string => {
  const { action, entity, detail } = entry;
  const { nameOf } = context;
  const agentName = entity.type === 'agent' ? nameOf(entity.id) : undefined;
  const isRedundant = agentName !== undefined && agentName === detail['name'];
  const parts = partsOf(entry)
    .filter(([, value]) => value !== null && value !== '' && !isUnchanged(value))
    .toSorted(([one], [other]) => rankOf(one) - rankOf(other))
    .map(([key, value]) => describeValue(key, value, context));
  const names = agentName === undefined || isRedundant ? [] : [agentName];
  return [...names, ...parts, ...meansOf(action, entity)].join(' · ');
};

/** What the agent had written that was undone. A run has a link. */
const meansOf = (action: Entry['action'], { type }: Entry['entity']): readonly string[] =>
  action === 'notes.undone' && (type === 'key' || type === 'connection')
    ? [`what it wrote with a ${type}`]
    : [];

/** Who and what an entry is about comes first. */
const namesFirst = ['whose', 'agentId', 'name', 'email', 'change', 'use', 'status'];

const rankOf = (key: string): number =>
  namesFirst.includes(key) ? namesFirst.indexOf(key) : namesFirst.length;

const describeValue = (key: string, value: unknown, context: Context): string => {
  if (isChange(value)) {
    const [from, to] = [value.from, value.to].map((each) => valueText(key, each, context));
    return key === 'change' || key === 'deciders'
      ? `${from} → ${to}`
      : `${labelOf(key)}: ${from} → ${to}`;
  }
  const text = valueText(key, value, context);
  switch (key) {
    case 'agentId':
    case 'name':
    case 'email':
    case 'client':
    case 'whose':
    case 'use':
    case 'status':
    case 'ended':
    case 'adopted':
      return text;
    case 'takesBack':
      return `takes back ${text}`;
    case 'replacedBy':
      return `replaced by key ${text}`;
    case 'expiresAt':
    case 'tokenExpiresAt':
      return `${labels[key]} ${text}`;
    case 'reportsTo':
      return `reports to ${text}`;
    case 'grants':
      return `reaches ${text}`;
    case 'overlapSeconds':
      return value === 0 ? 'the old key ends at once' : `the old key ends in ${text}`;
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

const isUnchanged = (value: unknown): boolean =>
  isChange(value) && JSON.stringify(value.from) === JSON.stringify(value.to);

const valueText = (key: string, value: unknown, context: Context): string => {
  const { nameOf, money } = context;
  if (key === 'grants') {
    return value === null ? 'all notes' : describeGrants(value as readonly Grant[]);
  }
  if (value === null || value === '') {
    return 'none';
  }
  switch (key) {
    case 'agentId':
    case 'reportsTo':
      return nameOf(value) ?? textOf(value, context);
    case 'client': {
      const { name, host } = value as Schema<'ConnectionClient'>;
      return `${name} (${host})`;
    }
    case 'use':
      return describeUse(value as Use, money);
    case 'because':
      return value === 'budget' ? 'a report exceeded the budget' : textOf(value, context);
    case 'deciders':
      return deciderWords[value as Decider] ?? textOf(value, context);
    case 'scopes':
      return describeScopes(value as readonly Scope[]);
    case 'overlapSeconds':
      return formatDuration(Number(value) * 1000);
    default:
      return amountOf(key, value, money) ?? textOf(value, context);
  }
};

const amountOf = (key: string, value: unknown, money: Money): string | null =>
  key.endsWith('Cents') && typeof value === 'number' ? money.format(value) : null;

const describeUse = ({ unit = '', limit, used, month, currency }: Use, money: Money): string => {
  const inMonth = typeof month === 'string' ? ` in ${monthText(month)}` : '';
  if (unit !== 'cents') {
    return `${integer.format(used)} of ${integer.format(limit)} ${String(unit)} used${inMonth}`;
  }
  // Amounts are those of the time of the entry.
  const { format } = typeof currency === 'string' ? moneyOf(currency) : money;
  return `${format(used)} of ${format(limit)} used${inMonth}`;
};

/** Names of values that a reader would not understand. */
const labels: Readonly<Record<string, string>> = {
  monthlyCents: 'monthly budget',
  expiresAt: 'expires',
  tokenExpiresAt: 'token expires',
};

const labelOf = (key: string): string =>
  labels[key] ??
  key.replace(/(?:Cents|Id)$/, '').replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);

const integer = new Intl.NumberFormat();
const isTime = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const monthFormat = new Intl.DateTimeFormat(undefined, {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** "2026-11" in words. */
const monthText = (month: string): string => {
  const date = new Date(`${month}-01T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? month : monthFormat.format(date);
};

const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

const textOf = (value: unknown, context: Context): string => {
  if (typeof value === 'string') {
    return isId(value) ? (context.nameOf(value) ?? value) : timeText(value);
  }
  if (typeof value === 'number') {
    return integer.format(value);
  }
  if (typeof value === 'boolean') {
    return value ? 'yes' : 'no';
  }
  if (Array.isArray(value)) {
    return value.map((each) => textOf(each, context)).join(', ');
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value)
        .filter(([, each]) => each !== null && each !== '')
        .map(
          ([key, each]) =>
            `${labelOf(key)} ${amountOf(key, each, context.money) ?? textOf(each, context)}`,
        )
        .join(', ')
    : String(value);
};

const timeText = (text: string): string => (isTime.test(text) ? time.format(new Date(text)) : text);
