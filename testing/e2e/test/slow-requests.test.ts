import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chunked } from '../src/hostile-shapes.ts';
import { sendRaw } from '../src/raw-socket.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { makeCompany, type CompanyWorld } from '../src/world.ts';

let system: TestSystem;
let company: CompanyWorld;

beforeAll(async () => {
  system = await startTestSystem('local_trusted');
  const { baseUrl } = system;
  company = await makeCompany(system.as({}), 'Slow', { baseUrl, withInvite: false });
}, 120_000);
afterAll(async () => {
  await system.stop();
});

const json = 'Content-Type: application/json';
const secondsOfDripping = 36;

/** A note's PUT of which something arrives every two seconds, and what comes back. */
const drip = async (piece: string, ...headers: readonly string[]) => {
  const lines = [
    `PUT /api/notes/${company.noteId} HTTP/1.1`,
    `Host: ${new URL(system.baseUrl).host}`,
    `Authorization: Bearer ${company.key}`,
    ...headers,
  ];
  const pieces = Array<string>(secondsOfDripping / 2).fill(piece);
  return sendRaw(system.baseUrl, [lines.join('\r\n'), ...pieces], { pauseMs: 2_000 });
};

describe('a request that arrives too slowly', () => {
  it('gets one 408 after 10 s of headers or 30 s of body, and the connection ends', async () => {
    const [headers, body, chunks, refused] = await Promise.all([
      drip('\r\nX-A: b'),
      drip(' ', json, 'Content-Length: 1000\r\n\r\n'),
      drip('1\r\n \r\n', json, `${chunked}\r\n\r\n`),
      drip('1\r\n \r\n', `${chunked}\r\n\r\n`),
    ]);
    const outcomeOf = ({ responses, isClosed }: typeof headers) => [
      ...responses.map(({ status, headers: { 'content-type': type } }) => `${status} ${type}`),
      isClosed,
    ];
    const tooLate = ['408 application/problem+json; charset=utf-8', true];
    expect([outcomeOf(headers), outcomeOf(body), outcomeOf(chunks)]).toEqual([
      tooLate,
      tooLate,
      tooLate,
    ]);
    // Refused at once for its missing type, it gets no second response.
    expect(outcomeOf(refused)).toEqual(['415 application/problem+json; charset=utf-8', true]);
  }, 60_000);
});
