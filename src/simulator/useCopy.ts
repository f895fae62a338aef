import { useState } from 'react';

/** Also where the clipboard's own interface is closed, as on plain http. */
async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.setAttribute('aria-hidden', 'true');
    document.body.append(area);
    const before = document.activeElement;
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    if (before instanceof HTMLElement) before.focus();
    if (!isCopied) throw new Error(`This browser does not let a page copy. The code is ${text}.`);
  }
}

/** Copies a text, and says what became of it. */
export function useCopy(text: string) {
  const [said, setSaid] = useState<string | null>(null);
  const copy = () =>
    void copyText(text).then(
      () => setSaid('Copied'),
      (error: Error) => setSaid(error.message),
    );
  return { said, copy };
}
