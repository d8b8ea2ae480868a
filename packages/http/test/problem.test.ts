import { describe, expect, it } from '@jest/globals';
import { AppError, errorCodes, type ErrorCode } from '@commonplace/contracts';
import { asAppError, problemBody, problemResponse } from '../src/index.ts';

const withCode = (code: string) => Object.assign(new Error('from below'), { code });

describe('what is thrown', () => {
  it.each([
    ['ECONNREFUSED', 'service_unavailable'],
    ['ECONNABORTED', 'service_unavailable'],
    ['EHOSTDOWN', 'service_unavailable'],
    ['EHOSTUNREACH', 'service_unavailable'],
    ['ENETDOWN', 'service_unavailable'],
    ['ENETUNREACH', 'service_unavailable'],
    ['ETIMEDOUT', 'service_unavailable'],
    ['28P01', 'service_unavailable'],
    ['28000', 'service_unavailable'],
    ['53100', 'service_unavailable'],
    ['53200', 'service_unavailable'],
    ['53300', 'service_unavailable'],
    ['58030', 'service_unavailable'],
    ['57014', 'service_unavailable'],
    ['57P01', 'service_unavailable'],
    ['08006', 'service_unavailable'],
    ['22P05', 'validation_failed'],
    ['40P01', 'busy'],
    ['42P01', 'unexpected_failure'],
  ])('becomes, with the code %s, %s', (code, expected) => {
    expect(asAppError(withCode(code)).code).toBe(expected);
  });

  it('says that a disk is full, which one, and what to do', () => {
    const { message } = asAppError(withCode('53100'));
    expect(message).toMatch(/disk of the database is full.*free some space/);
  });

  it('never shows its own message to the caller', () => {
    const body = problemBody(asAppError(new Error('password is hunter2')), 'request-1');
    expect(JSON.stringify(body)).not.toContain('hunter2');
    expect(body).toMatchObject({ status: 500, code: 'unexpected_failure', requestId: 'request-1' });
  });

  it('keeps an AppError, its extensions and field errors', () => {
    const error = new AppError('precondition_failed', 'Too late.', {
      extensions: { current: { revision: 2 } },
      errors: [{ path: '/title', message: 'is old' }],
    });
    expect(problemBody(asAppError(error), 'r')).toEqual({
      type: 'about:blank',
      title: 'The precondition failed',
      status: 412,
      detail: 'Too late.',
      code: 'precondition_failed',
      requestId: 'r',
      current: { revision: 2 },
      errors: [{ path: '/title', message: 'is old' }],
    });
  });

  it('has Retry-After with every 503: one second, unless the error says otherwise', () => {
    const headersOf = (error: AppError) => problemResponse(error, 'r').headers;
    const codes = Object.entries(errorCodes).filter(([, { status }]) => status === 503);
    expect(codes.map(([code]) => code)).toContain('busy');
    for (const [code] of codes) {
      expect(headersOf(new AppError(code as ErrorCode))).toMatchObject({ 'Retry-After': '1' });
    }
    const later = new AppError('busy', undefined, { headers: { 'Retry-After': '5' } });
    expect(headersOf(later)).toMatchObject({ 'Retry-After': '5' });
    expect(headersOf(new AppError('not_found'))).not.toHaveProperty('Retry-After');
  });

  it('cannot be overruled by extensions', () => {
    const error = new AppError('not_found', 'Gone.', { extensions: { status: 200, code: 'ok' } });
    expect(problemBody(error, 'r')).toMatchObject({ status: 404, code: 'not_found' });
  });
});
