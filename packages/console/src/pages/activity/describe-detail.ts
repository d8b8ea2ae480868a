import type { Schema } from '@commonplace/client';
import { formatCents } from '../../components/format-cents.ts';

type Entry = Schema<'ActivityEntry'>;
type NameOf = (agentId: unknown) => string | undefined;

/** The details of an entry as text: the agent it concerns, and all values that are not empty. */
export const describeDetail = ({ entity, detail }: Entry, nameOf: NameOf): string => {
  const agentName = entity.type === 'agent' ? nameOf(entity.id) : undefined;
  const isRedundant = agentName !== undefined && agentName === detail['name'];
  const parts = Object.entries(detail)
    .filter(([, value]) => value !== null && value !== '')
    .map(([key, value]) => describeValue(key, value, nameOf));
  return [...(agentName === undefined || isRedundant ? [] : [agentName]), ...parts].join(' · ');
};

const describeValue = (key: string, value: unknown, nameOf: NameOf): string => {
  if (key === 'agentId') {
    return nameOf(value) ?? String(value);
  }
  if (key === 'name' || key === 'email') {
    return String(value);
  }
  if (key === 'reportsTo') {
    return `reports to ${nameOf(value) ?? String(value)}`;
  }
  const label = key
    .replace(/Cents$/, '')
    .replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
  return key.endsWith('Cents') && typeof value === 'number'
    ? `${label} ${formatCents(value)}`
    : `${label}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
};
