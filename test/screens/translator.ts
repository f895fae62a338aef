/**
 * A browser's translation of the page: it puts each text of the page anew into `<font><font>`, and again whenever one has
 * changed. A text that is the page's own is out of the page from then on. Runs in a browser's page by its text, too.
 */
export function translatePage(): { readonly end: () => void } {
  // No translator touches their text.
  const leftAlone = '[translate=no],script,style,template,textarea,noscript,title,svg';
  const isTranslated = new WeakSet<Node>();
  const observer = new MutationObserver(translate);
  function translate(): void {
    const texts: Text[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (isTranslated.has(text) || !text.parentElement || text.parentElement.closest(leftAlone)) continue;
      const [outer, inner] = [document.createElement('font'), document.createElement('font')];
      const own = document.createTextNode(text.data);
      isTranslated.add(own);
      inner.append(own);
      outer.append(inner);
      text.replaceWith(outer);
    }
    observer.takeRecords();
  }
  translate();
  observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  return { end: () => observer.disconnect() };
}

/** Elements that do not show the text that React has given them last. */
export function staleTexts(): string[] {
  return [...document.body.querySelectorAll('*')].flatMap((element) => {
    const key = Object.keys(element).find((name) => name.startsWith('__reactProps'));
    const { children } = (key === undefined ? {} : (element as unknown as Record<string, object>)[key]) as {
      children?: unknown;
    };
    const isText = typeof children === 'string' || typeof children === 'number';
    return isText && element.textContent !== String(children) ? [`${element.textContent} for ${children}`] : [];
  });
}
