import { containerDefaults, databasePasswords } from './container-defaults.ts';
import type { Setting, SettingRow } from './setting.ts';
import { settingSections } from './settings.ts';

const header = `# Settings of docker-compose. \`pnpm secrets\` makes a .env from this file, with fresh secrets, once.
# docs/deployment.md explains how to choose and how to change them. Written by \`pnpm settings\`.
`;

const files =
  'Files in place of the variables above, for secrets that another program keeps: absolute paths on this host. The user 1000 must be able to read them, of POSTGRES_PASSWORD root. Leave the variable itself empty.';

const lineMax = 118;

/** The text of .env.example: every setting of docker-compose, explained, with its default. */
export const envExample = (): string =>
  `${header}\n${[
    ...settingSections.map(linesOfSection),
    ...[...containerDefaults, databasePasswords].map(({ comment, defaults }) =>
      [...commentLines(comment), ...Object.entries(defaults).map(assignment)].join('\n'),
    ),
    [...commentLines(files), ...secretNames().map((name) => `${name}_FILE=`)].join('\n'),
  ].join('\n\n')}\n`;

const linesOfSection = (rows: readonly SettingRow[]): string =>
  settingsOf(rows)
    .filter(isOfContainers)
    .flatMap(([name, { comment, containerDefault, default: text }]) => [
      ...(comment ? commentLines(comment) : []),
      assignment([name, containerDefault ?? text ?? '']),
    ])
    .join('\n');

const secretNames = (): string[] => [
  ...Object.keys(databasePasswords.defaults),
  ...settingSections
    .flatMap(settingsOf)
    .filter(([, { isSecret }]) => isSecret)
    .map(([name]) => name),
];

const settingsOf = (rows: readonly SettingRow[]): (readonly [string, Setting])[] =>
  rows.flatMap((row) => Object.entries(row.settings));

const isOfContainers = ([, { comment }]: readonly [string, Setting]): boolean => comment !== null;

const assignment = ([name, value]: readonly [string, string]): string => `${name}=${value}`;

/** The lines of a comment, wrapped between words. */
const commentLines = (comment: string): string[] => {
  const lines: string[] = [];
  let line = '#';
  for (const word of comment.split(' ')) {
    if (line.length + word.length > lineMax) {
      lines.push(line);
      line = '#';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
};
