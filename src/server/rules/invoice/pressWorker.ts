import { parentPort } from 'node:worker_threads';
import { drawPapers } from './draw.ts';
import type { Buyer, Paper } from './paper.ts';

/** The papers of one file, each with its buyer. */
export type Sheaf = readonly { readonly paper: Paper; readonly buyer: Buyer | null }[];

parentPort?.on('message', ({ id, sheaf }: { id: number; sheaf: Sheaf }) => {
  drawPapers(sheaf).then(
    (bytes) => parentPort?.postMessage({ id, bytes }, [bytes.buffer]),
    (error: unknown) => parentPort?.postMessage({ id, error: String(error) }),
  );
});
