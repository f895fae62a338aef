import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, TYPE, type MessageFormatElement } from '@formatjs/icu-messageformat-parser';
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js';
import type { Sentences } from '../../src/text/compile.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** 'Cart' as 'ⓒⓐⓡⓣ'. */
export const strange = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => String.fromCodePoint(0x24d0 + letter.toLowerCase().charCodeAt(0) - 97));

function translated(elements: MessageFormatElement[]): MessageFormatElement[] {
  return elements.map((element) => {
    if (element.type === TYPE.literal) return { ...element, value: strange(element.value) };
    if (element.type === TYPE.tag) return { ...element, children: translated(element.children) };
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return element;
    const options = Object.entries(element.options).map(([name, { value }]) => [name, { value: translated(value) }]);
    return { ...element, options: Object.fromEntries(options) as typeof element.options };
  });
}

/** A copy of these parts of the project in `copy`, in which this language is English in the letters of no English sentence. */
export function copyWithLanguage(copy: string, language: string, parts: readonly string[]): void {
  for (const name of [...parts, 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true });
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'), 'junction');
  const [from, to] = ['en', language].map((name) => path.join(copy, 'src/text', name)) as [string, string];
  mkdirSync(to, { recursive: true });
  for (const file of readdirSync(to)) if (file.endsWith('.json')) rmSync(path.join(to, file));
  for (const file of readdirSync(from).filter((name) => name.endsWith('.json'))) {
    const sentences = JSON.parse(readFileSync(path.join(from, file), 'utf8')) as Sentences;
    const own = Object.entries(sentences).map(([key, text]) => [key, printAST(translated(parse(text)))]);
    writeFileSync(path.join(to, file), JSON.stringify(Object.fromEntries(own)));
  }
}
