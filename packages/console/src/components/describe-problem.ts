type FieldProblem = { readonly path: string; readonly message: string };

/** Messages of the API that a person reads better in other words. Those of the schema library begin with a capital. */
const words: readonly (readonly [RegExp, string])[] = [
  [/^(?:must be a UUID|Invalid UUID)/, 'must be an ID'],
  [/^must not hold /, 'has characters that cannot be stored'],
  [/^must be in Unicode normal form C/, 'has characters that cannot be stored'],
  [
    /^must be segments separated by/,
    'is not a folder: use names separated by slashes, none of them empty',
  ],
  [/^is not a cursor/, 'does not fit this list: reload the page'],
  [/^Invalid email/, 'is not an email address'],
  [/^Invalid option/, 'is not one of the choices'],
  [/^Unrecognized key/, 'has a field that the server does not know'],
  [/^Too small: expected (?:string|array)/, 'is empty or too short'],
  [/^Too big: expected (?:string|array)/, 'is too long'],
  [/^Too small: .*>=?(-?[\d.]+)/, 'must be at least $1'],
  [/^Too big: .*<=?(-?[\d.]+)/, 'must be at most $1'],
  [/^Invalid input/, 'is missing or has the wrong type'],
];

/** What is wrong with a field, by its name as an operator knows it: "Reports to: must not be …". */
export const describeProblem = ({ path, message }: FieldProblem): string => {
  const name = path
    .split('/')
    .filter((part) => part !== '' && !/^\d+$/.test(part))
    .at(-1)
    ?.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .replace(/ Id$/, '')
    .toLowerCase();
  const text = inWords(message);
  return name ? `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${text}` : text;
};

/** What follows the part that matches is meant for programs. */
const inWords = (message: string): string => {
  for (const [pattern, text] of words) {
    const match = pattern.exec(message);
    if (match) {
      return text.replace('$1', match[1] ?? '');
    }
  }
  return message;
};
