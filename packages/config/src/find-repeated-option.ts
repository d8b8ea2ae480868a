import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

/**
 * Returns the first option that the arguments have more than once, although only one of its values can count; undefined
 * if there is none. `parseArgs` itself keeps the last one, and says nothing of the others.
 */
export const findRepeatedOption = (
  options: ParseArgsOptionsConfig,
  args: readonly string[],
): string | undefined => {
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
  const repeated = names.find(
    (name, index) => !options[name]?.multiple && names.indexOf(name) < index,
  );
  return repeated === undefined ? undefined : `--${repeated}`;
};
