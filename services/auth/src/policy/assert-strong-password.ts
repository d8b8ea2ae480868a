import { AppError } from '@commonplace/contracts/core';
import { passwordLengthMax, passwordLengthMin } from '@commonplace/contracts/auth';
import { commonPasswordParts } from './common-passwords.ts';

/** How much of a password must remain without its common parts. */
const ownCharactersMin = 4;
const distinctCharactersMin = 5;
/** How many characters must remain without the account's name. */
const besidesNameMin = 10;

/**
 * Throws 422 `weak_password` with the reason. Checks the length after NFKC, in code points, then
 * what attackers guess first. There are no composition rules, because they make passwords worse
 * (NIST SP 800-63B section 3.1.1).
 */
export const assertStrongPassword = (password: string, email: string): void => {
  const weakness = weaknessOf(password.normalize('NFKC'), email);
  if (weakness) {
    throw new AppError('weak_password', weakness);
  }
};

/** Throws 422 `weak_password` for a new password that is the current one. */
export const assertOtherPassword = (current: string, next: string): void => {
  if (current.normalize('NFKC') === next.normalize('NFKC')) {
    throw new AppError('weak_password', 'The new password is the one that you have.');
  }
};

const weaknessOf = (password: string, email: string): string | null => {
  const length = [...password].length;
  if (length < passwordLengthMin) {
    return `Use at least ${passwordLengthMin} characters; a few words make a good password.`;
  }
  if (length > passwordLengthMax) {
    return `Use at most ${passwordLengthMax} characters.`;
  }
  const plain = password.toLowerCase();
  if (new Set(plain).size < distinctCharactersMin || isRepetition(plain)) {
    return 'The password repeats itself.';
  }
  if (isBuiltOnName(plain, email)) {
    return 'The password is little more than your email address.';
  }
  return isCommon(plain) ? 'The password is too common.' : null;
};

/** One to eight characters repeated, the last repetition possibly cut. */
const isRepetition = (plain: string): boolean => {
  for (let size = 1; size <= 8; size += 1) {
    if (
      plain ===
      plain
        .slice(0, size)
        .repeat(Math.ceil(plain.length / size))
        .slice(0, plain.length)
    ) {
      return true;
    }
  }
  return false;
};

const isBuiltOnName = (plain: string, email: string): boolean => {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const names = [local, domain, ...domain.split('.')].filter((name) => name.length >= 3);
  return (
    names.some((name) => plain.includes(name)) && without(plain, names).length < besidesNameMin
  );
};

const isCommon = (plain: string): boolean => {
  const parts = commonPasswordParts.toSorted((a, b) => b.length - a.length);
  const rests = [plain, withLetters(plain)].map((text) =>
    withoutRuns(without(text, parts).replaceAll(/[\s\p{P}]/gu, '')),
  );
  return rests.some((rest) => rest.length < ownCharactersMin);
};

const without = (text: string, parts: readonly string[]): string =>
  parts.reduce((rest, part) => rest.replaceAll(part, ''), text);

/** Replaces signs that stand for letters: `p@ssw0rd`. */
const withLetters = (text: string): string =>
  text.replaceAll(/[@4301!$57]/g, (sign) => lettersOfSigns[sign] ?? sign);

const lettersOfSigns: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '0': 'o',
  '1': 'i',
  '!': 'i',
  $: 's',
  '5': 's',
  '7': 't',
};

/**
 * Removes years, and runs of three or more that stay, rise or fall by one (`aaa`, `1234`, `cba`).
 */
const withoutRuns = (text: string): string => {
  let rest = '';
  let run = '';
  let step: number | null = null;
  const keepShort = () => {
    rest += run.length >= 3 ? '' : run;
  };
  for (const character of text.replaceAll(/(?:19|20)\d\d/g, '')) {
    const next = run === '' ? null : distance(run.slice(-1), character);
    const goesOn: boolean =
      next !== null && Math.abs(next) <= 1 && (step === null || next === step);
    if (!goesOn) {
      keepShort();
      run = '';
    }
    step = goesOn ? next : null;
    run += character;
  }
  keepShort();
  return rest;
};

/** The distance between two characters; 0 follows 9, as on a keyboard. */
const distance = (from: string, to: string): number =>
  from + to === '90' ? 1 : (to.codePointAt(0) ?? 0) - (from.codePointAt(0) ?? 0);
