import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect as expectSoon, test } from '@playwright/test';
import { projectCopy } from '../kit/newcomers.ts';

/** An edit builds scripts and starts a server: on a busy machine that takes its time. */
const expect = expectSoon.configure({ timeout: 60_000 });

let copy: string;
let dev: ChildProcess;
let address: string;
let said = '';

/** Starts `npm run dev` in a copy of the project. */
// What is built for all of them is built once.
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  test.setTimeout(300_000);
  copy = projectCopy('pizza-dev');
  dev = spawn(process.execPath, ['build.mjs', '--dev'], {
    cwd: copy,
    env: { ...process.env, PORT: String(20_000 + (process.pid % 20_000)) },
  });
  address = await new Promise<string>((resolve, reject) => {
    const hear = (data: Buffer) => {
      said += String(data);
      const found = /http:\/\/localhost:\d+/.exec(said)?.[0];
      if (found !== undefined) resolve(found);
    };
    dev.stdout?.on('data', hear);
    dev.stderr?.on('data', hear);
    dev.once('exit', (code) => reject(new Error(`npm run dev ended (${code}):\n${said}`)));
  });
});
test.afterAll(() => {
  dev?.kill('SIGKILL');
});

/** Changes a source, which has to have `what` in it. */
function edit(file: string, what: string, by: string): void {
  const where = path.join(copy, file);
  const text = readFileSync(where, 'utf8');
  expect(text).toContain(what);
  writeFileSync(
    where,
    text.replace(what, () => by),
  );
}

const SCREEN = 'src/screens/documents/DocumentScreen.tsx';
const RULE = 'src/server/rules/documents/documents.ts';
const SENTENCES = 'src/text/en/documents.json';

test('an edit of a screen, a sentence, a style or a rule comes into the open page; ended, it leaves no server', async ({
  page,
}) => {
  await page.goto(`${address}/in/terms`);
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 2 }).first()).toHaveText('Who you order from');

  edit(SCREEN, '<p className={css.intro}>{document.intro}', '<p className={css.intro}>Edited. {document.intro}');
  await expect(main).toContainText('Edited. These terms');

  edit(SENTENCES, 'In force since', 'Valid from');
  await expect(main).toContainText('Valid from');

  edit(RULE, 'section(t.orderTitle', "section('Ordered'");
  await expect(main.getByRole('heading', { level: 2 }).nth(1)).toHaveText('Ordered');
  // And a sentence that the server says.
  edit(SENTENCES, 'Who you order from', 'Who bakes');
  await expect(main.getByRole('heading', { level: 2 }).first()).toHaveText('Who bakes');

  edit('src/screens/documents/DocumentScreen.module.css', '.intro {', '.intro {\n  text-indent: 17px;');
  await expect(page.getByText('Edited. These terms')).toHaveCSS('text-indent', '17px');

  edit('hosts/browser/index.html', '<html ', '<html data-edited="yes" ');
  await expect(page.locator('html')).toHaveAttribute('data-edited', 'yes');

  // Killed, it leaves no server behind.
  dev.removeAllListeners('exit');
  const gone = new Promise((done) => dev.once('exit', done));
  dev.kill('SIGKILL');
  await gone;
  const answers = () =>
    fetch(address).then(
      () => true,
      () => false,
    );
  await expect.poll(answers).toBe(false);
});
