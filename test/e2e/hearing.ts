import { expect, type Page } from '@playwright/test';
import { stands } from './steps.ts';

/** What is another one each time: sums, numbers of orders, phones, times and minutes, and how busy the kitchen is. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/₹[\d,.]*\d/g, '₹SUM'],
  [/term: .*\([A-Z\d]+\)/g, 'term: OFFER'],
  [/\b\d{1,2}(:\d\d( [AP]M)?| [AP]M\b)/g, 'TIME'],
  [/\b\d+ to \d+ min(utes)?\b/g, 'MINUTES'],
  [/\babout \d+ minutes\b/g, 'about MINUTES'],
  [/\bOrder \d+\b/g, 'Order NUMBER'],
  [/(\+91 )?\b\d{5} ?\d{5}\b/g, 'PHONE'],
  [/The (kitchen|oven|store) [^.:]*\./g, 'HOW BUSY IT IS.'],
];

/** '- button "Add" [pressed]: text' as it is heard: 'Add, button, pressed: text'. */
function spoken(line: string): string | null {
  // Addresses, and regions that say nothing yet.
  if (/^\s*- (\/\w+:|status$)/.test(line)) return null;
  const [, indent = '', role = '', name = '', states = '', rest = ''] =
    /^(\s*)- '?(\w+)(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]+\])*)'?:?(.*)$/.exec(line) ?? [];
  if (role === '') return line;
  const said = [name, role === 'text' ? '' : role, ...(states.match(/[^[\] ]+/g) ?? [])].filter(Boolean).join(', ');
  return `${indent}${said}${rest && said ? ':' : ''}${rest}`.replaceAll('\\"', '"');
}

/**
 * Writes down what a screen reader meets: the title of each page, where the focus is, everything in reading order, and
 * what is announced by itself.
 */
export async function listener(page: Page) {
  await page.addInitScript(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const live = '[role=status],[role=alert],[aria-live],output';
    const textOf = (region: Element) => (region as HTMLElement).innerText.replace(/\s+/g, ' ').trim();
    const before = new Map<Element, string>();
    new MutationObserver((changes) => {
      const regions = new Set<Element>();
      const isNew = new Set<Element>();
      for (const { target, addedNodes } of changes) {
        const region = (target instanceof Element ? target : target.parentElement)?.closest(live);
        if (region) regions.add(region);
        for (const node of addedNodes)
          for (const one of node instanceof Element ? [node, ...node.querySelectorAll(live)] : []) {
            if (!one.matches(live)) continue;
            regions.add(one);
            if (!before.has(one)) isNew.add(one);
          }
      }
      for (const region of regions) {
        const text = textOf(region);
        // An alert is read as soon as it is there; any other region only when it changes, not when it comes with its text.
        const isHeard = !isNew.has(region) || region.matches('[role=alert]');
        if (isHeard && text !== '' && text !== before.get(region)) said.push(text);
        before.set(region, text);
      }
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
  const heard: string[] = [];
  return {
    /** Everything so far. */
    text: () => {
      let all = heard.join('\n');
      for (const [pattern, word] of CHANGING) all = all.replace(pattern, word);
      return `${all}\n`;
    },
    /** Reads the page that stands; of a long one the first and the last lines, since the rest repeats itself. */
    async read(step: string, first = 80, last = 0): Promise<void> {
      await stands(page, step);
      // The bar of calls that take longer than usual is told only on a busy machine.
      await expect(page.getByRole('progressbar'), step).toHaveCount(0);
      const focus = await page.evaluate(() => {
        const at = document.activeElement;
        if (!at || at === document.body) return 'at the beginning';
        const label = (at as HTMLInputElement).labels?.[0] ?? at;
        return at.getAttribute('aria-label') ?? (label.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 80);
      });
      const lines = (await page.locator('body').ariaSnapshot()).split('\n').flatMap((line) => spoken(line) ?? []);
      heard.push(
        `# ${step}`,
        `Title: ${await page.title()}`,
        `Focus: ${focus}`,
        ...lines.slice(0, first),
        ...(lines.length > first ? ['…', ...lines.slice(lines.length - last)] : []),
        '',
      );
    },
    /** What was announced since the last time. */
    async announced(step: string): Promise<void> {
      const said = await page.evaluate(() => (window as unknown as { said: string[] }).said.splice(0));
      if (said.length > 0) heard.push(`# ${step}`, ...said.map((text) => `Announced: ${text}`), '');
    },
  };
}
