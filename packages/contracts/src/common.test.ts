import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { returnPath } from './auth/oidc-sign-in.ts';
import { email, lineOfText, queryInt, timestamp, toLineOfText } from './common.ts';
import { publicRoutes, type RouteContract } from './index.ts';

const messages = (schema: typeof timestamp | ReturnType<typeof queryInt>, input: string) =>
  schema.safeParse(input).error?.issues.map(({ message }) => message);

describe('the error of a time', () => {
  const form = 'must be UTC with milliseconds, as 2026-01-31T09:30:00.000Z';

  it.each([
    ['2026-01-31T09:30:00Z', 'milliseconds (`.000`)'],
    ['2026-01-31T09:30:00.000', '`Z` for UTC'],
    ['2026-01-31T09:30:00.000+02:00', '`Z` for UTC'],
    ['2026-01-31', 'the time with seconds, milliseconds (`.000`), `Z` for UTC'],
    ['yesterday', 'the date, the time with seconds, milliseconds (`.000`), `Z` for UTC'],
  ])('says what %s lacks', (text, missing) => {
    expect(messages(timestamp, text)).toEqual([`${form}; missing: ${missing}`]);
  });

  it('is that of a year which PostgreSQL has not', () => {
    const message = 'must not be in the year 0000';
    expect(messages(timestamp, '0000-12-31T23:59:59.999Z')).toEqual([message]);
    expect(messages(timestamp, '0001-01-01T00:00:00.000Z')).toBeUndefined();
    expect(messages(timestamp, '9999-12-31T23:59:59.999Z')).toBeUndefined();
  });

  it('shows the form where nothing is missing', () => {
    expect(messages(timestamp, '2026-02-30T09:30:00.000Z')).toEqual([form]);
  });
});

describe('a text that is made a line', () => {
  it('is one, whatever it holds and at whichever character it is cut', () => {
    const max = 20;
    const isLine = (text: string): boolean =>
      lineOfText(1, max).safeParse(toLineOfText(text, max)).success;
    const characters = Array.from({ length: 65_536 }, (_, code) => String.fromCharCode(code));
    const texts = characters.flatMap((character) => [
      `a${character}b`,
      `${character}a${character}`,
      `a${character.repeat(max)}`,
    ]);
    const surrogatePairs = ['\u{1f600}'.repeat(max), `a${'\u{1f600}'.repeat(max)}`];
    expect([...texts, ...surrogatePairs].filter((text) => !isLine(text))).toEqual([]);
  });

  it('keeps what a line may hold', () => {
    expect(toLineOfText(' No such\u2028\u202eprogram:\t/bin/\u{1f600}\n', 100)).toBe(
      'No such program: /bin/\u{1f600}',
    );
  });
});

type Described = {
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly anyOf?: readonly Described[];
  readonly oneOf?: readonly Described[];
};

/** The names of the times in the upper level of a query or body. */
const timesOf = ({ properties = {}, anyOf = [], oneOf = [] }: Described): string[] => [
  ...Object.keys(properties).filter((name) => hasTime(properties[name])),
  ...[...anyOf, ...oneOf].flatMap(timesOf),
];

const hasTime = ({ format = '', anyOf = [] }: Described = {}): boolean =>
  ['date-time', 'date'].includes(format) || anyOf.some(hasTime);

const requested = publicRoutes.flatMap(({ operationId, query, body }: RouteContract) =>
  [query, body].flatMap((schema) => {
    const json = schema && z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    return timesOf((json ?? {}) as Described).map((name) => ({ operationId, name, schema }));
  }),
);

describe('the times of requests', () => {
  it.each(requested)('$name of $operationId is no year 0000', ({ name, schema }) => {
    for (const time of ['0000-01-01T00:00:00.000Z', '0000-01-01']) {
      const decision = { decision: 'approve' };
      const issues = schema?.safeParse({ ...decision, [name]: time }).error?.issues ?? [];
      expect(issues.map(({ path }) => path.join('.'))).toContain(name);
    }
  });
});

describe('the error of a number', () => {
  it.each(['26', '-1', '1.5', 'x', '99999999999999999999'])('names its limits: %s', (text) => {
    expect(messages(queryInt(0, 25), text)).toEqual(['must be a whole number from 0 to 25']);
  });
});

describe('an email', () => {
  it('is lowered after it is validated: the Kelvin sign is no k', () => {
    expect(email.parse(' Karl@Example.org ')).toBe('karl@example.org');
    expect(email.safeParse('\u212Aarl@example.org').success).toBe(false);
    expect(email.safeParse('karl@example.\u212Ar').success).toBe(false);
  });
});

describe('where to go after signing in', () => {
  it('is ASCII, changes nothing else, and fits into a cookie', () => {
    expect(returnPath.parse('/\u{1F600}?q=ü&r=%20#ä')).toBe('/%F0%9F%98%80?q=%C3%BC&r=%20#%C3%A4');
    expect(returnPath.parse('/.//evil.example')).toBe('/.//evil.example');
    expect(returnPath.safeParse('//evil.example').success).toBe(false);
    expect(returnPath.safeParse('/\ud800').success).toBe(false);
  });

  it.each([
    ['字', 113],
    ['"', 510],
    ['a', 1021],
  ])('has at most 1,024 bytes as JSON: of %s %i characters', (character, most) => {
    expect(returnPath.safeParse(`/${character.repeat(most)}`).success).toBe(true);
    expect(returnPath.safeParse(`/${character.repeat(most + 1)}`).success).toBe(false);
  });
});
