import { readers } from './setting.ts';
import { settings, settingsReadBy, type SettingName } from './settings.ts';

const end = '      # End of the settings.\n';

/** Replaces the settings of each container of docker-compose.yml, between two comments. */
export const composeEnvironment = (compose: string): string =>
  readers.reduce((text, reader) => {
    const begin = `      # Settings of ${reader}, written by \`pnpm settings\`.\n`;
    const from = text.indexOf(begin) + begin.length;
    const to = text.indexOf(end, from);
    if (from < begin.length || to < 0) {
      throw new Error(`docker-compose.yml has no place for the settings of ${reader}`);
    }
    return text.slice(0, from) + settingsReadBy(reader).flatMap(linesOf).join('') + text.slice(to);
  }, compose);

const linesOf = (name: SettingName): string[] => {
  const { comment, containerDefault, default: text = '', isSecret } = settings[name];
  if (comment === null) {
    return [];
  }
  // An empty value stands for an absent one, except where it decides who is let in.
  const value = containerDefault === undefined ? `:-${text}` : `-${containerDefault}`;
  return [
    `      ${name}: \${${name}${value}}\n`,
    ...(isSecret ? [`      ${name}_FILE: \${${name}_FILE:-}\n`] : []),
  ];
};
