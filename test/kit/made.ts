import path from 'node:path';
import { writeMade } from '../../src/build/texts.ts';

/** For vitest (globalSetup): single tests read today's sentences, too. */
export default async function sentencesMade(): Promise<void> {
  await writeMade(path.resolve(import.meta.dirname, '../..'));
}
