import type { SettingRow } from './setting.ts';
import { settingSections } from './settings.ts';

/** Replaces the tables of settings and secrets in docs/configuration.md, below the titles of their sections. */
export const settingsPage = (page: string): string => {
  const rows = settingSections.flat();
  const withSettings = replaceTable(
    page,
    'Settings',
    rows.filter((row) => !isOfSecretLists(row)),
  );
  return replaceTable(withSettings, 'Secrets', rows.filter(isOfSecretLists));
};

/** Lists of secrets have a table of their own. */
const isOfSecretLists = ({ settings }: SettingRow): boolean =>
  Object.keys(settings).every((name) => /_(?:SECRETS|PEPPERS)$/.test(name));

const replaceTable = (page: string, title: string, rows: readonly SettingRow[]): string => {
  const table = new RegExp(`(\\n## ${title}\\n\\n\\|[^\\n]*\\n\\|[^\\n]*\\n)(?:\\|[^\\n]*\\n)*`);
  if (!table.test(page)) {
    throw new Error(`docs/configuration.md has no table of ${title}`);
  }
  return page.replace(table, (_, head: string) => `${head}${rows.map(rowOf).join('')}`);
};

const rowOf = ({ settings, defaults, about }: SettingRow): string => {
  const names = Object.keys(settings).map((name) => `\`${name}\``);
  const each = Object.values(settings).map(({ default: text }) => (text ? `\`${text}\`` : 'none'));
  const same = new Set(each).size === 1 ? each.slice(0, 1) : each;
  return `| ${names.join(', ')} | ${defaults ?? same.join(', ')} | ${about} |\n`;
};
