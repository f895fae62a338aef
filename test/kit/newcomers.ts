import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './folder.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** The project's own files and folders; all others are made from them. */
const SKIPPED = new Set(['.git', 'node_modules', 'dist', 'test-results', '.env']);

function rewrite(folder: string, change: (text: string, file: string) => string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name);
    if (statSync(file).isFile()) writeFileSync(file, change(readFileSync(file, 'utf8'), name));
  }
}

/** Makes another country of a copy of Sri Lanka's folder: code, currency, dialling prefix, API key, stores and place. */
function addNepal(root: string): void {
  const folder = path.join(root, 'country/np');
  cpSync(path.join(root, 'country/lk'), folder, { recursive: true });
  rewrite(folder, (text, name) =>
    name.startsWith('seed')
      ? text
          .replace(/"201(\d\d)"/g, '"401$1"')
          .replace(/"lk-/g, '"np-')
          .replaceAll('Kollupitiya', 'Thamel')
          .replaceAll('Colombo', 'Kathmandu')
      : text
          .replace(/'LK'/g, "'NP'")
          .replace(/'LKR'/g, "'NPR'")
          .replace(/'Rs\.'/g, "'रु'")
          .replace(/'lk'/g, "'np'")
          .replace(/-LK'/g, "-NP'")
          .replace("['sl', 'np', 'srilanka']", "['np', 'nepal']")
          .replace("languages: ['en', 'si', 'ta']", "languages: ['en']")
          .replaceAll('Sri Lanka', 'Nepal')
          .replaceAll('lk-web', 'np-web')
          .replaceAll('+94', '+977')
          .replaceAll('20101', '40101')
          .replaceAll('Asia/Colombo', 'Asia/Kathmandu'),
  );
}

/** Copies an invented host of test/hosts under another name, which no test knows either: `sixpay`, `eightpay`. */
function addHost(root: string, from: string, to: string): void {
  const folder = path.join(root, 'hosts', to);
  cpSync(path.join(root, 'test/hosts', from), folder, { recursive: true });
  const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
  const brand = (name: string) => capital(name).replace(/pay$/, 'Pay');
  rewrite(folder, (text) =>
    text
      .replaceAll(from, to)
      .replaceAll(brand(from), brand(to))
      .replaceAll(capital(from), capital(to))
      .replaceAll(from.toUpperCase(), to.toUpperCase())
      .replaceAll("'../../../src/", "'../../src/")
      .replaceAll("'../../../hosts/", "'../"),
  );
}

/** A copy of the project, whose files a test may change. */
export function projectCopy(name: string): string {
  const root = temporaryFolder(name);
  for (const entry of readdirSync(ROOT))
    if (!SKIPPED.has(entry)) cpSync(path.join(ROOT, entry), path.join(root, entry), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(root, 'node_modules'), 'junction');
  return root;
}

/**
 * Gives the copy what the last check of the project's types found out (dist/.types), so that the compiler judges only what is new
 * or depends on it. It names files by their way from there, and finds the packages where they really are.
 */
function copyChecked(root: string): void {
  const [from, to] = [ROOT, root].map((project) => path.join(project, 'dist/.types')) as [string, string];
  if (!existsSync(from)) return;
  cpSync(from, to, { recursive: true });
  const place = (folder: string) =>
    `"${path
      .relative(folder, realpathSync(path.join(ROOT, 'node_modules')))
      .split(path.sep)
      .join('/')}/`;
  const [own, there] = [place(realpathSync(from)), place(realpathSync(to))];
  rewrite(to, (text) => text.replaceAll(own, there));
  // Older than every source, or the compiler would take all of them for checked.
  for (const name of readdirSync(to)) utimesSync(path.join(to, name), 0, 0);
}

/** A copy of the project with a fourth country and two further hosts, each added as a folder alone. */
export function projectWithNewcomers(): string {
  const root = projectCopy('pizza-newcomers');
  addNepal(root);
  addHost(root, 'sixpay', 'eightpay');
  addHost(root, 'tarnpay', 'duskpay');
  copyChecked(root);
  return root;
}

/** Runs a program of the copy with this Node. @throws Error with all of its output */
export function runIn(root: string, ...args: string[]): string {
  try {
    return execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${args.join(' ')} failed in the copy:\n${stdout ?? ''}${stderr ?? ''}`, { cause: error });
  }
}
