// What `npm run bench -- --write` makes of FIGURES.md: a section for each part that was run, with what it printed.
import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const FILE = path.join(import.meta.dirname, 'FIGURES.md');
const BEGIN = '<!-- bench:begin -->';
const END = '<!-- bench:end -->';

/** Runs a part; answers what it printed, and prints it too. */
export async function heard(run: () => unknown): Promise<string> {
  const { log } = console;
  const lines: string[] = [];
  console.log = (...words: unknown[]) => {
    lines.push(words.join(' '));
    log(...words);
  };
  try {
    await run();
  } finally {
    console.log = log;
  }
  return lines.join('\n').trim();
}

/** Puts each part's words in place of what stood there; parts that were not run keep theirs. */
export function writeFigures(parts: readonly (readonly [name: string, text: string])[], at = new Date()): void {
  const page = readFileSync(FILE, 'utf8');
  const [before = '', rest = ''] = page.split(BEGIN);
  const [held = '', after = ''] = rest.split(END);
  const sections = new Map(
    held
      .split(/^(?=## )/m)
      .filter((text) => text.startsWith('## '))
      .map((text) => [/^## (\S+)/.exec(text)?.[1] ?? '', text.trim()]),
  );
  const where = `${at.toISOString().slice(0, 10)}, ${os.cpus().length} cores, Node ${process.versions.node}`;
  for (const [name, text] of parts) sections.set(name, `## ${name}\n${where}\n\n\`\`\`\n${text}\n\`\`\``);
  writeFileSync(FILE, `${before}${BEGIN}\n\n${[...sections.values()].join('\n\n')}\n\n${END}${after}`);
}
