import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { companyQuery } from '../../../api/company-queries.ts';
import { exportName } from './export-name.ts';
import { chooseZipTarget } from './zip-target.ts';

export type ExportState =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'running' | 'done';
      /** Undefined: all notes. */
      readonly folder: string | undefined;
      readonly notes: number;
    }
  | { readonly kind: 'failed'; readonly error: unknown };

const idle: ExportState = { kind: 'idle' };

/** Exports folders of a company, one at a time: another ends the one before. Leaving the page cancels. */
export const useExport = (companyId: string) => {
  const [state, setState] = useState<ExportState>(idle);
  const { data: company } = useQuery(companyQuery(companyId));
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const start = async (folder: string | undefined): Promise<void> => {
    stop.current.abort();
    const controller = new AbortController();
    stop.current = controller;
    const { signal } = controller;
    let notes = 0;
    const onProgress = (read: number): void => {
      notes = read;
      if (!signal.aborted) {
        setState({ kind: 'running', folder, notes });
      }
    };
    try {
      const target = await chooseZipTarget(
        exportName({ company: company?.name ?? 'notes', folder, now: new Date() }),
      );
      if (target === null) {
        return;
      }
      onProgress(0);
      const { writeExport } = await import('./write-export.ts');
      await writeExport({ companyId, folder, signal, onProgress, target });
      setState({ kind: 'done', folder, notes });
    } catch (error) {
      // One that was replaced says nothing about the one that replaced it.
      if (stop.current === controller) {
        setState(signal.aborted ? idle : { kind: 'failed', error });
      }
    }
  };
  return {
    state,
    start,
    cancel: () => stop.current.abort(),
    dismiss: () => setState(idle),
  };
};
