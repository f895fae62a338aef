// `npm run questions`: learns what questions to the assistant are about, and writes src/server/rules/chat/learned.bin.
// What is written changes with the questions, the words or the rules, and only then. It takes four minutes.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { featuresOf } from '../../src/domain/chat/learned.ts';
import { learn, numbersFrom, written } from './learn.ts';
import { foodIn, learnedRows, SHOPS, understoodIn } from './rows.ts';

const random = numbersFrom(1);
const LEAST_SLIPPED = 4;
/** As it is typed in a hurry: in every third longer word a letter or a sign is left out, doubled, or changes places with the next one. */
const slipped = (question: string) =>
  question.replace(/[\p{L}\p{M}]+/gu, (word) => {
    if (word.length < LEAST_SLIPPED || random() > 1 / 3) return word;
    const at = 1 + Math.floor(random() * (word.length - 2));
    const [before, one, next, after] = [word.slice(0, at), word[at]!, word[at + 1]!, word.slice(at + 2)];
    return before + [next, one + one + next, next + one][Math.floor(random() * 3)]! + after;
  });

const examples = learnedRows().flatMap(({ country, question, about }) =>
  [question, slipped(question)].map((typed) => {
    const shop = SHOPS[country];
    return { features: featuresOf(understoodIn(shop, typed, foodIn(shop, typed))), about };
  }),
);
const file = written(learn(examples));
writeFileSync(path.resolve(import.meta.dirname, '../../src/server/rules/chat/learned.bin'), file);
console.log(`${examples.length} questions, ${file.length} bytes`);
