import { MINUTE_MS } from '../domain/time.ts';

/** Kept so long (ms) for the browser to take it: some ask the customer first. */
const KEPT_MS = MINUTE_MS;

/** Gives the browser a file to keep under this name, as a link to a download would. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.hidden = true;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
