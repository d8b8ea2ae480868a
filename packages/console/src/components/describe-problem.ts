type FieldProblem = { readonly path: string; readonly message: string };

/** Messages of the API that a person reads better in other words. */
const words: Readonly<Record<string, string>> = { 'must be a UUID': 'is not an ID' };

/** What is wrong with a field, by its name as an operator knows it: "Reports to: must not be …". */
export const describeProblem = ({ path, message }: FieldProblem): string => {
  const name = path
    .split('/')
    .filter((part) => part !== '' && !/^\d+$/.test(part))
    .at(-1)
    ?.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replace(/ Id$/, '')
    .toLowerCase();
  const text = words[message] ?? message;
  return name ? `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${text}` : text;
};
