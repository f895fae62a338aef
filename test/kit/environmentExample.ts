import { serverParts, type Part } from '../../src/server/environment.ts';

/** The text of `.env.example`: each variable on a line of its own. */
export function environmentExample(further: readonly Part[] = []): string {
  const head = [
    '# Every variable that the server knows; nothing else is read. `cp .env.example .env`, then fill in: `npm start` reads it.',
    '# An empty value is as good as none. In brackets: what holds without it.',
  ];
  const paragraphs = [...serverParts, ...further].map(({ title, variables }) =>
    [
      `# ${title}${variables.some((variable) => !('unset' in variable)) ? ': whole or not at all' : ''}`,
      ...variables.map(({ name, about }) => `${name}= # ${about}`),
    ].join('\n'),
  );
  return `${[head.join('\n'), ...paragraphs].join('\n\n')}\n`;
}
