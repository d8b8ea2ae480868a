import { isUtf8 } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import {
  AppError,
  bodyBytesMaxOf,
  type CompanyId,
  type RouteContract,
} from '@commonplace/contracts/core';
import express, { type Request, type Response } from 'express';
import { smallBytesMax, type AdmitBody } from './admit-bodies.ts';
import { findJsonFaults } from './find-json-faults.ts';
import { isReadableType } from './is-readable-type.ts';
import { JsonDepthError, parseJsonInSegments } from './parse-json-in-segments.ts';
import { boundedErrors } from './parse-request.ts';

/** Above the depth of any field, so that an invalid field is reported rather than the whole body. */
const depthMax = 256;

/** Skipped at the beginning of a body. */
const byteOrderMark = Buffer.from('\ufeff');

/** What stands for a body that was not sent; throws where a route needs one. */
const absentBody = ({ needsBody }: RouteContract): object => {
  if (needsBody) {
    throw new AppError(
      'validation_failed',
      'The body is missing; an empty object sets every field to its default.',
    );
  }
  return {};
};

/** Refuses a small body of which the parser dropped something; in large ones the search would block other requests. */
const assertComplete = (bytes: Buffer, parsed: unknown): void => {
  const faults = bytes.length <= smallBytesMax ? findJsonFaults(bytes.toString(), parsed) : [];
  if (faults.length > 0) {
    throw new AppError('validation_failed', 'The body is not valid.', {
      errors: boundedErrors(faults),
    });
  }
};

/** Parses large bodies in segments, so that they do not block other requests. */
const parseBody = async (
  body: Buffer,
  res: Response,
  contract: RouteContract,
): Promise<unknown> => {
  (res as Response).locals['bodyBytes'] = body.length;
  if (!isUtf8(body)) {
    throw new AppError('malformed_json', 'The body is not valid UTF-8.');
  }
  const hasMark = body.subarray(0, byteOrderMark.length).equals(byteOrderMark);
  const bytes = hasMark ? body.subarray(byteOrderMark.length) : body;
  try {
    if (bytes.length === 0) {
      return absentBody(contract);
    }
    const parsed = await parseJsonInSegments(bytes, { depthMax });
    assertComplete(bytes, parsed);
    return parsed;
  } catch (error) {
    if (error instanceof JsonDepthError) {
      throw new AppError('malformed_json', `The body is nested deeper than ${depthMax} levels.`);
    }
    throw error instanceof SyntaxError ? new AppError('malformed_json') : error;
  }
};

const endedEarly = (): AppError =>
  new AppError('malformed_json', 'The body ended before its announced length.');

/** The error types of express's body parser, https://expressjs.com/en/resources/middleware/body-parser.html */
const asBodyError = (error: { type?: string; message: string }): unknown => {
  switch (error.type) {
    case 'entity.too.large':
      return new AppError('body_too_large');
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return new AppError('unsupported_media_type', 'Send plain UTF-8 JSON, not compressed.');
    case 'request.aborted':
    case 'request.size.invalid':
      return endedEarly();
    default:
      return error;
  }
};

const hasBody = (req: Request): boolean =>
  req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;

/** Whether there is a body of JSON that is announced as a small one. */
export const hasSmallJson = ({ headers }: Request): boolean => {
  const bytes = Number(headers['content-length'] ?? 0);
  return bytes > 0 && bytes <= smallBytesMax && isReadableType(headers['content-type']);
};

/** Rejects a chunked body as soon as it exceeds the limit; the parser would read it to its end. */
const rejectAbove = (req: Request, bytesMax: number, reject: (error: AppError) => void): void => {
  let bytes = 0;
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      reject(new AppError('body_too_large'));
    }
  });
};

/** Bytes of the request body of this response, chunked or not; 0 without one. */
export const bodyBytesOf = (res: ServerResponse): number =>
  ((res as Response).locals['bodyBytes'] as number | undefined) ?? 0;

/** Reads a body, which counts for a company where the request has one. */
export type ReadBody = (
  req: Request,
  res: Response,
  companyId: CompanyId | null,
) => Promise<unknown>;

/** The length of the body, or the limit when it is chunked. */
const lengthOf = (req: Request, bytesMax: number): number =>
  req.headers['transfer-encoding'] === undefined
    ? Number(req.headers['content-length'] ?? 0)
    : bytesMax;

/** Waits until the body is admitted. Releases it when the response is sent: until then the handler may use it. */
const admit = async (admission: Promise<() => void>, res: Response): Promise<void> => {
  const release = await admission;
  if (res.closed) {
    release();
  } else {
    res.once('close', release);
  }
};

/** Reads a form; a field that repeats is an error, and the schema decides which fields there are. */
const parseForm = (body: Buffer): Record<string, string> => {
  const fields = [...new URLSearchParams(body.toString('utf8'))];
  const form = Object.fromEntries(fields);
  if (Object.keys(form).length < fields.length) {
    throw new AppError('validation_failed', 'A field of the form is given more than once.');
  }
  return form;
};

/** Creates the reader of the bodies of a route, up to its limit. */
export const bodyReader = (contract: RouteContract, admitBody: AdmitBody): ReadBody => {
  const bytesMax = bodyBytesMaxOf(contract);
  const { bodyType } = contract;
  const parse = express.raw({ limit: bytesMax, inflate: false, type: () => true });
  const read = (req: Request, res: Response): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      if (req.headers['transfer-encoding'] !== undefined) {
        rejectAbove(req, bytesMax, reject);
      }
      parse(req, res, (error?: unknown) => {
        const body = req.body as Buffer | undefined;
        // The request lives as long as its handler; its bytes are not needed once parsed.
        req.body = undefined;
        if (error) {
          reject(asBodyError(error as { type?: string; message: string }) as Error);
        } else if (body === undefined) {
          // Its sender has gone before it was read: the parser says nothing then, and it is not an empty one.
          reject(endedEarly());
        } else {
          resolve(body);
        }
      });
    });
  return async (req, res, companyId) => {
    if (!hasBody(req)) {
      return absentBody(contract);
    }
    if (!isReadableType(req.headers['content-type'], bodyType)) {
      throw new AppError(
        'unsupported_media_type',
        bodyType === 'form' ? 'The body must be application/x-www-form-urlencoded.' : undefined,
      );
    }
    // The parser would read such a body to its end before it rejects it.
    if (Number(req.headers['content-length'] ?? 0) > bytesMax) {
      throw new AppError('body_too_large');
    }
    const bytes = lengthOf(req, bytesMax);
    if (bytes > smallBytesMax) {
      await admit(admitBody(companyId ?? '', bytes), res);
    }
    const body = await read(req, res);
    return bodyType === 'form' ? parseForm(body) : parseBody(body, res, contract);
  };
};
