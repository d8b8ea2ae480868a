import { diffLines } from '../diff/diff-lines.ts';

/** Lines that both versions of a conflict have, or a change in which they differ. */
export type ConflictPart =
  | { readonly kind: 'same'; readonly text: string }
  | { readonly kind: 'change'; readonly current: string; readonly other: string };

/** What is kept of a change; both: the lines of the current version first. */
export type ChangeChoice = 'current' | 'other' | 'both';

/** What is chosen of each change; undefined: not decided. */
export type Choices = readonly (ChangeChoice | undefined)[];

const changesMax = 1_000;

/** Two versions of a text as what they share and where they differ; null if that would take too long to find. */
export const conflictParts = (current: string, other: string): readonly ConflictPart[] | null => {
  const found = diffLines(current, other, { maxEditLength: changesMax });
  const parts: ConflictPart[] = [];
  for (const { value, added, removed } of found ?? []) {
    const last = parts.at(-1);
    if (!added && !removed) {
      parts.push({ kind: 'same', text: value });
    } else if (added && last?.kind === 'change' && last.other === '') {
      parts[parts.length - 1] = { ...last, other: value };
    } else {
      const [own, theirs] = added ? ['', value] : [value, ''];
      parts.push({ kind: 'change', current: own, other: theirs });
    }
  }
  return found && parts;
};

/** The text that choices make, in the order of the changes; both for a change without one. */
export const textOfChoices = (parts: readonly ConflictPart[], choices: Choices): string => {
  let text = '';
  let change = 0;
  for (const part of parts) {
    if (part.kind === 'same') {
      text = joined(text, part.text);
    } else {
      const choice = choices[change] ?? 'both';
      change += 1;
      text = choice === 'other' ? text : joined(text, part.current);
      text = choice === 'current' ? text : joined(text, part.other);
    }
  }
  return text;
};

/**
 * The choices of newer versions: those of changes that have the same two sides as before. Of several that are alike, one may
 * have gone, so there are as many of them as before, or none is carried over.
 */
export const carryChoices = (
  before: readonly ConflictPart[],
  choices: Choices,
  after: readonly ConflictPart[],
): Choices => {
  const chosen = Map.groupBy(
    sidesOf(before).map((sides, change) => ({ sides, choice: choices[change] })),
    ({ sides }) => sides,
  );
  const present = Map.groupBy(sidesOf(after), (sides) => sides);
  const taken = new Map<string, number>();
  return sidesOf(after).map((sides) => {
    const alike = chosen.get(sides) ?? [];
    const at = taken.get(sides) ?? 0;
    taken.set(sides, at + 1);
    return alike.length === present.get(sides)?.length ? alike[at]?.choice : undefined;
  });
};

/** Each change, as a text that is the same for the same two sides. */
const sidesOf = (parts: readonly ConflictPart[]): readonly string[] =>
  parts.flatMap((part) =>
    part.kind === 'change' ? [JSON.stringify([part.current, part.other])] : [],
  );

/** The last line of a version may have no line feed of its own. */
const joined = (before: string, after: string): string =>
  before === '' || after === '' || before.endsWith('\n') ? before + after : `${before}\n${after}`;
