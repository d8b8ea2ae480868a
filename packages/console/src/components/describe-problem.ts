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

/** By names of the API, the labels of fields and their names in a form. */
export type FieldLabels = Readonly<
  Record<string, { readonly label: string; readonly field: string }>
>;

/** Fields whose label is not their name in the API, as most forms have them. */
const commonLabels: FieldLabels = {
  monthlyCents: { label: 'Monthly budget', field: 'monthly' },
  monthlyTokens: { label: 'Monthly tokens', field: 'tokens' },
  expiresAt: { label: 'Days until it expires', field: 'days' },
  grants: { label: 'Reaches', field: 'grants' },
  proposalsDecidedBy: { label: 'Who decides about proposals', field: 'proposalsDecidedBy' },
  to: { label: 'Until', field: 'to' },
};

/** The names in a path, innermost first: of `/budget/monthlyCents` the last is what an operator knows. */
const namesIn = (path: string): readonly string[] =>
  path
    .split('/')
    .filter((part) => part !== '' && !/^\d+$/.test(part))
    .toReversed();

/** What is wrong with a field, by its label: "Reports to: must not be …". A form may have labels of its own. */
export const describeProblem = (
  { path, message }: FieldProblem,
  ownLabels?: FieldLabels,
): string => {
  const labels = { ...commonLabels, ...ownLabels };
  const [name] = namesIn(path);
  const text = inWords(message, labels);
  return name === undefined ? text : `${labelOf(name, labels)}: ${text}`;
};

/** What is wrong, to be shown at one of these fields of a form; null if it is with none of them. */
export const problemAtField = (
  { path, message }: FieldProblem,
  fields: readonly string[],
  ownLabels?: FieldLabels,
): { readonly field: string; readonly text: string } | null => {
  const labels = { ...commonLabels, ...ownLabels };
  const field = namesIn(path)
    .map((name) => labels[name]?.field ?? name)
    .find((name) => fields.includes(name));
  return field === undefined ? null : { field, text: capitalised(inWords(message, labels)) };
};

const labelOf = (name: string, labels: FieldLabels): string =>
  labels[name]?.label ??
  capitalised(
    name
      .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .replace(/ Id$/, '')
      .toLowerCase(),
  );

const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** What follows the part that matches is meant for programs. */
const inWords = (message: string, labels: FieldLabels): string => {
  for (const [pattern, text] of words) {
    const match = pattern.exec(message);
    if (match) {
      return text.replace('$1', match[1] ?? '');
    }
  }
  // Another field, by its name in the API.
  return message.replaceAll(/`([A-Za-z]+)`/g, (_, name: string) => `“${labelOf(name, labels)}”`);
};
