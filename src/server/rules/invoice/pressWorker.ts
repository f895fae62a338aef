import { parentPort } from 'node:worker_threads';
import { drawPapers } from './draw.ts';
import type { Sheaf } from './paper.ts';

parentPort?.on('message', ({ id, sheaf }: { id: number; sheaf: Sheaf }) => {
  drawPapers(sheaf).then(
    (bytes) => parentPort?.postMessage({ id, bytes }, [bytes.buffer]),
    (error: unknown) => parentPort?.postMessage({ id, error: String(error) }),
  );
});
