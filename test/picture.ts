// `npm run picture`: the README's picture, three phones side by side, and the pictures of each bundle that is offered for
// installation, from the built bundles on the real server.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from '@playwright/test';
import sharp from 'sharp';
import type * as sentences from '#text/first.ts';
import { compileTexts, spokenIn } from '../src/build/texts.ts';
import { SCREENSHOTS, screenshotOf } from '../src/build/seo.ts';
import type { SentencesOf } from '../src/text/spoken.ts';
import { builtBundles } from './kit/app.ts';
import { noon } from './e2e/steps.ts';
import { chromiumOptions } from './kit/browser.ts';
import { spawnServer } from './kit/server.ts';

const PHONE = { width: 390, height: 780 };
const SHOWN = 0.55;
const root = path.resolve(import.meta.dirname, '..');
const target = path.join(root, '.pictures/phones.png');

const server = await spawnServer();
const browser = await chromium.launch(chromiumOptions());
try {
  // The shop is open whatever the hour.
  await noon(server);
  const context = await browser.newContext({ baseURL: server.url, viewport: PHONE, deviceScaleFactor: 1.4 });
  const page = await context.newPage();
  const shots: string[] = [];
  const shoot = async () => {
    await page.waitForLoadState('networkidle');
    shots.push((await page.screenshot({ type: 'png' })).toString('base64'));
  };
  await page.goto('/in/');
  await shoot();
  await page.goto('/in/customise/PZ004');
  await page.getByRole('button', { name: /Add/ }).first().waitFor();
  await shoot();
  await page.goto('/in/menu');
  for (const at of [0, 1]) await page.getByRole('button', { name: /^Add / }).nth(at).click();
  await page.getByRole('link', { name: /^Cart/ }).first().click();
  await page.getByRole('heading', { name: 'Your cart', exact: true }).waitFor();
  await shoot();

  const sheet = await browser.newPage({ viewport: { width: 744, height: 470 } });
  const phones = shots.map((shot) => `<img src="data:image/png;base64,${shot}" width="${PHONE.width * SHOWN}">`);
  await sheet.setContent(`<style>body{margin:0;display:flex;gap:24px;justify-content:center;padding:20px;background:#efe9df}
    img{border-radius:18px;box-shadow:0 6px 22px #0003}</style>${phones.join('')}`);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, await sheet.screenshot({ type: 'png' }));
  console.log(`${path.relative(process.cwd(), target)} is drawn.`);

  for (const { country, language, mount } of builtBundles({ all: true }).filter(({ host }) => host === 'browser')) {
    const t = await spokenIn<SentencesOf<typeof sentences>>(await compileTexts(root, { language }), 'first');
    const adding = new RegExp(`^${t.addItem({ name: '.+' })}$`);
    for (const { form, width, height } of SCREENSHOTS) {
      const wide = form === 'wide';
      const own = await browser.newPage({ baseURL: server.url, viewport: { width, height }, locale: language });
      await own.goto(wide ? `${mount}menu` : mount);
      await own.waitForLoadState('networkidle');
      if (wide) {
        for (const at of [0, 1]) await own.getByRole('button', { name: adding }).nth(at).click();
        await own.waitForLoadState('networkidle');
        await own.evaluate(() => scrollTo(0, 0));
      }
      const file = screenshotOf(path.join(root, 'hosts/browser'), country, language, form);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(
        file,
        await sharp(await own.screenshot({ type: 'png' }))
          .webp({ quality: 50, effort: 6 })
          .toBuffer(),
      );
      await own.close();
    }
    console.log(`${mount} is shown.`);
  }
} finally {
  await browser.close();
  await server.stop();
}
